import type { QueryChunk } from "@kcs/sdk";
import { Columns2, RotateCw } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { serviceUrl } from "../../../api/address.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AnswerAge } from "./answer-age.tsx";
import { markdownOf } from "./answer-markdown.ts";
import viewStyles from "./answer-view.module.css";
import { AnswerView } from "./answer-view.tsx";
import { bodyOf, type Question } from "./ask-address.ts";
import styles from "./asked-answer.module.css";
import type { CitedPlace } from "./citations.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { FeedbackButtons } from "./feedback-buttons.tsx";
import { type AnswerRead, isOpen, readAnswer, unsaidIn, unsaidStatement } from "./read-answer.ts";
import { curlOf, sdkOf } from "./request-code.ts";
import { sourceOf } from "./source-of.ts";
import { type Answer, useAnswer } from "./use-answer.ts";

type Asking = ReturnType<typeof useAnswer>;

const titles = { static: "One search", dynamic: "Step by step" } as const;
const waysToAsk = { static: "ask in one search", dynamic: "ask step by step" } as const;

/** The answer to a question, or what there is instead of it; beside the answer of the other mode if the user wants to compare. */
export function AskedAnswer({
  projectId,
  question,
  asking,
  isCompared,
  onCompare,
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly asking: Asking;
  readonly isCompared: boolean;
  readonly onCompare: (isCompared: boolean) => void;
}) {
  const other: Question = { ...question, mode: question.mode === "static" ? "dynamic" : "static" };
  const compared = useAnswer(projectId, bodyOf(other), isCompared);
  const { answer, isPending, error } = asking;
  const said = useMemo(
    () => (answer === null ? null : readAnswer(answer.result, question.query)),
    [answer, question.query],
  );
  const body = bodyOf(question);
  const comparing = useFocusAfter(isCompared);
  const unsaid = answer === null || said === null ? [] : unsaidIn(answer, said, question.query);
  /** Where one search did not plainly answer, the card offers the other way. */
  const isOffered =
    !isCompared &&
    question.mode === "static" &&
    answer?.isComplete === true &&
    said !== null &&
    isOpen(said.kind, unsaid);
  const actions = answer?.isComplete === true && said !== null && (
    <>
      {!isCompared && <FeedbackButtons projectId={projectId} question={question} answer={answer} />}
      <CopyMenu forms={formsOf(projectId, { question, answer, said, unsaid })} />
      {!isOffered && (
        <Button ref={comparing} size="small" variant="quiet" onPress={() => onCompare(!isCompared)}>
          <Columns2 aria-hidden size={14} />{" "}
          {isCompared ? "Show one answer" : `Also ${waysToAsk[other.mode]}`}
        </Button>
      )}
      <Button size="small" variant="quiet" onPress={asking.askAgain}>
        <RotateCw aria-hidden size={14} /> Ask again
      </Button>
    </>
  );
  return (
    <>
      <div role="status" className="visually-hidden">
        {isPending ? "Asking" : (answer?.result.results.summary ?? "")}
      </div>
      <FaultNotice error={error} />
      {isCompared ? (
        <>
          <div className={styles.toolbar}>{actions}</div>
          <div className={styles.pair}>
            {(question.mode === "static" ? [asking, compared] : [compared, asking]).map((one, at) => {
              const mode = at === 0 ? "static" : "dynamic";
              return (
                <OneAnswer
                  key={mode}
                  asking={one}
                  view={{
                    projectId,
                    body: bodyOf({ ...question, mode }),
                    title: titles[mode],
                    isNarrow: true,
                    actions: one.answer?.isComplete === true && (
                      <FeedbackButtons
                        projectId={projectId}
                        question={{ ...question, mode }}
                        answer={one.answer}
                      />
                    ),
                  }}
                />
              );
            })}
          </div>
        </>
      ) : (
        <OneAnswer
          asking={asking}
          view={{
            ...{ projectId, body, title: "Answer", actions },
            ...(isOffered && {
              stepByStep: (
                <Button ref={comparing} size="small" onPress={() => onCompare(true)}>
                  <Columns2 aria-hidden size={14} /> Ask step by step
                </Button>
              ),
            }),
          }}
        />
      )}
    </>
  );
}

/** The button that shows one answer or two is another one then, and keeps the focus. */
function useFocusAfter(isCompared: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(isCompared);
  useEffect(() => {
    if (before.current === isCompared) return;
    before.current = isCompared;
    button.current?.focus();
  }, [isCompared]);
  return button;
}

function OneAnswer({
  asking: { answer, isPending, error, askAgain },
  view,
}: {
  readonly asking: Asking;
  readonly view: Omit<Parameters<typeof AnswerView>[0], "answer">;
}) {
  if (answer !== null)
    return (
      <>
        {answer.isComplete && <AnswerAge projectId={view.projectId} answer={answer} onAskAgain={askAgain} />}
        <AnswerView {...view} answer={answer} />
      </>
    );
  if (isPending)
    return (
      // Neither the region nor the heading of an answer yet.
      <div className={viewStyles.card}>
        <p className={viewStyles.label}>{view.title}</p>
        <p className={viewStyles.waiting}>
          {view.body.mode === "dynamic"
            ? "Following names from passage to passage …"
            : "Searching the documents …"}
        </p>
        <Skeleton lines={3} />
      </div>
    );
  if (error !== null) return null;
  return (
    <Notice>
      <div className={styles.stopped}>
        Stopped before an answer was found.
        <Button size="small" onPress={askAgain}>
          Ask again
        </Button>
      </div>
    </Notice>
  );
}

function formsOf(
  projectId: string,
  {
    question,
    answer: { result },
    said: { kind, statement, parts },
    unsaid,
  }: {
    readonly question: Question;
    readonly answer: Answer;
    readonly said: AnswerRead;
    readonly unsaid: readonly string[];
  },
) {
  const { chunks } = result.results;
  const body = bodyOf(question);
  const request = { baseUrl: serviceUrl("").replace(/\/$/, ""), projectId, body };
  const answer = {
    ...{ query: question.query, chunks },
    statement: unsaid.length > 0 ? unsaidStatement(unsaid, question.query, chunks) : statement,
    parts: kind === "found" || kind === "perhaps" || kind === "unsure" ? parts : [],
    addressOf: (chunk: QueryChunk, place: CitedPlace) =>
      serviceUrl(`projects/${projectId}/document?${new URLSearchParams(sourceOf(chunk, place))}`),
  };
  return [
    { id: "markdown", label: "Answer as Markdown, with sources", text: () => markdownOf(answer) },
    { id: "link", label: "Link to this question", text: () => window.location.href },
    { id: "curl", label: "Question as curl", text: () => curlOf(request) },
    { id: "typescript", label: "Question as TypeScript", text: () => sdkOf(request) },
  ];
}
