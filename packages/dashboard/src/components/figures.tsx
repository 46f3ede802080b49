import styles from "./figures.module.css";

/** A few large numbers with labels. */
export function Figures({
  items,
}: {
  readonly items: readonly { readonly label: string; readonly value: number }[];
}) {
  return (
    <dl className={styles.figures}>
      {items.map(({ label, value }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd>{value.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}
