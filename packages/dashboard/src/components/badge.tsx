import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type BadgeKind = "plain" | "accent" | "good" | "warn" | "bad";

/** A state or a kind in one or two words. */
export function Badge({
  kind = "plain",
  children,
}: {
  readonly kind?: BadgeKind;
  readonly children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[kind]}`}>{children}</span>;
}
