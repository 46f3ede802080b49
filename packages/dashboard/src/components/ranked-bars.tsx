import styles from "./ranked-bars.module.css";

/** Counts with bars. `items` are sorted, the most frequent first. */
export function RankedBars({
  items,
}: {
  readonly items: readonly { readonly label: string; readonly count: number }[];
}) {
  const highest = Math.max(1, ...items.map(({ count }) => count));
  return (
    <ul className={styles.bars}>
      {items.map(({ label, count }) => (
        <li key={label} className={styles.item}>
          <bdi className={styles.label}>{label}</bdi>
          <span className={styles.count}>{count.toLocaleString("en")}</span>
          <svg className={styles.track} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
            <rect width={(100 * count) / highest} height="4" className={styles.bar} />
          </svg>
        </li>
      ))}
    </ul>
  );
}
