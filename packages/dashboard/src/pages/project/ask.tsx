import { useMutation } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { service } from "../../api/service.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AnswerView } from "./ask/answer-view.tsx";
import { type Asked, QuestionForm } from "./ask/question-form.tsx";
import styles from "./ask.module.css";

/** A question, and the answer with what it rests on. */
export function AskPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { question = "" } = useSearch({ from: "/signed-in/projects/$projectId/ask" });
  const asking = useMutation({
    async mutationFn({ query, mode }: Asked) {
      const began = performance.now();
      const answer = await service.query(projectId, { query, mode, include: ["provenance"] });
      return { answer, milliseconds: performance.now() - began };
    },
  });
  return (
    <div className={styles.page}>
      <QuestionForm initial={question} isPending={asking.isPending} onAsk={(asked) => asking.mutate(asked)} />
      <div aria-live="polite" aria-busy={asking.isPending}>
        {asking.isPending ? (
          <Skeleton lines={5} />
        ) : asking.isError ? (
          <FaultNotice error={asking.error} />
        ) : asking.data === undefined ? (
          <EmptyState title="Ask in your own words">
            The answer quotes your documents, and shows the passages it rests on.
          </EmptyState>
        ) : (
          <AnswerView {...asking.data} />
        )}
      </div>
    </div>
  );
}
