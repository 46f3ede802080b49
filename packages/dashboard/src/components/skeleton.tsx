import styles from "./skeleton.module.css";

/** Grey lines in place of text that is being loaded. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.lines} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other key.
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return <Skeleton lines={6} />;
}
