/** Describes a pair of names for an edge type in numbers that mean the same in every ontology. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { RecentMap } from "../../../../domain/recent-map.ts";
import type { FactReading } from "../learned/fact-reading.ts";
import { type EdgeProfile, profileEdges, WORDED_EDGES } from "../relations/edge-profile.ts";
import { createTriggerStem, isContentWord, type Stem } from "../relations/word-forms.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import type { Embed } from "../vectors.ts";
import { centred, dot } from "../vectors.ts";
import { bestOfOthers, type FittingPair, fitsOf, type NamePair, typeName } from "./pair-fits.ts";
import { agentOf, isFirstTarget } from "./pair-order.ts";
import type { SentenceName } from "./sentence-names.ts";
import type { WordVectors } from "./word-vectors.ts";

export interface PairEdge {
  readonly profile: EdgeProfile;
  /** Both its ends may be of some type. */
  readonly joinsOneType: boolean;
  /** Vectors of its name and of its description. */
  readonly label: Float32Array;
  readonly description: Float32Array;
  /** Stem of a word of its examples → 0…1: found in these more than in those of other edge types. */
  readonly taught: ReadonlyMap<string, number>;
  /** Unit vectors of the pairs of its examples. */
  readonly shown: readonly Float32Array[];
}

export interface DescribedPair extends NamePair {
  /** In the order of `PAIR_FEATURES`. */
  readonly features: readonly number[];
}

export const PAIR_FEATURES = [
  "sourceShare",
  "targetShare",
  "sourceLead",
  "targetLead",
  "sourceNone",
  "targetNone",
  "sourceIsTerm",
  "targetIsTerm",
  "typesLead",
  "similar",
  "similarLead",
  "trigger",
  "tokens",
  "namesBetween",
  "stops",
  "commas",
  "names",
  "taughtBetween",
  "taughtAfter",
  "agent",
  "sourceAtPlace",
  "targetAtPlace",
  "gapLike",
  "gapLikeLead",
  "read",
  "shownLike",
] as const;

/** Words read on both sides of a pair. */
const REACH = 5;
const MOST_LOGIT = 6;
const DESCRIPTION_WEIGHT = 1.1;
/** What a word is like anything. */
const COMMON_LIKENESS = 0.3;
/** Of one sentence: of an ontology of thousands of edge types between the same types the rest is left out. */
const MAX_PAIRS = 12_000;

export async function profilePairEdges(schema: OntologySchema, embed: Embed): Promise<readonly PairEdge[]> {
  const edges: PairEdge[] = [];
  for (const [at, profile] of profileEdges(schema, createTriggerStem()).entries()) {
    const { edge, verbalised } = profile;
    const label = await embed(profile.label);
    const words = edge.description === "" ? verbalised : edge.description;
    const description = at < WORDED_EDGES ? await embed(words) : label;
    const targets = new Set(profile.targets);
    const joinsOneType = profile.sources.some((type) => targets.has(type));
    edges.push({ profile, joinsOneType, label, description, taught: new Map(), shown: [] });
  }
  return edges;
}

export interface PairSentence {
  readonly tokens: readonly TaggedToken[];
  readonly names: readonly SentenceName[];
  /** What the model makes of these words in their sentence: a unit vector, of no words zeros. */
  readonly stateOf: (range: TokenRange) => Float32Array;
  /** What the model reads in it; null or absent where none does. */
  readonly reading?: FactReading | null;
}

export interface PairContext {
  readonly edges: readonly PairEdge[];
  readonly vectors: WordVectors;
  /** Of words to the edge types. */
  readonly likeness: RecentMap<string, readonly number[]>;
  readonly stem: Stem;
  /** The mean vector of the examples' pairs; null without any. */
  readonly centre: Float32Array | null;
}

/** The pairs whose types may fit, for each edge type. */
export async function describePairs(
  { tokens, names, stateOf, reading }: PairSentence,
  context: PairContext,
): Promise<readonly DescribedPair[]> {
  const typed = names.map((name) => typeName(name, context.edges));
  const isName = new Uint8Array(tokens.length);
  for (const { mention } of typed) if (mention.kind !== "noun") isName.fill(1, mention.from, mention.to);
  const described: DescribedPair[] = [];
  for (const [at, first] of typed.entries()) {
    for (const second of typed.slice(at + 1)) {
      const fits = fitsOf([first, second], context.edges, MAX_PAIRS - described.length);
      if (fits.length === 0) continue;
      const between = stateOf({ from: first.mention.to, to: second.mention.from });
      const words = (from: number, to: number) =>
        tokens.slice(Math.max(0, from), to).filter((_, index) => isName[Math.max(0, from) + index] === 0);
      const place = {
        before: words(first.mention.from - REACH, first.mention.from),
        between: words(first.mention.to, second.mention.from),
        after: words(second.mention.to, second.mention.to + REACH),
        introduces: ({ mention }: SentenceName) => tokenBefore(tokens, mention.from),
        gap: tokens.slice(first.mention.to, second.mention.from),
        inner: typed.filter(
          ({ mention: { kind, from, to } }) =>
            kind !== "noun" && from >= first.mention.to && to <= second.mention.from,
        ).length,
        names: typed.filter(({ mention }) => mention.kind !== "noun").length,
        ...gapLikeness(between, context.edges),
      };
      const said = await readWords(place, context);
      const isList = place.gap.every(({ lower }) => /^(?:[,&]|and|or|the)$/.test(lower));
      const readings = new Map(
        [[first, second] as const, [second, first] as const].map(([source, target]) => [
          source,
          readPair(source, target, { reading, context }),
        ]),
      );
      for (const fit of fits) {
        const isSameKind = context.edges[fit.edge]?.joinsOneType === true;
        // "A and B" are one end.
        if (isList && (isSameKind || place.gap.some(({ lower }) => /^(?:and|or)$/.test(lower)))) continue;
        if (isSameKind && isTurned(fit, place, context)) continue;
        described.push({
          ...fit,
          features: [
            ...toRow(fit, { place, said, context }),
            ...(readings.get(fit.source)?.(fit.edge) ?? NOT_READ),
          ],
        });
      }
    }
  }
  return described;
}

const NOT_READ = [0, 0] as const;

/** By edge type: the logit that the model gives the relation, and how much the two are like those of an example. */
function readPair(
  source: SentenceName,
  target: SentenceName,
  { reading, context }: { readonly reading: FactReading | null | undefined; readonly context: PairContext },
): (edge: number) => readonly [number, number] {
  const read = reading?.pairOf(source.mention, target.mention) ?? null;
  if (read === null) return () => NOT_READ;
  const bounded = (value: number) => Math.max(-MOST_LOGIT, Math.min(MOST_LOGIT, value));
  const unit = context.centre === null ? null : centred(read.vector, context.centre);
  return (edge) => {
    const { shown } = context.edges[edge]!; // One of them.
    const like = unit === null ? 0 : shown.reduce((most, one) => Math.max(most, dot(unit, one)), 0);
    return [bounded(read.logits[edge] ?? 0), like];
  };
}

/** Of two things of a type the sentence tells which is the source: by "by", else by its voice. */
function isTurned(
  { source, target, edge }: NamePair,
  place: PairPlace,
  { edges, stem }: PairContext,
): boolean {
  const { profile } = edges[edge]!; // One of them.
  const agent = agentOf(profile, place.introduces(source), place.introduces(target));
  if (agent !== 0) return agent < 0;
  const [isFirstSource, second] =
    source.mention.from < target.mention.from ? [true, target] : [false, source];
  const names = { gap: place.gap, after: place.after, second: place.introduces(second) };
  return isFirstTarget(profile, names, stem) === isFirstSource;
}

interface PairPlace {
  readonly before: readonly TaggedToken[];
  readonly between: readonly TaggedToken[];
  readonly after: readonly TaggedToken[];
  readonly gap: readonly TaggedToken[];
  /** Right before a name, without its article. */
  introduces(name: SentenceName): TaggedToken | undefined;
  /** Names between, and in the sentence. */
  readonly inner: number;
  readonly names: number;
  /** By edge type: how near what is between is to its meaning, and how near to that of the nearest other one. */
  readonly gapLike: readonly number[];
  readonly gapLikeOther: (edge: number) => number;
}

function gapLikeness(between: Float32Array, edges: readonly PairEdge[]) {
  const gapLike = edges.map(({ description }) => dot(between, description));
  return { gapLike, gapLikeOther: bestOfOthers(gapLike) };
}

interface SaidWords {
  /** By edge type: the nearest word, and by how much one is nearer than to any other edge type. */
  readonly similar: readonly number[];
  readonly lead: readonly number[];
}

async function readWords(place: PairPlace, context: PairContext): Promise<SaidWords> {
  const { edges, vectors } = context;
  const words = [...place.between, ...place.before, ...place.after].filter(
    ({ tag, lemma }) =>
      /^(?:NOUN|VERB|ADJ)$/.test(tag) && isContentWord(lemma) && /^\p{L}{3,24}$/u.test(lemma),
  );
  const lemmas = new Set(words.map(({ lemma }) => lemma));
  await vectors.load(lemmas);
  const similar = edges.map(() => 0);
  const lead = edges.map(() => -1);
  for (const lemma of lemmas) {
    const like = context.likeness.getOrMake(lemma, () => likenessOf(vectors.find(lemma), edges));
    const least = edges.length === 1 ? COMMON_LIKENESS : COMMON_LIKENESS - 1;
    const otherOf = bestOfOthers(like);
    for (const [edge, own] of like.entries()) {
      const other = Math.max(least, otherOf(edge));
      similar[edge] = Math.max(similar[edge]!, own);
      lead[edge] = Math.max(lead[edge]!, own - other);
    }
  }
  return { similar, lead: lead.map((value) => Math.min(1, value)) };
}

/** Of a word to each edge type; empty for a word without a vector. */
function likenessOf(vector: Float32Array | null, edges: readonly PairEdge[]): readonly number[] {
  if (vector === null) return [];
  return edges.map(({ label, description }) =>
    Math.max(dot(vector, label), DESCRIPTION_WEIGHT * dot(vector, description)),
  );
}

function toRow(
  { source, target, edge, types }: FittingPair,
  {
    place,
    said,
    context,
  }: { readonly place: PairPlace; readonly said: SaidWords; readonly context: PairContext },
): readonly number[] {
  const { stem } = context;
  const { profile, taught } = context.edges[edge]!; // One of them.
  const best = (words: readonly TaggedToken[], weights: ReadonlyMap<string, number>) =>
    words.reduce(
      (most, { lemma, lower }) =>
        Math.max(most, weights.get(stem(lemma)) ?? 0, weights.get(stem(lower)) ?? 0),
      0,
    );
  const like = place.gapLike[edge] ?? 0;
  const count = (pattern: RegExp) => place.gap.filter(({ text }) => pattern.test(text)).length;
  return [
    ...types,
    said.similar[edge] ?? 0,
    said.lead[edge] ?? 0,
    best(place.between, profile.triggers),
    Math.min(20, place.gap.length) / 10,
    Math.min(4, place.inner),
    Math.min(2, count(/^[;:.?!]$/)),
    Math.min(3, count(/^,$/)),
    Math.min(6, place.names),
    best(place.between, taught),
    best(place.after, taught),
    agentOf(profile, place.introduces(source), place.introduces(target)),
    Number(isPlace(place.introduces(source))),
    Number(isPlace(place.introduces(target))),
    like,
    place.gapLike.length === 1 ? 0 : like - place.gapLikeOther(edge),
  ];
}

/** Over the words that belong to the name's phrase: "by its rival X". */
function tokenBefore(tokens: readonly TaggedToken[], from: number): TaggedToken | undefined {
  let at = from - 1;
  while (at > from - REACH && /^(?:DET|PRON|ADJ|NOUN)$|^["“]$/.test(tokens[at]?.tag ?? "")) at--;
  return tokens[at];
}

function isPlace(token: TaggedToken | undefined): boolean {
  return token?.tag === "ADP" && !/^(?:by|of|for|with)$/.test(token.lower);
}
