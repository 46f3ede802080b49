/** Finds the words of a chunk that a fact rests on. */
import type { Span } from "../../../../domain/graph.ts";
import { type ExtractedChunk, type FoundName, sentenceAt } from "./find-names.ts";
import { findQuote } from "./find-quote.ts";

const MAX_PLACES = 20;
/** Fewer words may stand anywhere: they are evidence beside one of the names only. */
const TELLING_WORDS = 4;

/**
 * The sentence that has the quote, of several the one that has most of the ends as well; offsets into the document. null where the quote
 * does not stand in the chunk word for word, or is a few words beside neither end.
 */
export function findEvidence(
  quote: string,
  { chunk, ends }: { readonly chunk: ExtractedChunk; readonly ends: readonly FoundName[] },
): Span | null {
  const { text, start, sentences } = chunk;
  const named = ends.map(({ places }) => new Set(places.map((place) => sentenceAt(sentences, place))));
  const places = findQuote(text, quote, MAX_PLACES)
    .map((place) => ({ start: start + place.start, end: start + place.end }))
    .map((place) => ({ place, sentence: sentenceAt(sentences, place) }))
    .map((one) => ({ ...one, beside: named.filter((its) => its.has(one.sentence)).length }));
  const isTelling = quote.trim().split(/\s+/).length >= TELLING_WORDS;
  const [found] = places
    .filter(({ beside }) => isTelling || beside > 0)
    .sort((one, other) => other.beside - one.beside);
  if (found === undefined) return null;
  const sentence = sentences[found.sentence];
  return sentence !== undefined && sentence.end >= found.place.end ? { ...sentence } : found.place;
}
