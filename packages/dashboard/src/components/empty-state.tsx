import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

/** Replaces an empty list: says what the list would contain and how to add it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
