import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useKept } from "../../api/use-kept.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AnswerView } from "./ask/answer-view.tsx";
import { HistoryList } from "./ask/history-list.tsx";
import { type Question, QuestionForm } from "./ask/question-form.tsx";
import { useAsked } from "./ask/use-asked.ts";
import styles from "./ask.module.css";

const usual: Question = {
  ...{ query: "", mode: "static", topK: 10 },
  ...{ documents: [], conditions: [], isExplained: false },
};

/** A question, the answer with what it rests on, and what was asked before. */
export function AskPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { question = "" } = useSearch({ from: "/signed-in/projects/$projectId/ask" });
  const { asked, shown, isPending, error, ask, stop, show } = useAsked(projectId);
  const { value: last, change: keep } = useKept(["question", projectId], usual);
  const [form, setForm] = useState({
    question: question === "" ? last : { ...usual, query: question },
    version: 0,
  });
  return (
    <div className={styles.page}>
      <QuestionForm
        key={form.version}
        {...{ projectId, isPending, onStop: stop }}
        onAsk={(asking) => {
          keep(asking);
          ask(asking);
        }}
        initial={form.question}
      />
      <div role="status" className="visually-hidden">
        {isPending ? "Asking" : error === null && shown !== null ? shown.answer.results.summary : ""}
      </div>
      {isPending ? (
        <Skeleton lines={5} />
      ) : error !== null ? (
        <FaultNotice error={error} />
      ) : shown === null ? (
        <EmptyState title="Ask in your own words">
          The answer quotes your documents, and shows the passages it rests on.
        </EmptyState>
      ) : (
        <AnswerView key={shown.id} projectId={projectId} asked={shown} />
      )}
      <HistoryList
        asked={asked}
        shownId={shown?.id ?? null}
        onShow={(one) => {
          show(one.id);
          setForm(({ version }) => ({ question: one.question, version: version + 1 }));
          window.scrollTo({ top: 0 });
        }}
      />
    </div>
  );
}
