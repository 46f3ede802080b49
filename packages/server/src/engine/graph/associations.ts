/**
 * Associations: entities that are mentioned together in sentences, or in passages more often than chance would
 * have it. An entity that has none, but is mentioned more than once, is associated with the one that is mentioned
 * closest to it. No text states what the two have to do with each other, so they are no facts.
 */
import type { ChunkKey } from "../../domain/document.ts";
import type { Sentence, Span } from "../../domain/graph.ts";
import type { MentionedChunk } from "../../ports/graph-browser.ts";
import { createPace } from "../text/pace.ts";

/** Another entity that is mentioned in chunks of an entity. */
export interface Companion {
  readonly entityId: string;
  /** The first, by code point, of the names by which the chunks mention it. */
  readonly key: string;
  /** Number of chunks that mention both. */
  readonly chunks: number;
  /** Number of chunks in which one sentence mentions both. */
  readonly close: number;
  /** The smallest number of code units between their mentions. */
  readonly distance: number;
  /** Where both are mentioned, the closest mentions first; at most one place for each chunk, at most 3. */
  readonly places: readonly SharedPlace[];
}

/** From the first to the last sentence that mentions the two. */
export interface SharedPlace extends ChunkKey, Span {}

/** Numbers of chunks. */
export interface Occurrences {
  /** Chunks of the entity that were read. */
  readonly own: number;
  /** All chunks that mention the other. */
  readonly other: number;
  /** All chunks of the project. */
  readonly total: number;
}

/** Mentions this far apart, in code units, are close where the sentences of a chunk are not known. */
const CLOSE_DISTANCE = 150;
const MAX_PLACES = 3;
/** What a chunk counts that mentions both in different sentences. One sentence with both counts 1. */
const PASSAGE_WEIGHT = 0.5;
/** The log-likelihood ratio that two independent names exceed in one of 1,000 cases (χ², one degree of freedom). */
const SIGNIFICANT = 10.83;
const MIN_PASSAGES = 2;
/** Mentions that are compared with a name of the entity, or places that are listed, in a turn of the event loop: about two milliseconds. */
const WORK_PER_TURN = 2_000;

interface Pair {
  readonly own: Span;
  readonly other: Span;
  readonly distance: number;
}

/**
 * `sentencesOf` returns the sentences of a chunk in order, without overlaps; empty where they are not known. Gives the
 * event loop turns: hundreds of chunks full of names take tens of milliseconds together.
 */
export async function findCompanions(
  chunks: readonly MentionedChunk[],
  entityId: string,
  sentencesOf: (chunk: ChunkKey) => readonly Sentence[],
): Promise<readonly Companion[]> {
  const found = new Map<string, FoundPlace[]>();
  const keys = new Map<string, string>();
  const areParts = createPartCheck();
  const pace = createPace(WORK_PER_TURN);
  for (const chunk of chunks) {
    const sentences = sentencesOf(chunk);
    const own = ownMentions(chunk, entityId);
    await pace(chunk.mentions.length * own.length);
    noteFirstKeys(keys, chunk);
    for (const [otherId, pair] of closestPairs(chunk, { entityId, own, areParts })) {
      const place = placeOf(chunk, pair, sentences);
      const places = found.get(otherId) ?? [];
      found.set(otherId, places);
      if (!places.some((known) => isSame(known, place))) places.push(place);
    }
  }
  const companions: Companion[] = [];
  for (const [otherId, places] of found) {
    await pace(places.length);
    companions.push(companionOf(otherId, keys.get(otherId) ?? "", places));
  }
  return companions;
}

function companionOf(entityId: string, key: string, places: readonly FoundPlace[]): Companion {
  return {
    entityId,
    key,
    chunks: places.length,
    close: places.filter(({ isClose }) => isClose).length,
    distance: Math.min(...places.map(({ distance }) => distance)),
    places: places
      .toSorted((a, b) => Number(b.isClose) - Number(a.isClose) || a.distance - b.distance)
      .slice(0, MAX_PLACES)
      .map(({ versionId, position, start, end }) => ({ versionId, position, start, end })),
  };
}

/** By entity. */
function noteFirstKeys(keys: Map<string, string>, { mentions }: MentionedChunk): void {
  for (const { entityId, key } of mentions) {
    const known = keys.get(entityId);
    if (known === undefined || key < known) keys.set(entityId, key);
  }
}

/** The mentions of the entity by one name, in two orders. An entity has at most 64 names. */
interface OwnMentions {
  readonly key: string;
  readonly byStart: readonly Span[];
  readonly byEnd: readonly Span[];
}

function ownMentions({ mentions }: MentionedChunk, entityId: string): readonly OwnMentions[] {
  const own = mentions.filter((mention) => mention.entityId === entityId);
  return [...Map.groupBy(own, ({ key }) => key)].map(([key, byStart]) => ({
    key,
    byStart,
    byEnd: byStart.toSorted((a, b) => a.end - b.end),
  }));
}

/**
 * The mentions of each other entity and of the entity that are closest to each other, the first of equally close ones. Leaves
 * out those that overlap, and names that are a part of the other: they often denote the same thing. Each mention is looked up
 * among those of the entity, because a list of names has thousands of pairs.
 */
function closestPairs(
  { mentions }: MentionedChunk,
  input: {
    readonly entityId: string;
    readonly own: readonly OwnMentions[];
    readonly areParts: (one: string, other: string) => boolean;
  },
): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const other of mentions) {
    if (other.entityId === input.entityId) continue;
    for (const own of input.own) {
      if (input.areParts(own.key, other.key)) continue;
      const pair = closestPair(own, other);
      if (pair !== null && isCloser(pair, pairs.get(other.entityId))) pairs.set(other.entityId, pair);
    }
  }
  return pairs;
}

/** null where all mentions of the entity overlap the other one. */
function closestPair({ byStart, byEnd }: OwnMentions, other: Span): Pair | null {
  const after = byStart[firstPlace(byStart, ({ start }) => start >= other.end)];
  const last = byEnd[firstPlace(byEnd, ({ end }) => end > other.start) - 1];
  // Of those that end together, the first.
  const before = last && byEnd[firstPlace(byEnd, ({ end }) => end >= last.end)];
  const left = before && { own: before, other, distance: other.start - before.end };
  const right = after && { own: after, other, distance: after.start - other.end };
  if (left === undefined || right === undefined) return left ?? right ?? null;
  return left.distance <= right.distance ? left : right;
}

/** Of equally close mentions of the entity the first counts, of equally close mentions of another one, too. */
function isCloser(pair: Pair, known: Pair | undefined): boolean {
  if (known === undefined || pair.distance !== known.distance)
    return pair.distance < (known?.distance ?? Number.POSITIVE_INFINITY);
  return pair.other === known.other && (pair.own.start - known.own.start || pair.own.end - known.own.end) < 0;
}

/** The first place from which on the condition holds; the length of the list if it never does. Takes logarithmic time. */
function firstPlace<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = list[middle];
    if (item !== undefined && holds(item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Whether all words of one of two names are in the other one. Each pair is compared once. */
function createPartCheck(): (one: string, other: string) => boolean {
  const known = new Map<string, Map<string, boolean>>();
  return (one, other) => {
    const ofOne = known.get(one) ?? new Map<string, boolean>();
    known.set(one, ofOne);
    const before = ofOne.get(other);
    if (before !== undefined) return before;
    const [words, others] = [new Set(one.split(" ")), new Set(other.split(" "))];
    const areParts = words.isSubsetOf(others) || others.isSubsetOf(words);
    ofOne.set(other, areParts);
    return areParts;
  };
}

interface FoundPlace extends SharedPlace, Pair {
  readonly isClose: boolean;
}

function placeOf(chunk: ChunkKey, pair: Pair, sentences: readonly Sentence[]): FoundPlace {
  const [one, two] = [sentenceAround(pair.own, sentences), sentenceAround(pair.other, sentences)];
  const spans = [pair.own, pair.other, sentences[one] ?? pair.own, sentences[two] ?? pair.other];
  return {
    versionId: chunk.versionId,
    position: chunk.position,
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    ...pair,
    isClose: one < 0 || two < 0 ? pair.distance <= CLOSE_DISTANCE : one === two,
  };
}

/** The number of the sentence that contains the mention; -1 if none is known. */
function sentenceAround(mention: Span, sentences: readonly Sentence[]): number {
  const place = firstPlace(sentences, ({ end }) => end >= mention.end);
  const sentence = sentences[place];
  return sentence !== undefined && sentence.start <= mention.start ? place : -1;
}

/** Whether both are the same mentions, read from two chunks that overlap. */
function isSame(known: FoundPlace, place: FoundPlace): boolean {
  return (
    known.versionId === place.versionId &&
    known.own.start === place.own.start &&
    known.other.start === place.other.start
  );
}

/**
 * Those that share most sentences and chunks come first. Of equal ones the names decide, because the same texts have other ids after
 * another ingest.
 */
export function compareCompanions(a: Companion, b: Companion): number {
  const byNumbers = b.close - a.close || b.chunks - a.chunks || a.distance - b.distance;
  return byNumbers || compare(a.key, b.key) || compare(a.entityId, b.entityId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether the chunks mention the entity at least twice. */
export function isRepeated(chunks: readonly MentionedChunk[], entityId: string): boolean {
  // Chunks overlap: one mention can be in two.
  const own = chunks.flatMap(({ versionId, mentions }) =>
    mentions.filter((mention) => mention.entityId === entityId).map(({ start }) => `${versionId}/${start}`),
  );
  return new Set(own).size > 1;
}

/**
 * Whether the two are mentioned together: in a sentence, or in passages more often than one of 1,000 pairs of
 * independent names.
 */
export function isTogether({ chunks, close }: Companion, occurrences: Occurrences): boolean {
  if (close > 0) return true;
  return chunks >= MIN_PASSAGES && logLikelihoodRatio(chunks, occurrences) >= SIGNIFICANT;
}

/**
 * How strong the association is, 0…1. The log-likelihood ratio G² (Dunning 1993) of the chunks that mention both,
 * mapped by G² / (G² + 10.83): 0.5 is what chance exceeds in one of 1,000 cases. 0 for two that share a sentence but
 * are together no more often than chance would have it.
 */
export function strengthOf({ chunks, close }: Companion, occurrences: Occurrences): number {
  const ratio = logLikelihoodRatio(close + PASSAGE_WEIGHT * (chunks - close), occurrences);
  return ratio / (ratio + SIGNIFICANT);
}

/** 0 when both are together less often than two independent names. */
export function logLikelihoodRatio(together: number, { own, other, total }: Occurrences): number {
  // Counts are read one after the other and cut at limits, so they may contradict each other.
  const ofOther = Math.max(other, together);
  const all = Math.max(total, own + ofOther - together, 1);
  if (together * all <= own * ofOther) return 0;
  const cells = [
    [together, own, ofOther],
    [own - together, own, all - ofOther],
    [ofOther - together, all - own, ofOther],
    [all - own - ofOther + together, all - own, all - ofOther],
  ] as const;
  const sum = cells.reduce(
    (total, [count, row, column]) =>
      count <= 0 ? total : total + count * Math.log((count * all) / (row * column)),
    0,
  );
  return Math.max(0, 2 * sum);
}
