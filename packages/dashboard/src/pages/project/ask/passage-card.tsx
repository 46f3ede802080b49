import type { QueryChunk } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { headingMarks, type Range } from "../../../components/heading-marks.ts";
import { relevanceOf, relevanceWords } from "./answer-words.ts";
import { fromAnswer } from "./chunk-link.tsx";
import styles from "./passage-card.module.css";
import { excerptOf, type PassagePart, passageParts } from "./passage-text.ts";
import { sourceOf } from "./source-of.ts";

export interface PassageMarks {
  /** Sentences that the answer quotes. */
  readonly cited: readonly Range[];
  /** The one that was opened last. */
  readonly chosen: Range | null;
  /** Words of the question. */
  readonly words: readonly string[];
}

/** A passage with its document. A long one is cut to what the answer quotes until it is opened. */
export function PassageCard({
  projectId,
  chunk,
  number,
  marks,
  isOnPath,
}: {
  readonly projectId: string;
  readonly chunk: QueryChunk;
  readonly number: number;
  readonly marks: PassageMarks;
  /** It was reached by relationships, so that how like the question it is says little. */
  readonly isOnPath: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const { text, source_doc_id: title = "" } = chunk;
  const isNear = marks.chosen === null || marks.cited[0] === marks.chosen;
  const ranges = isNear || marks.chosen === null ? marks.cited : [marks.chosen];
  const shown = isWhole ? { start: 0, end: text.length } : excerptOf(text, ranges, title);
  const isCut = text.slice(0, shown.start).trim() !== "" && text.slice(0, shown.start).trim() !== title;
  const relevance = isOnPath ? "high" : relevanceOf(chunk.similarity);
  return (
    <>
      <div className={styles.head}>
        <span className={styles.number}>{number}</span>
        <Source projectId={projectId} chunk={chunk} marked={marks.chosen ?? marks.cited[0] ?? null} />
        <span className={`${styles.relevance} ${styles[relevance]}`}>
          {isOnPath ? "On the path" : relevanceWords[relevance]}
        </span>
      </div>
      <p className={styles.quote} dir="auto">
        {isCut && "… "}
        {passageParts(text, shown, { ...marks, left: headingMarks(text, title) }).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
          <Part key={at} part={part} />
        ))}
        {shown.end < text.length && " …"}
      </p>
      {(isWhole || isCut || shown.end < text.length) && (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show the whole passage"}
          <span className="visually-hidden"> {number}</span>
        </button>
      )}
    </>
  );
}

function Part({ part: { text, kind, isWord } }: { readonly part: PassagePart }) {
  const drawn = isWord ? <strong className={styles.word}>{text}</strong> : text;
  return kind === "plain" ? drawn : <mark className={styles[kind]}>{drawn}</mark>;
}

/** The document, opened at the passage with the quoted sentence marked. */
function Source({
  projectId,
  chunk,
  marked,
}: {
  readonly projectId: string;
  readonly chunk: QueryChunk;
  readonly marked: Range | null;
}) {
  const { source_doc_id: id } = chunk;
  if (id === undefined) return null;
  return (
    <Link
      to="/projects/$projectId/document"
      state={fromAnswer}
      params={{ projectId }}
      search={sourceOf(chunk, marked)}
      className={styles.source ?? ""}
      dir="auto"
    >
      {id}
    </Link>
  );
}
