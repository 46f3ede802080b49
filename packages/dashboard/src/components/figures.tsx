import type { ReactNode } from "react";
import styles from "./figures.module.css";

export interface Figure {
  readonly label: string;
  readonly value: number;
  /** What is not counted in it. */
  readonly note?: ReactNode;
}

/** A few large numbers with labels. */
export function Figures({ items }: { readonly items: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {items.map(({ label, value, note }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd>{value.toLocaleString("en")}</dd>
          {note !== undefined && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
