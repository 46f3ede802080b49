import type { ReactNode } from "react";
import styles from "./selection-frame.module.css";

/** Below a list: what is selected in it, and what can be done with that together. */
export function SelectionFrame({
  label,
  words,
  children,
}: {
  readonly label: string;
  /** How many are selected. */
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={label} className={styles.bar}>
      <span role="status" className={styles.count}>
        {words}
      </span>
      {children}
    </section>
  );
}
