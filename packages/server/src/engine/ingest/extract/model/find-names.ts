/** Finds in a chunk the names that a model says are in it. */
import type { Sentence, Span } from "../../../../domain/graph.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { nameAt } from "../facts/found-entity.ts";
import { findQuote } from "./find-quote.ts";

/** A chunk as it was given to the model; offsets are into the document's text. */
export interface ExtractedChunk {
  readonly text: string;
  readonly start: number;
  /** Title and section that it stands under. */
  readonly header: string;
  readonly sentences: readonly Sentence[];
  /** How the document names what it is about; null where that is not known. */
  readonly documentSubject: string | null;
  /** A year, month or day; absent or null where it is not known. */
  readonly documentDate?: string | null;
}

export interface FoundName {
  /** As the text writes it. */
  readonly name: string;
  /** Normal form. */
  readonly key: string;
  /** Offsets into the document; none for a name that only the header has. */
  readonly places: readonly Span[];
}

const MAX_PLACES = 20;

/** null for what neither the chunk nor its header has word for word, and for what is no name. */
export function createNameFinder(chunk: ExtractedChunk): (written: string) => FoundName | null {
  const { text, start, header, documentSubject } = chunk;
  const known = new Map<string, FoundName | null>();
  const isHeading = (key: string, written: string) =>
    findQuote(header, written, 1).length > 0 ||
    (documentSubject !== null && normalizeName(documentSubject) === key);

  function find(written: string): FoundName | null {
    const named = nameAt({ textOf: () => written }, { start: 0, end: written.length });
    if (named === null) return null;
    const places = findQuote(text, written, MAX_PLACES).map((place) => ({
      start: start + place.start,
      end: start + place.end,
    }));
    return places.length > 0 || isHeading(named.key, written) ? { ...named, places } : null;
  }

  return (written) => {
    const before = known.get(written);
    if (before !== undefined) return before;
    const found = find(written);
    known.set(written, found);
    return found;
  };
}

/** Index of the sentence that the place begins in; -1 where it is in none. */
export function sentenceAt(sentences: readonly Sentence[], place: Span): number {
  return sentences.findIndex(({ start, end }) => start <= place.start && place.start < end);
}
