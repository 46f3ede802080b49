import type { ReactNode } from "react";
import styles from "./facts.module.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** What is known of one thing, a line for each. */
export function Facts({
  items,
  isDense = false,
}: {
  readonly items: readonly Fact[];
  /** Beside each other where there is room. */
  readonly isDense?: boolean;
}) {
  return (
    <dl className={`${styles.facts} ${isDense ? styles.dense : ""}`}>
      {items.map(({ label, value }) => (
        <div key={label} className={styles.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
