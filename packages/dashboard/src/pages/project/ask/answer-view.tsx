import type { Query } from "@kcs/sdk";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Folded } from "../../../components/folded.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { AnswerFoot } from "./answer-foot.tsx";
import styles from "./answer-view.module.css";
import type { CitedPlace } from "./citations.ts";
import { EntityList } from "./entity-list.tsx";
import { HowFound } from "./how-found.tsx";
import { PassageList } from "./passage-list.tsx";
import { PathView } from "./path-view.tsx";
import { contentWords } from "./question-words.ts";
import { type AnswerRead, passagesOn, readAnswer, unsaidIn } from "./read-answer.ts";
import { RejectedNotice } from "./rejected-notice.tsx";
import { RelationshipList } from "./relationship-list.tsx";
import { Summary } from "./summary.tsx";
import type { Answer } from "./use-answer.ts";

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
  /** The button that asks in the way that puts several passages together, where the answer may be a part. */
  readonly stepByStep?: ReactNode;
  /** Half of the page's width: without what the graph says and how it was found. */
  readonly isNarrow?: boolean;
}) {
  const { result, isComplete } = answer;
  const { results } = result;
  const { chunks } = results;
  const said = useMemo(() => readAnswer(result, body.query), [result, body.query]);
  const { parts, paths } = said;
  const [chosen, choose] = useState<CitedPlace | null>(null);
  const passages = useRef<HTMLDivElement>(null);
  const show = (place: CitedPlace) => {
    // The sentence must be marked before the page scrolls to it.
    flushSync(() => choose(place));
    showPassage(passages.current, place.chunk);
  };
  const isAnswer = said.kind === "found" || said.kind === "perhaps";
  const isFound = isAnswer || said.kind === "unsure";
  const unsaid = unsaidIn(answer, said, body.query);
  const isPerhaps = said.kind === "perhaps" || unsaid.length > 0;
  const isAwaited = !isComplete && results.summary === "";
  const places = parts.flatMap((part) => part.places);
  const onPath = useMemo(() => passagesOn(paths, chunks), [paths, chunks]);
  return (
    <div className={styles.answer}>
      <section aria-label={title} className={styles.card}>
        {(isAwaited || isNarrow || isAnswer) && (
          <h2 className={styles.label}>
            {isPerhaps ? (isNarrow ? `${title}: ${perhaps.toLowerCase()}` : perhaps) : title}
          </h2>
        )}
        {isAwaited ? (
          <Skeleton lines={3} />
        ) : isAnswer ? (
          <Summary parts={parts} chosen={chosen} onShow={show} />
        ) : (
          <NoAnswer said={said} chosen={chosen} onShow={show} isPart={isNarrow} />
        )}
        <Unsaid things={unsaid} stepByStep={stepByStep} />
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
      {isFound && isComplete && (
        <RejectedNotice projectId={projectId} sentences={parts.map(({ text }) => text)} />
      )}
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

/** Says so where the sentences can answer a part of the question only. */
function Unsaid({
  things,
  stepByStep,
}: {
  readonly things: readonly string[];
  readonly stepByStep: ReactNode;
}) {
  if (things.length === 0) return null;
  return (
    <p className={styles.unsaid}>
      <span>
        This may be a part of the answer: it does not mention{" "}
        {things.map((thing) => `“${thing}”`).join(things.length === 2 ? " and " : ", ")}.
        {stepByStep !== undefined && " Several passages together may."}
      </span>
      {stepByStep}
    </p>
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

const perhaps = "Perhaps the answer";

const headings = {
  none: "No answer found",
  unsure: "Not sure: what comes nearest",
  unknown: "Not sure: what comes nearest",
  empty: "Nothing found",
  perhaps,
  found: "",
} as const;

/** Says it plainly. Sentences that do not answer are shown when the user asks for them, those that may answer at once. */
function NoAnswer({
  said: { kind, statement, parts },
  chosen,
  onShow,
  isPart,
}: {
  readonly said: AnswerRead;
  readonly chosen: CitedPlace | null;
  readonly onShow: (place: CitedPlace) => void;
  /** Under a heading of its own. */
  readonly isPart: boolean;
}) {
  const Heading = isPart ? "h3" : "h2";
  return (
    <div className={styles.none}>
      <Heading className={styles.noAnswer}>{headings[kind]}</Heading>
      <p className={styles.reason}>
        {kind === "empty"
          ? "No document has anything about it: add documents, or ask without a filter."
          : statement}
      </p>
      {parts.length > 0 &&
        (kind === "none" ? (
          <Folded title="The nearest sentences">
            <Summary parts={parts} chosen={chosen} onShow={onShow} />
          </Folded>
        ) : (
          <Summary parts={parts} chosen={chosen} onShow={onShow} />
        ))}
    </div>
  );
}
