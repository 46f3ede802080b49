/** Finds the words of a chunk that a fact rests on. */
import type { Span } from "../../../../domain/graph.ts";
import { type ExtractedChunk, type FoundName, sentenceAt } from "./find-names.ts";
import { findQuote } from "./find-quote.ts";

const MAX_PLACES = 20;
/** Fewer words may stand anywhere: they are evidence beside one of the names only. */
const TELLING_WORDS = 4;

/**
 * The sentence that has the quote, best one that has one of the ends as well; offsets into the document. null where the quote
 * does not stand in the chunk word for word, or is a few words beside neither end.
 */
export function findEvidence(
  quote: string,
  { chunk, ends }: { readonly chunk: ExtractedChunk; readonly ends: readonly FoundName[] },
): Span | null {
  const { text, start, sentences } = chunk;
  const named = new Set(ends.flatMap(({ places }) => places.map((place) => sentenceAt(sentences, place))));
  const places = findQuote(text, quote, MAX_PLACES)
    .map((place) => ({ start: start + place.start, end: start + place.end }))
    .map((place) => ({ place, sentence: sentenceAt(sentences, place) }));
  const isTelling = quote.trim().split(/\s+/).length >= TELLING_WORDS;
  const found = places.find(({ sentence }) => named.has(sentence)) ?? (isTelling ? places[0] : undefined);
  if (found === undefined) return null;
  const sentence = sentences[found.sentence];
  return sentence !== undefined && sentence.end >= found.place.end ? { ...sentence } : found.place;
}
