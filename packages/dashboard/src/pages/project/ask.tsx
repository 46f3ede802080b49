import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useRetainedState } from "../../api/use-retained-state.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AnswerView } from "./ask/answer-view.tsx";
import { HistoryList } from "./ask/history-list.tsx";
import { type Question, QuestionForm } from "./ask/question-form.tsx";
import { useAskedQuestions } from "./ask/use-asked-questions.ts";
import styles from "./ask.module.css";

const emptyQuestion: Question = {
  query: "",
  mode: "static",
  topK: 10,
  maxPerDocument: 0,
  documents: [],
  conditions: [],
  isExplained: false,
};

/** The question form, the answer with its passages, and the earlier questions. */
export function AskPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { question = "" } = useSearch({ from: "/signed-in/projects/$projectId/ask" });
  const { asked, shown, partial, isPending, error, ask, stop, show } = useAskedQuestions(projectId);
  const { value: last, change: keep } = useRetainedState(["question", projectId], emptyQuestion);
  const [form, setForm] = useState({
    question: question === "" ? last : { ...emptyQuestion, query: question },
    version: 0,
  });
  return (
    <div className={styles.page}>
      <QuestionForm
        key={form.version}
        projectId={projectId}
        isPending={isPending}
        onStop={stop}
        onAsk={(next) => {
          keep(next);
          ask(next);
        }}
        initial={form.question}
      />
      <div role="status" className="visually-hidden">
        {isPending ? "Asking" : error === null && shown !== null ? shown.answer.results.summary : ""}
      </div>
      {isPending && partial !== null && partial.answer.results.chunks.length > 0 ? (
        <AnswerView key={partial.id} projectId={projectId} asked={partial} isPending />
      ) : isPending ? (
        <Skeleton lines={5} />
      ) : error !== null ? (
        <FaultNotice error={error} />
      ) : shown === null ? (
        <EmptyState title="Ask in your own words">
          The answer quotes your documents and shows the passages that support it.
        </EmptyState>
      ) : (
        <AnswerView key={shown.id} projectId={projectId} asked={shown} />
      )}
      <HistoryList
        asked={asked}
        shownId={shown?.id ?? null}
        onShow={(earlier) => {
          show(earlier.id);
          setForm(({ version }) => ({ question: earlier.question, version: version + 1 }));
          window.scrollTo({ top: 0 });
        }}
      />
    </div>
  );
}
