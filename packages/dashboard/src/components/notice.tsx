import type { ReactNode } from "react";
import styles from "./notice.module.css";

/** Something that a person should know now; `bad` is read out at once. */
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
