/** Finds paths from passages near the question, through a name in them, to the passages about that name. */
import type { ChunkKey } from "../../../domain/document.ts";
import { compareScored, idOf, type ScoredChunk } from "./graph-reader.ts";
import { KIND_WEIGHTS, type NamedPassages, type NameLookup } from "./name-lookup.ts";
import type { Neighbourhood, Passage } from "./neighbourhood.ts";

/** A passage where paths start. */
export interface Seed {
  readonly passage: Passage;
  /** Share of the best hybrid score, plus its weight as a passage about a linked name; at least 0. */
  readonly weight: number;
}

/** A seed, a name in it, and a chunk that is about the name. */
export interface Path {
  readonly seed: Seed;
  readonly name: string;
  /** Index into the seed's sentences: of those that mention the name, the nearest to the question. */
  readonly sentence: number;
  readonly target: string;
  /** The cosine of that sentence with the question, and with the question without its names; at least 0. */
  readonly nearness: number;
  readonly restNearness: number;
  /** 1/√(documents about the name), times the weight of the way in which the target is about it. */
  readonly rarity: number;
  readonly score: number;
}

/** A name that more documents are about does not identify one of them. */
const MAX_DOCUMENTS = 20;
const MAX_NAMES = 500;
/** Chunks that paths lead to and that are scored. */
const MAX_TARGETS = 200;
/** Added to each sentence's cosine, so that a path through an unrelated sentence still counts. */
const NEARNESS_FLOOR = 0.2;

/**
 * The paths of all seeds, best first. The score is weight of the seed · (0.2 + cosine of sentence and
 * question) · weight of the kind / √documents about the name. Names in `excluded` and names that the seed
 * itself is about are not followed. The target in each document is its chunk with the best hybrid score.
 * Scores the targets. Makes two rounds of look-ups and one of scores.
 */
export async function findPaths({
  seeds,
  excluded,
  lookup,
  neighbourhood,
}: {
  readonly seeds: readonly Seed[];
  readonly excluded: ReadonlySet<string>;
  readonly lookup: NameLookup;
  readonly neighbourhood: Neighbourhood;
}): Promise<readonly Path[]> {
  const steps = seeds
    .flatMap((seed) => stepsOf(seed, excluded))
    .sort((one, other) => other.weight - one.weight);
  const about = await lookup.find(firstNames(steps));
  const followed = steps.flatMap((step) => {
    const named = about.get(step.name);
    return named === undefined || named.documents > MAX_DOCUMENTS ? [] : [{ step, named }];
  });
  const keys = followed.flatMap(({ named }) => named.passages).slice(0, 4 * MAX_TARGETS);
  await neighbourhood.score(firstDistinct(keys, MAX_TARGETS));
  return followed
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

function stepsOf(seed: Seed, excluded: ReadonlySet<string>): readonly Step[] {
  const { passage, weight } = seed;
  const subjects = new Set(passage.knowledge?.subjects.map(({ name }) => name));
  return [...passage.names].flatMap(([name, sentence]) => {
    if (excluded.has(name) || subjects.has(name)) return [];
    const nearness = Math.max(0, passage.nearness.question[sentence] ?? 0);
    return [{ seed, name, sentence, nearness, weight: weight * (NEARNESS_FLOOR + nearness) }];
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

/** For each document, its chunk about the name with the best hybrid score; best first. */
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
