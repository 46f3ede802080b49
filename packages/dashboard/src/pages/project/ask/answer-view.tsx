import type { Query } from "@kcs/sdk";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Folded } from "../../../components/folded.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AnswerFoot } from "./answer-foot.tsx";
import type { AnswerHead } from "./answer-head.ts";
import styles from "./answer-view.module.css";
import type { CitedPlace } from "./citations.ts";
import { EntityList } from "./entity-list.tsx";
import { HowFound } from "./how-found.tsx";
import { PassageList } from "./passage-list.tsx";
import { PathView } from "./path-view.tsx";
import { contentWords } from "./question-words.ts";
import { type AnswerRead, passagesOn } from "./read-answer.ts";
import { RejectedNotice } from "./rejected-notice.tsx";
import { RelationshipList } from "./relationship-list.tsx";
import { Summary } from "./summary.tsx";
import type { Answer } from "./use-answer.ts";
import { quotesAnswer, useAnswerRead } from "./use-answer-read.ts";

/** The answer first; then the passages that support it, what the graph says, and how it was found. */
export function AnswerView({
  projectId,
  body,
  answer,
  title,
  actions,
  stepByStep,
  isNarrow = false,
}: {
  readonly projectId: string;
  readonly body: Query;
  readonly answer: Answer;
  readonly title: string;
  /** What can be done with the answer. */
  readonly actions?: ReactNode;
  /** The button that asks in the way that puts several passages together, where this may not be the answer. */
  readonly stepByStep?: ReactNode;
  /** Half of the page's width: without what the graph says and how it was found. */
  readonly isNarrow?: boolean;
}) {
  const { result, isComplete } = answer;
  const { results } = result;
  const { chunks } = results;
  const { said, head, unsaid } = useAnswerRead(projectId, { title, question: body.query, answer });
  const { parts, paths } = said;
  const [chosen, choose] = useState<CitedPlace | null>(null);
  const passages = useRef<HTMLDivElement>(null);
  const show = (place: CitedPlace) => {
    // The sentence must be marked before the page scrolls to it.
    flushSync(() => choose(place));
    showPassage(passages.current, place.chunk);
  };
  const isFound = quotesAnswer(said.kind);
  const isAwaited = !isComplete && results.summary === "";
  const places = parts.flatMap((part) => part.places);
  const onPath = useMemo(() => passagesOn(paths, chunks), [paths, chunks]);
  return (
    <div className={`${styles.answer} ${isNarrow ? "" : styles.whole}`}>
      <section aria-label={title} className={styles.card}>
        <RejectedNotice projectId={projectId} rejected={head.rejected} />
        {(isAwaited || isNarrow || head.isPlain) && (
          <h2 className={styles.label}>{labelOf(title, head.isPlain ? head.heading : title, isNarrow)}</h2>
        )}
        {isAwaited ? (
          <Skeleton lines={3} />
        ) : head.isPlain ? (
          <Summary {...{ projectId, chunks, parts, chosen }} onShow={show} />
        ) : (
          <NoAnswer {...{ head, projectId, chunks, parts, chosen }} onShow={show} isPart={isNarrow} />
        )}
        {stepByStep !== undefined && <StepByStep>{stepByStep}</StepByStep>}
        {isFound && isComplete && (
          <PathView
            projectId={projectId}
            paths={paths}
            isAnswered={said.isReached && unsaid.length === 0}
            onShow={show}
          />
        )}
        {isComplete && <AnswerFoot answer={answer}>{actions}</AnswerFoot>}
      </section>
      <div className={isNarrow ? styles.column : styles.columns}>
        <PassageList
          ref={passages}
          projectId={projectId}
          chunks={chunks}
          places={isFound ? places : []}
          chosen={chosen}
          words={contentWords(body.query)}
          onPath={onPath}
          isFolded={!isFound}
        />
        {!isNarrow && isFound && (results.relationships.length > 0 || results.entities.length > 0) && (
          <aside className={styles.column} aria-label="From the graph">
            <RelationshipList projectId={projectId} results={results} query={body.query} />
            <EntityList projectId={projectId} results={results} query={body.query} />
          </aside>
        )}
      </div>
      {!isNarrow && isComplete && <HowFound projectId={projectId} body={body} answer={answer} />}
    </div>
  );
}

/** One search looks for passages that are like the question; what it asks of may be in another one, to which a name leads. */
function StepByStep({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.offer}>
      <span>
        Several passages together may say more: step by step follows the names from one to the next.
      </span>
      {children}
    </div>
  );
}

/** Opens the passage, also where it is folded. */
function showPassage(list: HTMLElement | null, place: number): void {
  const passage = list?.querySelector<HTMLElement>(`[data-place="${place}"]`);
  if (passage === null || passage === undefined) return;
  const folded = passage.closest("details");
  if (folded !== null) folded.open = true;
  passage.focus({ preventScroll: true });
  const mark = passage.querySelector("mark");
  (mark ?? passage).scrollIntoView({ block: "center" });
}

/** One of two beside each other keeps its name. */
function labelOf(title: string, heading: string, isNarrow: boolean): string {
  return isNarrow && heading !== title ? `${title}: ${heading.toLowerCase()}` : heading;
}

/** Says it plainly. Sentences that do not answer are shown when the user asks for them, those that may answer at once. */
function NoAnswer({
  head: { heading, reason, isFolded },
  projectId,
  chunks,
  parts,
  chosen,
  onShow,
  isPart,
}: {
  readonly projectId: string;
  readonly chunks: Answer["result"]["results"]["chunks"];
  readonly head: AnswerHead;
  readonly parts: AnswerRead["parts"];
  readonly chosen: CitedPlace | null;
  readonly onShow: (place: CitedPlace) => void;
  /** Under a heading of its own. */
  readonly isPart: boolean;
}) {
  const Heading = isPart ? "h3" : "h2";
  return (
    <div className={styles.none}>
      <Heading className={styles.noAnswer} dir="auto">
        {heading}
      </Heading>
      <p className={styles.reason}>{reason}</p>
      {parts.length > 0 &&
        (isFolded ? (
          <Folded title="The nearest sentences">
            <Summary {...{ projectId, chunks, parts, chosen }} onShow={onShow} />
          </Folded>
        ) : (
          <Summary {...{ projectId, chunks, parts, chosen }} onShow={onShow} />
        ))}
    </div>
  );
}
