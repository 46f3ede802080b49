/**
 * Ranks passages by their hybrid scores and by the names that connect them to the question and to each other.
 */
import type { ChunkKey } from "../../../domain/document.ts";
import type { Span } from "../../../domain/graph.ts";
import { bestOfDocuments, findPaths, type Path, type Seed } from "./bridge.ts";
import { createFeatures, type Evidence, type FeatureVector, groupByTarget } from "./features.ts";
import {
  compareScored,
  type GraphReader,
  type HybridScores,
  idOf,
  type ScoredChunk,
} from "./graph-reader.ts";
import { confirmNames, focusOf, type LinkedName, linkMentioned, linkNames, restOfQuestion } from "./link.ts";
import { createNameLookup, KIND_WEIGHTS, type NameLookup } from "./name-lookup.ts";
import { createNeighbourhood, type Neighbourhood } from "./neighbourhood.ts";
import { rankByLinks } from "./page-rank.ts";
import { scoreFeatures } from "./score.ts";

export interface GraphQuestion {
  readonly text: string;
  /** Unit length. */
  readonly vector: Float32Array;
  readonly reader: GraphReader;
  readonly scores: HybridScores;
  /** Called at most once. */
  embed(text: string): Promise<Float32Array>;
}

export interface RankedPassage extends ScoredChunk {
  /** The score that orders the list, 0…1; the hybrid score when the question links no name. */
  readonly rank: number;
  /** null when the question links no name. */
  readonly features: FeatureVector | null;
}

/** A path for the answer: passage near the question → name in it → passage about the name. */
export interface RankedPath {
  readonly seed: ChunkKey;
  readonly name: string;
  /** The sentence of the seed that mentions the name; offsets into its document. */
  readonly sentence: Span;
  readonly target: ChunkKey;
  readonly score: number;
}

export interface GraphRanking {
  /** Best first. */
  readonly ranked: readonly RankedPassage[];
  readonly linked: readonly LinkedName[];
  /** Paths to the first 20 passages: at most three for each, best first. */
  readonly paths: readonly RankedPath[];
}

/** Records that are read: of the hybrid list, of passages about the question's names, of ends of paths. */
const READ_HYBRID = 40;
const READ_LINKED = 40;
const READ_TARGETS = 40;
/** Passages about the question's names that are scored. */
const MAX_LINKED = 200;
const SEEDS = 15;
/** Passages at the top of the hybrid list that can confirm an uncertain name. */
const CONFIRMING = 5;
/** Passages at the top of the hybrid list whose mentions confirm a name that no passage is about. */
const MENTIONING = 10;
const PASSAGES_WITH_PATHS = 20;
const PATHS_PER_PASSAGE = 3;

/**
 * Links the question's names, follows paths from the passages near it to the passages about the names in
 * them, and orders all of them by one learned score of their features ({@link scoreFeatures}). A question
 * that links no name gets the hybrid list unchanged. Only the neighbourhood of the question is read, in at
 * most nine batched calls, so the cost does not grow with the corpus.
 * @throws what the reader, the scores and `embed` throw
 */
export async function rankByGraph(question: GraphQuestion): Promise<GraphRanking> {
  const { text, reader, scores } = question;
  const lookup = createNameLookup(reader);
  const read = scores.best.slice(0, READ_HYBRID);
  const [found, records] = await Promise.all([linkNames(text, lookup), reader.readPassages(read)]);
  const near = new Set(read.slice(0, CONFIRMING).map(idOf));
  const mentioned = new Set(
    records.slice(0, MENTIONING).flatMap((record) => (record?.mentions ?? []).map(({ name }) => name)),
  );
  const linked = linkMentioned(text, confirmNames(found, near), mentioned);
  if (linked.length === 0) return { ranked: keepHybridOrder(scores.best), linked, paths: [] };
  const rest = restOfQuestion(text, linked);
  const neighbourhood = createNeighbourhood({
    reader,
    scores,
    vectors: {
      question: question.vector,
      rest: rest === text ? question.vector : await question.embed(rest),
    },
    records: new Map(read.map((chunk, at) => [idOf(chunk), records[at] ?? null])),
  });
  const { best } = scores;
  const evidence = await gatherEvidence({ best, linked, focus: focusOf(text), lookup, neighbourhood });
  return orderByFeatures({ best, linked, evidence, neighbourhood });
}

function keepHybridOrder(best: readonly ScoredChunk[]): readonly RankedPassage[] {
  return best.map((chunk) => ({ ...chunk, rank: chunk.score, features: null }));
}

interface EvidenceInput {
  readonly best: readonly ScoredChunk[];
  readonly linked: readonly LinkedName[];
  readonly focus: number;
  readonly lookup: NameLookup;
  readonly neighbourhood: Neighbourhood;
}

/** Reads the passages about linked names and at the ends of paths, and computes their PageRank. */
async function gatherEvidence(input: EvidenceInput): Promise<Evidence> {
  const { best, linked, focus, lookup, neighbourhood } = input;
  await neighbourhood.score(linked.flatMap(({ about }) => about.passages).slice(0, MAX_LINKED));
  const linkWeights = weighLinks(linked, neighbourhood);
  await neighbourhood.read([
    ...best.slice(0, READ_HYBRID),
    ...heaviest(linkWeights, neighbourhood).slice(0, READ_LINKED),
  ]);
  const top = best[0]?.score ?? 0;
  const seeds = chooseSeeds({ top, linkWeights, neighbourhood });
  const linkedNames = new Set(linked.map(({ name }) => name));
  const paths = await findPaths({ seeds, excluded: linkedNames, lookup, neighbourhood });
  await neighbourhood.read(targetsOf(paths, READ_TARGETS, neighbourhood));
  const restarts = new Map(
    [...neighbourhood.passages].map(([id, { scored }]) => [id, 0.05 * share(scored.score, top)]),
  );
  return {
    best: top,
    focus,
    linked: linkWeights,
    linkedNames,
    paths,
    pageRank: rankByLinks(neighbourhood.passages.values(), {
      passages: restarts,
      names: new Map(linked.map(({ name, about }) => [name, 1 / Math.sqrt(Math.max(1, about.documents))])),
    }),
  };
}

/** How much each passage is about a linked name: 1 for the only document about it, less if there are more. */
function weighLinks(
  linked: readonly LinkedName[],
  neighbourhood: Neighbourhood,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { about } of linked) {
    const form = (about.isSynonym ? 0.6 : 1) / Math.sqrt(Math.max(1, about.documents));
    const best = new Set(bestOfDocuments(about, neighbourhood).map(({ id }) => id));
    for (const passage of about.passages) {
      const id = idOf(passage);
      if (neighbourhood.scoreOf(id) === undefined) continue;
      const weight = form * KIND_WEIGHTS[passage.kind] * (best.has(id) ? 1 : 0.4);
      weights.set(id, Math.max(weight, weights.get(id) ?? 0));
    }
  }
  return weights;
}

/**
 * Documents about one name have equal weights. Their hybrid score breaks the tie, not the order of ingestion.
 */
function heaviest(weights: ReadonlyMap<string, number>, { scoreOf }: Neighbourhood): readonly ScoredChunk[] {
  return [...weights]
    .flatMap(([id, weight]) => {
      const chunk = scoreOf(id);
      return chunk === undefined ? [] : [{ chunk, weight }];
    })
    .sort((one, other) => other.weight - one.weight || compareScored(one.chunk, other.chunk))
    .map(({ chunk }) => chunk);
}

function chooseSeeds({
  top,
  linkWeights,
  neighbourhood,
}: {
  readonly top: number;
  readonly linkWeights: ReadonlyMap<string, number>;
  readonly neighbourhood: Neighbourhood;
}): readonly Seed[] {
  return [...neighbourhood.passages.values()]
    .map((passage) => ({
      passage,
      weight: share(passage.scored.score, top) + (linkWeights.get(passage.id) ?? 0),
    }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, SEEDS);
}

function share(score: number, top: number): number {
  return top > 0 ? score / top : 0;
}

function targetsOf(
  paths: readonly Path[],
  limit: number,
  { scoreOf }: Neighbourhood,
): readonly ScoredChunk[] {
  const targets = [...new Set(paths.map(({ target }) => target))].slice(0, limit);
  return targets.flatMap((id) => scoreOf(id) ?? []);
}

function orderByFeatures({
  best,
  linked,
  evidence,
  neighbourhood,
}: {
  readonly best: readonly ScoredChunk[];
  readonly linked: readonly LinkedName[];
  readonly evidence: Evidence;
  readonly neighbourhood: Neighbourhood;
}): GraphRanking {
  const features = createFeatures(evidence);
  const chunks = new Map(best.map((chunk) => [idOf(chunk), chunk]));
  for (const { id, scored } of neighbourhood.passages.values()) chunks.set(id, scored);
  const ranked = [...chunks]
    .map(([id, chunk]) => {
      const vector = features(chunk, neighbourhood.find(id));
      return { ...chunk, rank: scoreFeatures(vector), features: vector };
    })
    .sort(compareRanked);
  return { ranked, linked, paths: pathsTo(ranked.slice(0, PASSAGES_WITH_PATHS), evidence, neighbourhood) };
}

function compareRanked(one: RankedPassage, other: RankedPassage): number {
  return other.rank - one.rank || compareScored(one, other);
}

function pathsTo(
  ranked: readonly RankedPassage[],
  { paths }: Evidence,
  { scoreOf }: Neighbourhood,
): readonly RankedPath[] {
  const byTarget = groupByTarget(paths);
  return ranked.flatMap((passage) => {
    const own = (byTarget.get(idOf(passage)) ?? []).slice(0, PATHS_PER_PASSAGE);
    return own.flatMap(({ seed, name, sentence: at, target, score }) => {
      const chunk = scoreOf(target);
      const sentence = seed.passage.knowledge?.sentences[at];
      if (chunk === undefined || sentence === undefined) return [];
      return [{ seed: keyOf(seed.passage.scored), name, sentence, target: keyOf(chunk), score }];
    });
  });
}

function keyOf({ versionId, position }: ChunkKey): ChunkKey {
  return { versionId, position };
}
