import styles from "./skeleton.module.css";

/** Grey lines where text is on its way. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.lines} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have nothing else.
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return <Skeleton lines={6} />;
}
