import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./folded.module.css";

/** Something that most users need not see, behind a line that says what it is. */
export function Folded({
  title,
  isOpen = false,
  onToggle,
  children,
}: {
  readonly title: ReactNode;
  /** At first. */
  readonly isOpen?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <details
      className={styles.folded}
      open={isOpen}
      onToggle={(event) => event.target === event.currentTarget && onToggle?.(event.currentTarget.open)}
    >
      <summary className={styles.line}>
        <ChevronRight aria-hidden size={14} className={styles.mark} /> {title}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
