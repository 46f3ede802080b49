import { ProgressBar as AriaProgressBar } from "react-aria-components";
import styles from "./progress-bar.module.css";
import { type Progress, progressWords } from "./progress-words.ts";

/** `note`: further words. */
export function ProgressBar({
  label,
  value,
  total,
  unit,
  note = "",
}: Progress & {
  readonly label: string;
  readonly note?: string;
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
            {/* Of what is not known nothing is drawn as done: the bar would go back once it is known. */}
            {percentage === undefined ? (
              <rect width="100" height="4" className={styles.unknown} />
            ) : (
              <rect width={percentage} height="4" className={styles.done} />
            )}
          </svg>
          <span className={styles.note}>
            {progressWords({ value, total, unit })}
            {note === "" ? "" : ` · ${note}`}
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}
