import { Section } from "../../../components/section.tsx";
import styles from "./history-list.module.css";
import type { AskedQuestion } from "./use-asked-questions.ts";

/** The questions asked since the page was loaded, with their answers. */
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
    <Section title="Earlier questions" description="Kept until this page is reloaded.">
      <ol className={styles.list}>
        {asked.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              className={styles.item}
              aria-current={item.id === shownId}
              onClick={() => onShow(item)}
            >
              <span className={styles.question}>{item.question.query}</span>
              <span className={styles.mode}>{item.question.mode}</span>
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}
