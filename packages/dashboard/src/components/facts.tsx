import type { ReactNode } from "react";
import styles from "./facts.module.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Labelled values, one per line. */
export function Facts({
  items,
  isDense = false,
}: {
  readonly items: readonly Fact[];
  /** Several per line when there is room. */
  readonly isDense?: boolean;
}) {
  return (
    <dl className={`${styles.facts} ${isDense ? styles.dense : ""}`}>
      {items.map(({ label, value }) => (
        <div key={label} className={styles.fact}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
