import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { Group, ToggleButton } from "react-aria-components";
import { serviceUrl } from "../../../api/address.ts";
import { messageOf } from "../../../api/fault.ts";
import { service } from "../../../api/service.ts";
import type { Question } from "./ask-address.ts";
import styles from "./feedback-buttons.module.css";
import type { Answer } from "./use-answer.ts";

type Rating = "up" | "down";

const choices = [
  { rating: "up", label: "Good answer", icon: ThumbsUp },
  { rating: "down", label: "Bad answer", icon: ThumbsDown },
] as const;

const maxLatest = 100;

function feedbackQuery(projectId: string) {
  return queryOptions({
    queryKey: ["feedback", projectId],
    queryFn: ({ signal }) => service.feedback.list(projectId, { limit: maxLatest }, { signal }),
  });
}

/** Keeps whether an answer is good, with the question and the answer. A further press changes it; a reload shows it again. */
export function FeedbackButtons({
  projectId,
  question: { query, mode },
  answer: { result },
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly answer: Answer;
}) {
  const queryClient = useQueryClient();
  const { data: kept } = useQuery(feedbackQuery(projectId));
  const { summary } = result.results;
  const earlier = kept?.feedback.find(
    (one) => one.query === query && one.mode === mode && one.answer === summary,
  );
  const recording = useMutation({
    mutationFn: (next: Rating) =>
      service.feedback.record(projectId, {
        ...{ rating: next, query, mode, answer: summary },
        strategy_used: result.strategy_used,
        source_doc_ids: documentsOf(result.results.chunks),
      }),
    onSuccess: () => queryClient.invalidateQueries(feedbackQuery(projectId)),
  });
  const recorded = recording.isError ? null : (recording.variables ?? null);
  const rating = recorded ?? earlier?.rating ?? null;
  return (
    <>
      <Group aria-label="Rate the answer" className={styles.group ?? ""}>
        {choices.map(({ rating: choice, label, icon: Icon }) => (
          <ToggleButton
            key={choice}
            aria-label={label}
            isSelected={rating === choice}
            isDisabled={recording.isPending}
            onChange={() => recording.mutate(choice)}
            className={styles.thumb ?? ""}
          >
            <Icon aria-hidden size={16} />
          </ToggleButton>
        ))}
      </Group>
      <span role="status" className={styles.note}>
        {recording.isError ? (
          messageOf(recording.error)
        ) : rating !== null && !recording.isPending ? (
          <>
            Kept with the project, for evaluations.{" "}
            <a
              href={serviceUrl(`api/v1/projects/${projectId}/feedback?format=jsonl`)}
              download="ratings.jsonl"
            >
              Download the latest ratings
            </a>
          </>
        ) : (
          ""
        )}
      </span>
    </>
  );
}

/** Best first; a document of several passages once. */
function documentsOf(chunks: Answer["result"]["results"]["chunks"]): string[] {
  const ids = chunks.flatMap(({ source_doc_id: id }) => (id === undefined ? [] : [id]));
  return [...new Set(ids)];
}
