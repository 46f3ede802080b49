import { createHash } from "node:crypto";
import type { EmbeddingRequest } from "./request.ts";

const DEFAULT_DIMENSIONS = 64;

/**
 * A unit vector that is a function of the text alone: the sum of one pseudo-random vector for each of its words, so
 * that texts which share words are near each other.
 */
export function vectorOf(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    const coordinates = coordinatesOf(word, dimensions);
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + (coordinates[at] ?? 0);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const MAX_WORDS = 20_000;
const known = new Map<string, Float64Array>();

/** At least `dimensions` numbers from -1 to 1; each digest gives eight. */
function coordinatesOf(word: string, dimensions: number): Float64Array {
  const found = known.get(word);
  if (found !== undefined && found.length >= dimensions) return found;
  if (known.size >= MAX_WORDS) known.clear();
  const coordinates = new Float64Array(8 * Math.ceil(dimensions / 8));
  for (let block = 0; block < coordinates.length / 8; block++) {
    const digest = createHash("sha256").update(`${word} ${block}`).digest();
    for (let at = 0; at < 8; at++) coordinates[8 * block + at] = digest.readInt32LE(at * 4) / 2 ** 31;
  }
  known.set(word, coordinates);
  return coordinates;
}

/** The answer of `/embeddings`. */
export function presentEmbeddings(request: EmbeddingRequest): unknown {
  const dimensions = request.dimensions ?? DEFAULT_DIMENSIONS;
  const tokens = request.inputs.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return {
    object: "list",
    model: request.model,
    data: request.inputs.map((text, index) => {
      const vector = vectorOf(text, dimensions);
      const bytes = Buffer.from(Float32Array.from(vector).buffer);
      return { object: "embedding", index, embedding: request.isBase64 ? bytes.toString("base64") : vector };
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
