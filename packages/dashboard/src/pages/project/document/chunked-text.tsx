import { useEffect, useRef } from "react";
import styles from "./chunked-text.module.css";
import { type ChunkPlace, textRuns } from "./text-runs.ts";

/** The range of the chunks on the page. Text before the first and after the last chunk of a document is shown with them. */
export interface ShownChunks {
  readonly first: number;
  readonly after: number;
}

/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** A part of a text with shaded and numbered chunks. Scrolls to the marked place, or to the chosen chunk. */
export function ChunkedText({
  text,
  chunks,
  shown,
  chosen,
  marked,
}: {
  readonly text: string;
  readonly chunks: readonly ChunkPlace[];
  readonly shown: ShownChunks;
  /** The id of a chunk; null for none. */
  readonly chosen: string | null;
  /** A sentence; null for none. */
  readonly marked: TextPlace | null;
}) {
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is scrolled to changes with these.
  useEffect(() => {
    const place =
      body.current?.querySelector("[data-marked]") ?? body.current?.querySelector("[data-chosen]");
    place?.scrollIntoView({ block: "center" });
  }, [chosen, marked?.start, marked?.end]);
  const part = chunks.slice(shown.first, shown.after);
  const from = shown.first === 0 ? 0 : (part[0]?.start ?? 0);
  const to = shown.after >= chunks.length ? text.length : (part.at(-1)?.end ?? text.length);
  const chosenAt = part.findIndex(({ chunk_id: id }) => id === chosen);
  return (
    <div className={styles.text} ref={body} dir="auto">
      {textRuns(part, { from, to, marked }).map((run) => {
        const startingChunk = run.chunks.find((index) => part[index]?.start === run.start);
        const isChosen = run.chunks.includes(chosenAt);
        const isMarked = marked !== null && run.start >= marked.start && run.end <= marked.end;
        const Run = isMarked || (isChosen && marked === null) ? "mark" : "span";
        return (
          <Run
            key={run.start}
            className={
              isMarked ? styles.marked : isChosen && marked === null ? styles.chosen : shadeOf(run.chunks)
            }
            {...(isMarked ? { "data-marked": true } : {})}
            {...(isChosen ? { "data-chosen": true } : {})}
          >
            {startingChunk !== undefined && (
              <span className={styles.number}>{shown.first + startingChunk + 1}</span>
            )}
            {text.slice(run.start, run.end)}
          </Run>
        );
      })}
    </div>
  );
}

function shadeOf(chunks: readonly number[]): string | undefined {
  const [only] = chunks;
  if (only === undefined) return undefined;
  if (chunks.length > 1) return styles.shared;
  return only % 2 === 0 ? styles.even : styles.odd;
}
