import { useMemo } from "react";
import { citedParts } from "./citations.ts";
import styles from "./summary.module.css";

/** The summary with citations: each number in brackets links to the passage that supports the text. */
export function Summary({
  text,
  chunks,
  onShow,
}: {
  readonly text: string;
  readonly chunks: readonly { readonly text: string }[];
  /** `place` is the position in the list of chunks, from 0. */
  readonly onShow: (place: number) => void;
}) {
  const parts = useMemo(() => citedParts(text, chunks), [text, chunks]);
  if (text === "") return <p className={styles.none}>The documents contain nothing about it.</p>;
  return (
    <p className={styles.text}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
        <span key={at}>
          {part.text.trimEnd()}
          {(isSame(part.chunks, parts[at + 1]?.chunks) ? [] : part.chunks).map((place) => (
            <button
              key={place}
              type="button"
              className={styles.citation}
              aria-label={`Passage ${place + 1}`}
              onClick={() => onShow(place)}
            >
              [{place + 1}]
            </button>
          ))}
          {part.text.slice(part.text.trimEnd().length) || " "}
        </span>
      ))}
    </p>
  );
}

/** Consecutive sentences with the same citations show them once, after the last sentence. */
function isSame(citations: readonly number[], next: readonly number[] | undefined): boolean {
  return next !== undefined && next.length > 0 && citations.join() === next.join();
}
