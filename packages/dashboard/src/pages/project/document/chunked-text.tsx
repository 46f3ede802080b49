import { useEffect, useRef } from "react";
import styles from "./chunked-text.module.css";
import { type ChunkPlace, textRuns } from "./text-runs.ts";

/** The range of the chunks on the page. Text before the first and after the last chunk of a document is shown with them. */
export interface ShownChunks {
  readonly first: number;
  readonly after: number;
}

/** A part of a text with shaded and numbered chunks. Scrolls to the chosen chunk. */
export function ChunkedText({
  text,
  chunks,
  shown,
  chosen,
}: {
  readonly text: string;
  readonly chunks: readonly ChunkPlace[];
  readonly shown: ShownChunks;
  /** The id of a chunk; null for none. */
  readonly chosen: string | null;
}) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (chosen !== null) mark.current?.scrollIntoView({ block: "center" });
  }, [chosen]);
  const part = chunks.slice(shown.first, shown.after);
  const from = shown.first === 0 ? 0 : (part[0]?.start ?? 0);
  const to = shown.after >= chunks.length ? text.length : (part.at(-1)?.end ?? text.length);
  const chosenAt = part.findIndex(({ chunk_id: id }) => id === chosen);
  return (
    <div className={styles.text}>
      {textRuns(part, { from, to }).map((run) => {
        const startingChunk = run.chunks.find((index) => part[index]?.start === run.start);
        const Run = run.chunks.includes(chosenAt) ? "mark" : "span";
        return (
          <Run key={run.start} className={Run === "mark" ? styles.chosen : shadeOf(run.chunks)}>
            {startingChunk !== undefined && (
              <span className={styles.number} ref={startingChunk === chosenAt ? mark : null}>
                {shown.first + startingChunk + 1}
              </span>
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
