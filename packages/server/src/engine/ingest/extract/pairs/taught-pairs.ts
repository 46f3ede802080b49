/** Reads the examples of edge types: by which words they are told, and what the model that reads facts makes of their pairs. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { LowerText, ReadText } from "../learned/create-reading.ts";
import type { FactReading } from "../learned/fact-reading.ts";
import { isContentWord, type Stem } from "../relations/word-forms.ts";
import { centred, meanOf } from "../vectors.ts";
import type { PairEdge } from "./pair-features.ts";
import type { PairModels } from "./pair-models.ts";

export interface ExampleReading extends Pick<PairModels, "tag" | "encode" | "readText"> {
  readonly stem: Stem;
  readonly edges: readonly PairEdge[];
}

/** Of one edge type; further ones are not read. */
const MAX_EXAMPLES = 40;

export interface TaughtPairs {
  readonly edges: readonly PairEdge[];
  /** The mean vector of the examples' pairs. */
  readonly centre: Float32Array | null;
}

/** The edges with the words and pairs of their examples. */
export async function teachPairs(schema: OntologySchema, reading: ExampleReading): Promise<TaughtPairs> {
  const counts: Map<string, number>[] = [];
  const pairs: Float32Array[][] = [];
  for (const edge of schema.edgeTypes) {
    const words = new Map<string, number>();
    const own: Float32Array[] = [];
    for (const { source, target, text } of edge.examples.slice(0, MAX_EXAMPLES)) {
      if (text === null || source === null || target === null) continue;
      const read = await readExample(text, reading);
      const vector = read.pair(source, target);
      if (vector !== null) own.push(vector);
      for (const stem of read.stems([source, target])) words.set(stem, (words.get(stem) ?? 0) + 1);
    }
    counts.push(words);
    pairs.push(own);
  }
  const all = pairs.flat();
  const centre = all.length === 0 ? null : meanOf(all);
  const edges = reading.edges.map((edge, at) => ({
    ...edge,
    taught: weigh(counts[at] ?? new Map(), counts),
    shown: centre === null ? [] : (pairs[at] ?? []).map((vector) => centred(vector, centre)),
  }));
  return { edges, centre };
}

/** Often here, seldom elsewhere; a word of a single example counts less. */
function weigh(
  own: ReadonlyMap<string, number>,
  all: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, number> {
  return new Map(
    [...own].map(([stem, count]) => {
      const total = all.reduce((sum, other) => sum + (other.get(stem) ?? 0), 0);
      return [stem, (count / total) * (count / (count + 0.5))] as const;
    }),
  );
}

async function readLearned(text: LowerText, readText: ReadText | null): Promise<FactReading | null> {
  return readText === null ? null : readText(text, 0);
}

async function readExample(text: string, { tag, encode, stem, readText = null }: ExampleReading) {
  const tokens = tag(text, { start: 0, end: text.length });
  const encoded = await encode(text);
  const { lower } = encoded;
  const reading = lower === undefined ? null : await readLearned({ ...encoded, lower }, readText);
  return {
    pair(source: string, target: string): Float32Array | null {
      const [from, to] = [source, target].map((end) => ({
        start: text.indexOf(end),
        end: text.indexOf(end) + end.length,
      }));
      if (from === undefined || to === undefined || from.start < 0 || to.start < 0) return null;
      return reading?.pairOf(from, to)?.vector ?? null;
    },
    /** Of the words outside the ends. */
    stems(ends: readonly string[]): ReadonlySet<string> {
      const telling = tokens.filter(
        ({ text: word, tag: part, lemma }) =>
          /^(?:NOUN|VERB|ADJ|ADP)$/.test(part) &&
          isContentWord(lemma) &&
          !ends.some((end) => end.includes(word)),
      );
      return new Set(telling.map(({ lemma }) => stem(lemma)));
    },
  };
}
