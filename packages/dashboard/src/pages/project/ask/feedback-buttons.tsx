import { useMutation } from "@tanstack/react-query";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { Group, ToggleButton } from "react-aria-components";
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

/** Keeps whether an answer is good, with the question and the answer. A further press changes it. */
export function FeedbackButtons({
  projectId,
  question: { query, mode },
  answer: { result },
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly answer: Answer;
}) {
  const [rating, setRating] = useState<Rating | null>(null);
  const recording = useMutation({
    mutationFn: (next: Rating) =>
      service.feedback.record(projectId, {
        ...{ rating: next, query, mode, answer: result.results.summary },
        strategy_used: result.strategy_used,
        source_doc_ids: documentsOf(result.results.chunks),
      }),
    onMutate: (next: Rating) => setRating(next),
    onError: () => setRating(null),
  });
  return (
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
      <span role="status" className={styles.note}>
        {recording.isError ? messageOf(recording.error) : recording.isSuccess ? "Kept for evaluations" : ""}
      </span>
    </Group>
  );
}

/** Best first; a document of several passages once. */
function documentsOf(chunks: Answer["result"]["results"]["chunks"]): string[] {
  const ids = chunks.flatMap(({ source_doc_id: id }) => (id === undefined ? [] : [id]));
  return [...new Set(ids)];
}
