import { useIsLost } from "../api/use-is-lost.ts";
import styles from "./skeleton.module.css";
import { Unreachable } from "./unreachable.tsx";

/** Grey lines in place of text that is being loaded; words while the service is gone: lines that never become text would say nothing. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const isLost = useIsLost();
  if (isLost) return <p role="status">This is loaded when the service can be reached again.</p>;
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
  return useIsLost() ? <Unreachable /> : <Skeleton lines={6} />;
}
