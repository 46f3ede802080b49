import { ProgressBar as AriaProgressBar } from "react-aria-components";
import styles from "./progress-bar.module.css";

/** `total` null means not known yet. */
export function ProgressBar({
  label,
  value,
  total,
  note,
}: {
  readonly label: string;
  readonly value: number;
  readonly total: number | null;
  readonly note: string;
}) {
  const isKnown = total !== null && total > 0;
  return (
    <AriaProgressBar
      aria-label={label}
      className={styles.bar ?? ""}
      {...(isKnown ? { value, maxValue: Math.max(value, total) } : { isIndeterminate: true })}
    >
      {({ percentage }) => (
        <>
          <svg className={styles.track} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
            <rect width={percentage ?? 15} height="4" className={styles.done} />
          </svg>
          <span className={styles.note}>
            {isKnown ? `${value} of ${total}` : value}
            {note === "" ? "" : ` · ${note}`}
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}
