import type { QueryChunk } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import type { Ref } from "react";
import styles from "./passage-list.module.css";
import { markWords } from "./question-words.ts";

/** Passages, best first, with number, score and document. The words of the question are highlighted. */
export function PassageList({
  projectId,
  chunks,
  words,
  ref,
}: {
  readonly projectId: string;
  readonly chunks: readonly QueryChunk[];
  readonly words: readonly string[];
  readonly ref: Ref<HTMLOListElement>;
}) {
  if (chunks.length === 0) {
    return <p className={styles.none}>Nothing was found: add documents, or ask without a filter.</p>;
  }
  return (
    <ol className={styles.passages} ref={ref}>
      {chunks.map((chunk, at) => (
        <li key={chunk.chunk_id ?? at} className={styles.passage} tabIndex={-1}>
          <div className={styles.head}>
            <span className={styles.number}>{at + 1}</span>
            <Source projectId={projectId} chunk={chunk} />
            <Score value={chunk.similarity} />
          </div>
          <p className={styles.quote}>
            {markWords(chunk.text, words).map(({ text, isMarked }, part) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
              isMarked ? <mark key={part}>{text}</mark> : text,
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Source({ projectId, chunk }: { readonly projectId: string; readonly chunk: QueryChunk }) {
  const { source_doc_id: id, chunk_id: chunkId } = chunk;
  if (id === undefined) return null;
  return (
    <Link
      to="/projects/$projectId/document"
      params={{ projectId }}
      search={{ id, ...(chunkId === undefined ? {} : { chunk: chunkId }) }}
      className={styles.source ?? ""}
    >
      {id}
    </Link>
  );
}

function Score({ value }: { readonly value: number }) {
  return (
    <span className={styles.score} title="How similar it is to the question, 0 to 1">
      <svg viewBox="0 0 48 4" className={styles.track} aria-hidden>
        <rect width={48 * value} height="4" className={styles.bar} />
      </svg>
      <span className="visually-hidden">Score </span>
      {value.toFixed(2)}
    </span>
  );
}
