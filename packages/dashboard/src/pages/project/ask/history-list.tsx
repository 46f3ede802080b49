import { Link } from "@tanstack/react-router";
import type { AskedQuestion } from "../../../api/asked-questions.ts";
import { Button } from "../../../components/button.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import type { AskSearch } from "./ask-address.ts";
import styles from "./history-list.module.css";

/** The questions that were asked in this browser, newest first. Each is a link to its answer. */
export function HistoryList({
  projectId,
  asked,
  onForget,
}: {
  readonly projectId: string;
  readonly asked: readonly AskedQuestion<AskSearch>[];
  readonly onForget: () => void;
}) {
  if (asked.length === 0) return null;
  return (
    <Section
      title="Earlier questions"
      description="Kept in this browser until you sign out."
      action={
        <Button size="small" variant="quiet" onPress={onForget}>
          Clear
        </Button>
      }
    >
      <ol className={styles.list}>
        {asked.map(({ search, at }) => (
          <li key={JSON.stringify(search)}>
            <Link
              to="/projects/$projectId/ask"
              params={{ projectId }}
              search={search}
              className={styles.item ?? ""}
            >
              <span className={styles.question} dir="auto">
                {search.question}
              </span>
              <span className={styles.about}>
                {search.mode === "dynamic" ? "step by step, " : ""}
                <Time at={new Date(at).toISOString()} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  );
}
