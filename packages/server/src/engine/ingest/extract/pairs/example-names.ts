/** Reads the examples of edge types: what their ends look like, and by which words they are told. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { LowerText, ReadText } from "../learned/create-reading.ts";
import type { FactReading } from "../learned/fact-reading.ts";
import { withFoundNames } from "../learned/found-names.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { isContentWord, type Stem } from "../relations/word-forms.ts";
import { centred, type PairEdge } from "./pair-features.ts";
import type { PairModels } from "./pair-models.ts";
import { chooseNames, type ScoredMentions, type SentenceName } from "./sentence-names.ts";
import { readStates } from "./sentence-states.ts";
import { createNameFeatures, learnTypes, type TaughtName, type TaughtTypes } from "./taught-types.ts";

export interface ExampleReading extends PairModels {
  readonly hear: (scored: ScoredMentions, names: readonly SentenceName[]) => Promise<readonly SentenceName[]>;
  readonly stem: Stem;
  /** What is taken off every state. */
  readonly mean: Float32Array;
  readonly edges: readonly PairEdge[];
}

/** Of one edge type; further ones are not read. */
const MAX_EXAMPLES = 40;

export interface TaughtPairs {
  readonly edges: readonly PairEdge[];
  readonly logits: TaughtTypes | null;
  /** The mean vector of the examples' pairs. */
  readonly centre: Float32Array | null;
}

/** The edges with the words of their examples; `logits` is null without examples. */
export async function teachPairs(schema: OntologySchema, reading: ExampleReading): Promise<TaughtPairs> {
  const names: TaughtName[] = [];
  const counts: Map<string, number>[] = [];
  const pairs: Float32Array[][] = [];
  const indexOf = (types: readonly string[]) => schema.nodeTypes.findIndex(({ name }) => name === types[0]);
  for (const edge of schema.edgeTypes) {
    const words = new Map<string, number>();
    const own: Float32Array[] = [];
    for (const { source, target, text } of edge.examples.slice(0, MAX_EXAMPLES)) {
      if (text === null || source === null || target === null) continue;
      const read = await readExample(text, reading);
      const vector = read.pair(source, target);
      if (vector !== null) own.push(vector);
      for (const stem of read.stems([source, target])) words.set(stem, (words.get(stem) ?? 0) + 1);
      names.push(
        ...read.named(source, indexOf(edge.sourceTypes)),
        ...read.named(target, indexOf(edge.targetTypes)),
      );
    }
    counts.push(words);
    pairs.push(own);
  }
  if (names.length === 0) return { edges: reading.edges, logits: null, centre: null };
  const centre = meanOf(pairs.flat());
  const edges = reading.edges.map((edge, at) => ({
    ...edge,
    taught: weigh(counts[at] ?? new Map(), counts),
    shown: centre === null ? [] : (pairs[at] ?? []).map((vector) => centred(vector, centre)),
  }));
  return { edges, logits: await learnTypes(names, schema.nodeTypes.length, reading.turn), centre };
}

function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  return first.map((_, k) => vectors.reduce((sum, vector) => sum + vector[k]!, 0) / vectors.length);
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

async function readExample(
  text: string,
  { tag, encode, typer, hear, stem, mean, readText = null }: ExampleReading,
) {
  const tokens = tag(text, { start: 0, end: text.length });
  const plain = await encode(text);
  const { lower } = plain;
  const reading = lower === undefined ? null : await readLearned({ ...plain, lower }, readText);
  const encoded = { ...plain, reading };
  const found = findEntityMentions(tokens);
  const mentions =
    reading === null
      ? found
      : withFoundNames({ start: 0, end: text.length, tokens, mentions: found }, reading);
  const scores = typer.score({ tokens, mentions, states: encoded, offset: 0 });
  const scored = { tokens, mentions, scores, whole: new Set<EntityMention>() };
  const passage = { textOf: ({ start, end }: { start: number; end: number }) => text.slice(start, end) };
  const names = await hear(scored, chooseNames(passage, scored));
  const featuresOf = createNameFeatures(readStates({ tokens, encoded, offset: 0 }, mean));
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
    named(end: string, type: number): readonly TaughtName[] {
      const wanted = plainForm(end);
      return names
        .filter(({ name }) => type >= 0 && plainForm(name).includes(wanted))
        .map(({ mention, name, logShares }) => ({
          type,
          features: featuresOf(mention, name),
          prior: logShares,
        }));
    },
  };
}

/** Between spaces, so that only whole words are found in it. */
function plainForm(name: string): string {
  return ` ${name
    .toLowerCase()
    .replace(/^the\s/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
