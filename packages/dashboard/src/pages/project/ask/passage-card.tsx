import type { QueryChunk } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { headingMarks, type Range } from "../../../components/heading-marks.ts";
import { cellText, type TextBlock, textBlocks, wholeRows } from "../../../components/table-rows.ts";
import { TableView } from "../../../components/table-view.tsx";
import { relevanceOf, relevanceWords } from "./answer-words.ts";
import { fromAnswer } from "./chunk-link.tsx";
import { HeadlessTable } from "./headless-table.tsx";
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
  const blocks = useMemo(() => textBlocks(text), [text]);
  const shown = isWhole ? { start: 0, end: text.length } : wholeRows(excerptOf(text, ranges, title), blocks);
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
      <div className={styles.quote} dir="auto">
        {isCut && "… "}
        {blocks
          .filter(({ start, end }) => start < shown.end && end > shown.start)
          .map((block) => (
            <Block key={block.start} {...{ projectId, chunk, block, shown, marks }} />
          ))}
        {shown.end < text.length && " …"}
      </div>
      {(isWhole || isCut || shown.end < text.length) && (
        <button type="button" className={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show the whole passage"}
          <span className="visually-hidden"> {number}</span>
        </button>
      )}
    </>
  );
}

/** What is shown of it. A table has the names of its columns also where it begins before. */
function Block({
  projectId,
  chunk,
  block,
  shown,
  marks,
}: {
  readonly projectId: string;
  readonly chunk: QueryChunk;
  readonly block: TextBlock;
  readonly shown: Range;
  readonly marks: PassageMarks;
}) {
  const { text, source_doc_id: title = "" } = chunk;
  const left = headingMarks(text, title);
  const partsOf = (place: Range, words: (part: string) => string) =>
    passageParts(text, place, { ...marks, left }).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
      <Part key={at} part={{ ...part, text: words(part.text) }} />
    ));
  if (block.kind === "table") {
    const table = {
      rows: block.rows.filter(({ start, end }) => start >= shown.start && end <= shown.end),
      cell: (place: Range) => partsOf(place, cellText),
    };
    return block.head === null ? (
      <HeadlessTable projectId={projectId} chunk={chunk} at={block.start} {...table} />
    ) : (
      <TableView head={block.head} {...table} />
    );
  }
  const [start, end] = [Math.max(block.start, shown.start), Math.min(block.end, shown.end)];
  // The lines between a text and a table.
  const words = text.slice(start, end);
  const from = start > 0 ? start + words.length - words.trimStart().length : start;
  const to = Math.max(from, start + words.trimEnd().length);
  return partsOf({ start: from, end: to }, (part) => part);
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
