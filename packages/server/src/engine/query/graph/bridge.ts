/** Paths from passages near the question over a name that they mention to the passages that are about that name. */
import type { ChunkKey } from "../../../domain/document.ts";
import { compareScored, idOf, type ScoredChunk } from "./graph-reader.ts";
import { KIND_WEIGHTS, type NamedPassages, type NameLookup } from "./name-lookup.ts";
import type { Neighbourhood, Passage } from "./neighbourhood.ts";

/** A passage that paths begin at. */
export interface Seed {
  readonly passage: Passage;
  /** How near it is to the question, or how good the path that led to it was; at least 0. */
  readonly weight: number;
}

/** One step: a seed, a name in it, and a chunk that is about the name. */
export interface Path {
  readonly seed: Seed;
  readonly name: string;
  /** Index into the seed's sentences: the one that mentions the name and is nearest to the question. */
  readonly sentence: number;
  readonly target: string;
  /** The cosine of that sentence with the question, and with the rest of the question. */
  readonly nearness: number;
  readonly restNearness: number;
  /** 1/√ of how many documents are about the name, less where the target is about it in a weaker way. */
  readonly rarity: number;
  readonly score: number;
}

/** A name that so many documents are about says nothing about which of them is meant. */
const MAX_DOCUMENTS = 20;
const MAX_NAMES = 500;
/** Chunks that are scored because a path leads to them. */
const MAX_TARGETS = 200;
/** What a path is worth whose sentence has nothing to do with the question. */
const FLOOR = 0.2;

/**
 * The paths of all seeds, best first: weight of the seed · (0.2 + cosine of sentence and question) / √documents about the name.
 * Names of `closed` and those that the seed itself is about lead nowhere. Of the chunks of one document the one
 * with the best hybrid score is the target. Scores targets; two rounds of look-ups and one of scores.
 */
export async function findPaths({
  seeds,
  closed,
  lookup,
  neighbourhood,
}: {
  readonly seeds: readonly Seed[];
  readonly closed: ReadonlySet<string>;
  readonly lookup: NameLookup;
  readonly neighbourhood: Neighbourhood;
}): Promise<readonly Path[]> {
  const steps = seeds
    .flatMap((seed) => stepsOf(seed, closed))
    .sort((one, other) => other.weight - one.weight);
  const about = await lookup.find(firstNames(steps));
  const open = steps.flatMap((step) => {
    const named = about.get(step.name);
    return named === undefined || named.documents > MAX_DOCUMENTS ? [] : [{ step, named }];
  });
  const keys = open.flatMap(({ named }) => named.passages).slice(0, 4 * MAX_TARGETS);
  await neighbourhood.score(firstDistinct(keys, MAX_TARGETS));
  return open
    .flatMap(({ step, named }) => pathsOf(step, { named, neighbourhood }))
    .sort((one, other) => other.score - one.score);
}

interface Step {
  readonly seed: Seed;
  readonly name: string;
  readonly sentence: number;
  readonly nearness: number;
  readonly weight: number;
}

function stepsOf(seed: Seed, closed: ReadonlySet<string>): readonly Step[] {
  const { passage, weight } = seed;
  const own = new Set(passage.knowledge?.subjects.map(({ name }) => name));
  return [...passage.names].flatMap(([name, sentence]) => {
    if (closed.has(name) || own.has(name)) return [];
    const nearness = Math.max(0, passage.nearness.question[sentence] ?? 0);
    return [{ seed, name, sentence, nearness, weight: weight * (FLOOR + nearness) }];
  });
}

function firstNames(steps: readonly Step[]): readonly string[] {
  const names = new Set<string>();
  for (const { name } of steps) if (names.size < MAX_NAMES) names.add(name);
  return [...names];
}

function firstDistinct(keys: readonly ChunkKey[], limit: number): readonly ChunkKey[] {
  const distinct = new Map<string, ChunkKey>();
  for (const key of keys) if (distinct.size < limit) distinct.set(idOf(key), key);
  return [...distinct.values()];
}

function pathsOf(
  { seed, name, sentence, nearness, weight }: Step,
  { named, neighbourhood }: { readonly named: NamedPassages; readonly neighbourhood: Neighbourhood },
): readonly Path[] {
  const { documents } = named;
  const restNearness = Math.max(0, seed.passage.nearness.rest[sentence] ?? 0);
  return bestOfDocuments(named, neighbourhood).flatMap(({ id, kindWeight }) => {
    if (id === seed.passage.id) return [];
    const rarity = kindWeight / Math.sqrt(Math.max(1, documents));
    return [{ seed, name, sentence, target: id, nearness, restNearness, rarity, score: weight * rarity }];
  });
}

/** Of each document's chunks about a name the one with the best hybrid score; best first. */
export function bestOfDocuments(
  { passages }: NamedPassages,
  { scoreOf }: Pick<Neighbourhood, "scoreOf">,
): readonly { readonly id: string; readonly kindWeight: number }[] {
  const best = new Map<
    number,
    { readonly id: string; readonly kindWeight: number; readonly chunk: ScoredChunk }
  >();
  for (const passage of passages) {
    const id = idOf(passage);
    const chunk = scoreOf(id);
    if (chunk === undefined) continue;
    const known = best.get(passage.versionId);
    if (known === undefined || chunk.score > known.chunk.score)
      best.set(passage.versionId, { id, kindWeight: KIND_WEIGHTS[passage.kind], chunk });
  }
  return [...best.values()].sort((one, other) => compareScored(one.chunk, other.chunk));
}
