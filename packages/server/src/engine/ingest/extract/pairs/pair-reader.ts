/** Reads relationships between two names of a sentence from what the names may be and from the words around them. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import type { FoundEntity } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import { isUnsettled } from "../statements/modality.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { findUnsettledParts, overlaps } from "../statements/unsettled-parts.ts";
import { readWeights } from "../types/weights.ts";
import { createStateReader } from "../types/word-states.ts";
import { type DescribedPair, describePairs, PAIR_FEATURES, profilePairEdges } from "./pair-features.ts";
import type { PairModels } from "./pair-models.ts";
import { scorePair } from "./pair-weights.ts";
import { chooseNames, type ScoredSentence, type SentenceName, withWholeNames } from "./sentence-names.ts";
import { teachPairs } from "./taught-pairs.ts";

const MAX_WORDS = 4_000;
/** Least score of what may be proposed. */
const LEAST_SCORE = 0.15;
/** Cosine of a word beside the names to the words of an edge type, from which on it may tell the relation. */
const LEAST_SIMILAR = 0.35;

export interface PairReader {
  /** All pairs of a sentence whose types may fit. */
  describe(
    sentence: ScoredSentence,
    passage: Pick<Passage, "textOf" | "names">,
  ): Promise<readonly DescribedPair[]>;
  /** What these sentences of the passage likely state, the surest first. */
  read(passage: Passage, sentences: readonly ScoredSentence[]): Promise<readonly JoinedRelation[]>;
}

/** Made once for an ontology: embeds its types, and learns from its examples. */
export async function createPairReader(schema: OntologySchema, models: PairModels): Promise<PairReader> {
  const stem = createTriggerStem();
  const { vectors } = models;
  const { mean } = readWeights();
  const plain = await profilePairEdges(schema, models.embed);
  const { edges, centre } = await teachPairs(schema, { ...models, stem, edges: plain });
  const likeness = createRecentMap<string, readonly number[]>(MAX_WORDS);
  const context = { edges, vectors, stem, likeness, centre };

  async function describe(sentence: ScoredSentence, passage: Pick<Passage, "textOf" | "names">) {
    const { tokens, encoded, start: offset } = sentence;
    const names = chooseNames(passage, withWholeNames(sentence, passage.names, models.typer));
    if (names.length < 2) return [];
    const stateOf = createStateReader(tokens, { states: encoded, offset, mean });
    return await describePairs({ tokens, names, stateOf, reading: encoded.reading ?? null }, context);
  }

  return {
    describe,
    async read(passage, sentences) {
      const found: JoinedRelation[] = [];
      for (const sentence of sentences) {
        if (sentence.tokens.at(-1)?.text === "?") continue;
        await models.turn?.();
        const scored = (await describe(sentence, passage)).map((pair) => {
          const isTaught = (edges[pair.edge]?.taught.size ?? 0) > 0;
          return { pair, confidence: scorePair(pair.features, isTaught) };
        });
        const unsettled = findUnsettledParts(sentence.tokens);
        const sure = scored.filter(
          ({ pair, confidence }) =>
            confidence >= LEAST_SCORE && isSaid(pair) && !isDoubted(pair, sentence.tokens, unsettled),
        );
        for (const { pair, confidence } of choosePairs(sure, sentence.tokens))
          found.push(toRelation(pair, { schema, sentence: sentence.index, confidence }));
      }
      return found.sort((a, b) => b.confidence - a.confidence || a.sentence - b.sentence);
    },
  };
}

/** Whether a word beside the names tells the relation: whatever their types, "X saw Y" is no marriage. */
export function isSaid({ features }: DescribedPair): boolean {
  const feature = (name: (typeof PAIR_FEATURES)[number]) => features[PAIR_FEATURES.indexOf(name)] ?? 0;
  return (
    feature("similar") >= LEAST_SIMILAR ||
    feature("trigger") > 0 ||
    feature("taughtBetween") > 0 ||
    feature("taughtAfter") > 0
  );
}

const endsPart = ({ text }: TaggedToken) => /^[.;:,()–—]$/.test(text);

/** Of the part of the sentence that has both names, up to the marks around them; or one of them is told of in what others say. */
export function isDoubted(
  { source, target }: DescribedPair,
  tokens: readonly TaggedToken[],
  unsettled: Uint8Array,
): boolean {
  const [first, last] = [
    Math.min(source.mention.from, target.mention.from),
    Math.max(source.mention.to, target.mention.to),
  ];
  const from = tokens.slice(0, first).findLastIndex(endsPart) + 1;
  const to = tokens.slice(last).findIndex(endsPart);
  return (
    isUnsettled(tokens.slice(from, to < 0 ? tokens.length : last + to)) ||
    [source, target].some(({ mention }) => overlaps(unsettled, mention))
  );
}

export interface ScoredPair {
  readonly pair: DescribedPair;
  readonly confidence: number;
}

/** The surest first; another pair with one of its ends only if the other ends are listed together, and no second edge type between two names. */
export function choosePairs(
  scored: readonly ScoredPair[],
  tokens: readonly TaggedToken[],
): readonly ScoredPair[] {
  const kept: ScoredPair[] = [];
  for (const one of [...scored].sort((a, b) => b.confidence - a.confidence))
    if (!kept.some((other) => excludes(other.pair, one.pair, tokens))) kept.push(one);
  return kept;
}

function excludes(kept: DescribedPair, other: DescribedPair, tokens: readonly TaggedToken[]): boolean {
  const isSame = (a: SentenceName, b: SentenceName) => a.mention.from === b.mention.from;
  const sameSource = isSame(kept.source, other.source);
  const sameTarget = isSame(kept.target, other.target);
  if (sameSource && sameTarget) return true;
  if (isSame(kept.source, other.target) && isSame(kept.target, other.source)) return true;
  if (kept.edge !== other.edge) return false;
  return (
    (sameSource && !isListed(kept.target, other.target, tokens)) ||
    (sameTarget && !isListed(kept.source, other.source, tokens))
  );
}

function isListed(a: SentenceName, b: SentenceName, tokens: readonly TaggedToken[]): boolean {
  const [first, second] = a.mention.from < b.mention.from ? [a, b] : [b, a];
  const between = tokens.slice(first.mention.to, second.mention.from);
  return between.every(({ lower }) => /^(?:[,;&]|and|the|an?)$/.test(lower));
}

interface Found {
  readonly schema: OntologySchema;
  readonly sentence: number;
  readonly confidence: number;
}

function toRelation(pair: DescribedPair, { schema, sentence, confidence }: Found): JoinedRelation {
  const edge = schema.edgeTypes[pair.edge]!; // One of them.
  const toEnd = (
    { mention, name, key, logShares }: SentenceName,
    allowed: readonly string[],
  ): FoundEntity => {
    const types = schema.nodeTypes.map(({ name: type }, at) => ({ type, share: logShares[at] ?? 0 }));
    const [best] = types.filter(({ type }) => allowed.includes(type)).sort((a, b) => b.share - a.share);
    return { ...mention, name, key, sentence, type: best?.type ?? "", confidence };
  };
  const [source, target] = [toEnd(pair.source, edge.sourceTypes), toEnd(pair.target, edge.targetTypes)];
  const extractor = edge.examples.length > 0 ? "pair like examples" : "pair";
  return { type: edge.name, source, target, sentence, confidence, extractor };
}
