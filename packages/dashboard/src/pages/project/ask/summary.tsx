import type { QueryChunk } from "@kcs/sdk";
import { Fragment } from "react";
import { rowOf } from "../../../components/table-rows.ts";
import { type QuotedPlace, QuotedText } from "../graph/quoted-text.tsx";
import type { CitedPart, CitedPlace } from "./citations.ts";
import styles from "./summary.module.css";

/** A longer last word may be broken. */
const maxLastCharacters = 24;

/** The sentences of an answer, each with the numbers of the passages that support it. */
export function Summary({
  projectId,
  chunks,
  parts,
  chosen,
  onShow,
}: {
  readonly projectId: string;
  /** To which the places refer. */
  readonly chunks: readonly QueryChunk[];
  readonly parts: readonly CitedPart[];
  /** The place that is marked in its passage. */
  readonly chosen: CitedPlace | null;
  readonly onShow: (place: CitedPlace) => void;
}) {
  const rows = parts.map((part) => bareRowOf(part, chunks));
  return (
    <p className={styles.text} dir="auto">
      {parts.map(({ text, places }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts of a text never changes.
        <Fragment key={at}>
          <span className={places.some((place) => place === chosen) ? styles.chosen : undefined}>
            {rows[at] === undefined ? (
              beginningOf(text)
            ) : (
              <QuotedText projectId={projectId} quote={rows[at]} />
            )}
            <span className={styles.last}>
              {rows[at] === undefined && text.trimEnd().slice(beginningOf(text).length)}
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

/** The row of a table that the service quotes without the names of its columns: the document may have them. */
function bareRowOf(
  { isBareRow, places: [place] }: CitedPart,
  chunks: readonly QueryChunk[],
): QuotedPlace | undefined {
  if (isBareRow !== true || place === undefined) return undefined;
  const { text = "", start, source_doc_id: id } = chunks[place.chunk] ?? {};
  if (start === undefined || id === undefined) return undefined;
  const row = text.slice(place.start, place.end);
  if (rowOf(row, { start: 0, end: row.length }) === null) return undefined;
  return { source_doc_id: id, start: start + place.start, text: row };
}

/** Up to the last word, which stays on one line with its citations. A text without blanks (Chinese, Japanese) is broken anywhere. */
function beginningOf(text: string): string {
  const trimmed = text.trimEnd();
  const last = trimmed.lastIndexOf(" ") + 1;
  return trimmed.length - last > maxLastCharacters ? trimmed : trimmed.slice(0, last);
}
