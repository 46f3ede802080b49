import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { forgetAsked, keepAsked, useAskedQuestions } from "../../api/asked-questions.ts";
import { projectStatsQuery } from "../../api/projects.ts";
import { patient } from "../../app/patient-import.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { bodyOf, type Question, questionIn, readAskSearch, searchOf } from "./ask/ask-address.ts";
import { HistoryList } from "./ask/history-list.tsx";
import { QuestionForm } from "./ask/question-form.tsx";
import { forgetAnswer, useAnswer } from "./ask/use-answer.ts";
import styles from "./ask.module.css";

/** Loaded with the first answer. */
const AskedAnswer = lazy(
  patient(async () => ({ default: (await import("./ask/asked-answer.tsx")).AskedAnswer })),
);

const route = "/signed-in/projects/$projectId/ask";

/** The question, which the address has, too; its answer; and the earlier questions. */
export function AskPage() {
  const { projectId } = useParams({ from: route });
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/ask" });
  const asked = useAskedQuestions(projectId, readAskSearch);
  const question = questionIn(search);
  const isAsked = question.query !== "";
  const asking = useAnswer(projectId, bodyOf(question), isAsked);
  const address = JSON.stringify(searchOf(question));
  const answeredAt = asking.answer?.isComplete === true ? asking.answer.at : null;
  useEffect(() => {
    if (answeredAt !== null) keepAsked(projectId, JSON.parse(address), answeredAt);
  }, [answeredAt, projectId, address]);
  const queryClient = useQueryClient();
  const ask = (next: Question) => {
    const nextSearch = searchOf(next);
    if (JSON.stringify(nextSearch) === address) return asking.askAgain();
    // Somebody who asks wants what the documents say now; the list and the address show what was answered before.
    forgetAnswer(queryClient, projectId, bodyOf(next));
    void navigate({ search: nextSearch });
  };
  const earlier = asked.filter((one) => JSON.stringify(one.search) !== address);
  return (
    <div className={styles.page}>
      <QuestionForm
        key={address}
        projectId={projectId}
        isPending={asking.isPending}
        onStop={asking.stop}
        onAsk={ask}
        initial={question}
      />
      {isAsked ? (
        <Suspense fallback={<Skeleton />}>
          <AskedAnswer
            key={`${projectId} ${address}`}
            projectId={projectId}
            question={question}
            asking={asking}
            isCompared={search.compare === true}
            onCompare={(compare) =>
              void navigate({
                search: { ...searchOf(question), ...(compare && { compare }) },
                // The answer that is added comes into view.
                resetScroll: false,
              })
            }
          />
        </Suspense>
      ) : (
        <NothingAsked projectId={projectId} isNew={asked.length === 0} />
      )}
      <HistoryList projectId={projectId} asked={earlier} onForget={() => forgetAsked(projectId)} />
    </div>
  );
}

/** What to do first. */
function NothingAsked({ projectId, isNew }: { readonly projectId: string; readonly isNew: boolean }) {
  const { data: stats, isPending } = useQuery(projectStatsQuery(projectId));
  if (stats?.documents === 0)
    return (
      <EmptyState
        title="No document to ask yet"
        action={
          <ButtonLink to="/projects/$projectId/ingest" params={{ projectId }} variant="primary">
            Add texts
          </ButtonLink>
        }
      >
        Answers quote the documents of this project, and it has none.
      </EmptyState>
    );
  if (!isNew || isPending) return null;
  return (
    <EmptyState title="Ask in your own words">
      The answer quotes your documents and shows the passages that support it.
    </EmptyState>
  );
}
