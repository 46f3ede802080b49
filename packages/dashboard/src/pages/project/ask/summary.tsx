import { useMemo } from "react";
import { citedParts } from "./citations.ts";
import styles from "./summary.module.css";

/** The summary; each number in brackets leads to the passage that says so. */
export function Summary({
  text,
  chunks,
  onShow,
}: {
  readonly text: string;
  readonly chunks: readonly { readonly text: string }[];
  /** `place`: in the list of chunks, from 0. */
  readonly onShow: (place: number) => void;
}) {
  const parts = useMemo(() => citedParts(text, chunks), [text, chunks]);
  if (text === "") return <p className={styles.none}>The documents have nothing to say about it.</p>;
  return (
    <p className={styles.text}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, whose order never changes.
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
          {/\s*$/.exec(part.text)?.[0] || " "}
        </span>
      ))}
    </p>
  );
}

/** Sentences in a row that rest on the same passages have their numbers once, after the last. */
function isSame(one: readonly number[], next: readonly number[] | undefined): boolean {
  return next !== undefined && next.length > 0 && one.join() === next.join();
}
