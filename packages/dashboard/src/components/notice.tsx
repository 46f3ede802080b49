import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** A message to the user. Screen readers announce the kind `bad` immediately. */
export function Notice({
  kind = "plain",
  children,
}: {
  readonly kind?: "plain" | "good" | "warn" | "bad";
  readonly children: ReactNode;
}) {
  return (
    <div role={kind === "bad" ? "alert" : "status"} className={`${styles.notice} ${styles[kind]}`}>
      {children}
    </div>
  );
}
