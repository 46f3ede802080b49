import { Section } from "../../../components/section.tsx";
import styles from "./history-list.module.css";
import type { AskedQuestion } from "./use-asked.ts";

/** What was asked since the page was loaded; each answer is still there. */
export function HistoryList({
  asked,
  shownId,
  onShow,
}: {
  readonly asked: readonly AskedQuestion[];
  readonly shownId: number | null;
  readonly onShow: (question: AskedQuestion) => void;
}) {
  if (asked.length < 2) return null;
  return (
    <Section title="Asked before" description="Kept until this page is loaded anew.">
      <ol className={styles.list}>
        {asked.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className={styles.item}
              aria-current={one.id === shownId}
              onClick={() => onShow(one)}
            >
              <span className={styles.question}>{one.question.query}</span>
              <span className={styles.mode}>{one.question.mode}</span>
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}
