/** Encodes a chunk once, as it is embedded, and takes what belongs to each of its sentences out of it. */
import type { Span } from "../../../domain/graph.ts";
import type { EncodedSentence } from "./relations/relation-types.ts";
import { toUnit } from "./vectors.ts";

/**
 * A sentence's vector is the mean state of its tokens less this share of the chunk's, so that it says what is its own and not what all of
 * the chunk is about. Of 0, .3 and .5 the best with the ranking over names; docs/decisions/0031-one-encoding.md.
 */
const SHARED_MEANING = 0.5;

export interface EncodedChunk {
  /** Of the whole text. */
  readonly vector: Float32Array;
  /** The whole text. */
  readonly whole: EncodedSentence;
  /** In the order of the spans; the offsets of their tokens are into the sentence. */
  readonly sentences: readonly EncodedSentence[];
}

export interface EncodedPart {
  /** What is embedded of the chunk. */
  readonly text: string;
  /** Offsets into `text`, in order. */
  readonly sentences: readonly Span[];
}

/** One run of the model; another for each sentence that lies beyond what the model reads of the text. */
export async function encodeSentences(
  { text, sentences }: EncodedPart,
  encode: (text: string) => Promise<EncodedSentence>,
): Promise<EncodedChunk> {
  const whole = await encode(text);
  const meaning = meanState(whole);
  const read = whole.ends.at(-1) ?? 0;
  const encoded: EncodedSentence[] = [];
  for (const span of sentences) {
    const isRead = span.end <= read || text.slice(read).trim() === "";
    encoded.push(isRead ? cutSentence(whole, span, meaning) : await encode(text.slice(span.start, span.end)));
  }
  return { vector: whole.vector, whole, sentences: encoded };
}

function cutSentence(
  { vector, states, dimensions, starts, ends }: EncodedSentence,
  span: Span,
  meaning: Float32Array,
): EncodedSentence {
  const first = ends.findIndex((end) => end > span.start);
  const beyond = starts.findIndex((start) => start >= span.end);
  const from = first < 0 ? starts.length : first;
  const to = Math.max(from, beyond < 0 ? starts.length : beyond);
  const own = {
    dimensions,
    states: states.subarray(from * dimensions, to * dimensions),
    starts: starts.slice(from, to).map((start) => start - span.start),
    ends: ends.slice(from, to).map((end) => end - span.start),
  };
  const isAll = to - from === starts.length || to === from;
  return { ...own, vector: isAll ? vector : ownMeaning(meanState(own), meaning) };
}

function meanState({ states, dimensions, starts }: Omit<EncodedSentence, "vector">): Float32Array {
  const mean = new Float32Array(dimensions);
  const share = 1 / Math.max(1, starts.length);
  for (let at = 0; at < states.length; at += dimensions)
    for (let k = 0; k < dimensions; k++) mean[k] = mean[k]! + share * states[at + k]!;
  return mean;
}

/** Of unit length. */
function ownMeaning(mean: Float32Array, ofAll: Float32Array): Float32Array {
  return toUnit(mean.map((value, k) => value - SHARED_MEANING * ofAll[k]!));
}
