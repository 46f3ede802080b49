import { useSyncExternalStore } from "react";
import { connection } from "../api/connection.ts";
import styles from "./skeleton.module.css";
import { Unreachable } from "./unreachable.tsx";

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

/** While the service is gone it says so: lines that never become text would say nothing. */
export function PageSkeleton() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost);
  if (isLost) return <Unreachable />;
  return <Skeleton lines={6} />;
}
