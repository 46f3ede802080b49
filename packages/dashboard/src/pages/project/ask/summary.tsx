import { Fragment } from "react";
import type { CitedPart, CitedPlace } from "./citations.ts";
import styles from "./summary.module.css";

/** A longer last word may be broken. */
const maxLastCharacters = 24;

/** The sentences of an answer, each with the numbers of the passages that support it. */
export function Summary({
  parts,
  chosen,
  onShow,
}: {
  readonly parts: readonly CitedPart[];
  /** The place that is marked in its passage. */
  readonly chosen: CitedPlace | null;
  readonly onShow: (place: CitedPlace) => void;
}) {
  return (
    <p className={styles.text} dir="auto">
      {parts.map(({ text, places }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
        <Fragment key={at}>
          <span className={places.some((place) => place === chosen) ? styles.chosen : undefined}>
            {beginningOf(text)}
            <span className={styles.last}>
              {text.trimEnd().slice(beginningOf(text).length)}
              {places.map((place) => (
                <button
                  key={place.chunk}
                  type="button"
                  className={styles.citation}
                  aria-label={`Passage ${place.chunk + 1}`}
                  aria-pressed={place === chosen}
                  onClick={() => onShow(place)}
                >
                  {place.chunk + 1}
                </button>
              ))}
            </span>
          </span>
          {text.slice(text.trimEnd().length) || " "}
        </Fragment>
      ))}
    </p>
  );
}

/** Up to the last word, which stays on one line with its citations. A text without blanks (Chinese, Japanese) is broken anywhere. */
function beginningOf(text: string): string {
  const trimmed = text.trimEnd();
  const last = trimmed.lastIndexOf(" ") + 1;
  return trimmed.length - last > maxLastCharacters ? trimmed : trimmed.slice(0, last);
}
