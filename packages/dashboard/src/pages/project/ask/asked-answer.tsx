import { emptyAnswer } from "@kcs/sdk";
import { Columns2, RotateCw } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { useIsLost } from "../../../api/use-is-lost.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AnswerAge } from "./answer-age.tsx";
import { spokenAnswer } from "./answer-head.ts";
import viewStyles from "./answer-view.module.css";
import { AnswerView } from "./answer-view.tsx";
import { bodyOf, type Question } from "./ask-address.ts";
import styles from "./asked-answer.module.css";
import { CopyAnswer } from "./copy-answer.tsx";
import { FeedbackButtons } from "./feedback-buttons.tsx";
import { isOpen } from "./read-answer.ts";
import { type Answer, useAnswer } from "./use-answer.ts";
import { useAnswerRead } from "./use-answer-read.ts";

type Asking = ReturnType<typeof useAnswer>;

/** Before there is one. */
const noAnswer: Answer = { result: emptyAnswer, isComplete: false, milliseconds: 0, at: 0 };
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
  const body = bodyOf(question);
  const { button, added } = useFocusAfter(isCompared, compared.answer?.isComplete === true);
  const read = useAnswerRead(projectId, {
    ...{ title: "Answer", question: question.query },
    answer: answer ?? noAnswer,
  });
  /** Where one search did not plainly answer, the card offers the other way. */
  const isOffered =
    !isCompared &&
    question.mode === "static" &&
    answer?.isComplete === true &&
    (isOpen(read.said.kind, read.unsaid) || read.head.rejected.length > 0);
  const actions = answer?.isComplete === true && (
    <>
      {!isCompared && <FeedbackButtons projectId={projectId} question={question} answer={answer} />}
      <CopyAnswer {...{ projectId, question, answer, read }} />
      {!isOffered && (
        <Button ref={button} size="small" variant="quiet" onPress={() => onCompare(!isCompared)}>
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
        {isPending ? "Asking" : answer === null ? "" : spokenAnswer(read.head, read.said.text)}
      </div>
      <FaultNotice error={error} />
      {isCompared ? (
        <>
          <div className={styles.toolbar}>{actions}</div>
          <AnswerPair
            {...{ projectId, question, added }}
            asked={question.mode === "static" ? [asking, compared] : [compared, asking]}
          />
        </>
      ) : (
        <OneAnswer
          asking={asking}
          view={{
            ...{ projectId, body, title: "Answer", actions },
            ...(isOffered && {
              stepByStep: (
                <Button ref={button} size="small" onPress={() => onCompare(true)}>
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

/** Of one search, and step by step. */
function AnswerPair({
  projectId,
  question,
  asked,
  added,
}: {
  readonly projectId: string;
  readonly question: Question;
  readonly asked: readonly [ofOneSearch: Asking, stepByStep: Asking];
  /** The answer in the other mode than that of the question. */
  readonly added: RefObject<HTMLDivElement | null>;
}) {
  return (
    <div className={styles.pair}>
      {asked.map((one, at) => {
        const mode = at === 0 ? "static" : "dynamic";
        const own: Question = { ...question, mode };
        const actions = one.answer?.isComplete === true && (
          <FeedbackButtons projectId={projectId} question={own} answer={one.answer} />
        );
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is of fields.
          <div
            key={mode}
            ref={mode === question.mode ? null : added}
            role="group"
            aria-label={titles[mode]}
            className={styles.one}
            tabIndex={-1}
          >
            <OneAnswer
              asking={one}
              view={{ projectId, body: bodyOf(own), title: titles[mode], isNarrow: true, actions }}
            />
          </div>
        );
      })}
    </div>
  );
}

/**
 * The button that shows one answer or two is another one then, and keeps the focus. Where the two are one below the other, the answer that was
 * added comes into view and gets it.
 */
function useFocusAfter(isCompared: boolean, isAddedComplete: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const added = useRef<HTMLDivElement>(null);
  const before = useRef(isCompared);
  useEffect(() => {
    if (before.current === isCompared) return;
    before.current = isCompared;
    if (added.current !== null && isBelowOthers(added.current)) {
      added.current.focus({ preventScroll: true });
      added.current.scrollIntoView();
    } else button.current?.focus();
  }, [isCompared]);
  useEffect(() => {
    // Before, the page was too short to bring its beginning to the top.
    if (isAddedComplete && document.activeElement === added.current) added.current?.scrollIntoView();
  }, [isAddedComplete]);
  return { button, added };
}

function isBelowOthers(element: HTMLElement): boolean {
  const lefts = [...(element.parentElement?.children ?? [])].map((each) => each.getBoundingClientRect().left);
  return new Set(lefts).size === 1;
}

function OneAnswer({
  asking: { answer, isPending, error, askAgain },
  view,
}: {
  readonly asking: Asking;
  readonly view: Omit<Parameters<typeof AnswerView>[0], "answer">;
}) {
  const isLost = useIsLost();
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
          {isLost
            ? "The question is asked when the service can be reached again."
            : view.body.mode === "dynamic"
              ? "Following names from passage to passage …"
              : "Searching the documents …"}
        </p>
        {!isLost && <Skeleton lines={3} />}
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
