import type { QueryChunk } from "@kcs/sdk";
import type { Ref } from "react";
import { Folded } from "../../../components/folded.tsx";
import { relevanceOf } from "./answer-words.ts";
import type { CitedPlace } from "./citations.ts";
import { PassageCard, type PassageMarks } from "./passage-card.tsx";
import styles from "./passage-list.module.css";

/**
 * Passages, best first. Those that the answer does not quote and that are of little relevance are behind a line; `isFolded`: all
 * are.
 */
export function PassageList({
  projectId,
  chunks,
  places,
  chosen,
  words,
  onPath,
  isFolded = false,
  ref,
}: {
  readonly projectId: string;
  readonly chunks: readonly QueryChunk[];
  /** What the answer quotes. */
  readonly places: readonly CitedPlace[];
  readonly chosen: CitedPlace | null;
  readonly words: readonly string[];
  /** Those that a path of relationships to the answer goes over. */
  readonly onPath: ReadonlySet<number>;
  readonly isFolded?: boolean;
  readonly ref: Ref<HTMLDivElement>;
}) {
  if (chunks.length === 0) return null;
  const items = chunks.map((chunk, at) => {
    const cited = places.filter((place) => place.chunk === at);
    const isOnPath = onPath.has(at);
    const isMain = !isFolded && (cited.length > 0 || isOnPath || relevanceOf(chunk.similarity) !== "little");
    const marks: PassageMarks = { cited, chosen: chosen?.chunk === at ? chosen : null, words };
    const passage = (
      <li key={chunk.chunk_id ?? at} className={styles.passage} tabIndex={-1} data-place={at}>
        <PassageCard projectId={projectId} chunk={chunk} number={at + 1} marks={marks} isOnPath={isOnPath} />
      </li>
    );
    return { isMain, passage };
  });
  const main = items.filter(({ isMain }) => isMain).map(({ passage }) => passage);
  const others = items.filter(({ isMain }) => !isMain).map(({ passage }) => passage);
  return (
    <div ref={ref} className={styles.list}>
      {main.length > 0 && (
        <div className={styles.list}>
          <h2>Passages</h2>
          <ol className={styles.passages}>{main}</ol>
        </div>
      )}
      {others.length > 0 && (
        <Folded title={foldedTitle(others.length, isFolded)}>
          <ol className={`${styles.passages} ${styles.faint}`}>{others}</ol>
        </Folded>
      )}
    </div>
  );
}

function foldedTitle(count: number, areNearMisses: boolean): string {
  const passages = count === 1 ? "1 passage" : `${count} passages`;
  return areNearMisses ? `What comes nearest: ${passages}` : `${passages} of little relevance`;
}
