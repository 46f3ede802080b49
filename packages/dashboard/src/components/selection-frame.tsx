import type { ReactNode } from "react";
import styles from "./selection-frame.module.css";

/** Below a list: what is selected in it, and what can be done with that together. */
export function SelectionFrame({
  label,
  words,
  note = "",
  children,
}: {
  readonly label: string;
  /** How many are selected. */
  readonly words: string;
  /** What doing it means for some of these. */
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={label} className={styles.bar}>
      <span role="status" className={styles.count}>
        {words}
      </span>
      {note === "" ? null : <p className={styles.note}>{note}</p>}
      {children}
    </section>
  );
}
