/** Hybrid search over the segments of one project. */
import type { ChunkKey } from "../../domain/document.ts";
import { type ChunkIdentity, compareIdentities, createIdentities, identityIn } from "./candidates.ts";
import { cosine } from "./cosine.ts";
import { findKeys } from "./find-keys.ts";
import { type FusionWeights, fuseScores, fusionWeights } from "./fusion.ts";
import { type IdentifiedId, keepPerDocument, type Pass, passUntilFilled } from "./per-document.ts";
import {
  type IndexSearch,
  paddedQuery,
  quantizeQuery,
  type SearchScan,
  scoreChunks,
  type WeightedScan,
  weighTerms,
} from "./scan.ts";

/** A search result with its exact scores. */
export interface Candidate extends ChunkIdentity {
  /** BM25; 0 if no term of the question occurs in the chunk. */
  readonly lexical: number;
  /** The cosine of the f32 vectors, −1…1. */
  readonly dense: number;
  /** The ranking score, 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** A search keeps this many chunks by estimated score for exact re-ranking, or twice the limit if that is more. */
const MIN_KEPT_CHUNKS = 20;
/**
 * Assumed maximum error of a cosine of int8 vectors; the largest in 15,000 pairs of the bundled model's
 * vectors was 0.002.
 */
const ESTIMATE_ERROR = 0.005;

/**
 * A chunk scored by its int8 vector. Like those of a {@link Candidate}, its scores are reproducible: the same
 * chunks give the same numbers.
 */
export interface EstimatedChunk extends ChunkIdentity {
  /** BM25 divided by its upper bound for the question's terms, 0…1. */
  readonly lexical: number;
  /** Cosine of the int8 vectors. */
  readonly dense: number;
  /** 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** A search whose term weights are computed. */
export interface PreparedSearch {
  /** See {@link searchIndex}. */
  best(): Promise<readonly Candidate[]>;
  /** The best `limit` (1…1,000) chunks by estimated cosine; ties by sourceDocId, position, versionId. */
  estimate(limit: number): Promise<readonly EstimatedChunk[]>;
  /** In the same order, as many chunks as the search's `limit` and no more of a document than `perDocument`. Empty without it. */
  estimatePerDocument(): Promise<readonly EstimatedChunk[]>;
  /**
   * The results of one retriever, with its own score: BM25 divided by its upper bound, or the cosine.
   * `limit` is 1…1,000.
   */
  candidatesOf(
    retriever: "lexical" | "dense",
    limit: number,
  ): Promise<readonly (ChunkIdentity & { readonly score: number })[]>;
  /** In the order of the keys; null for chunks that are not visible or that the filter excludes. */
  scoresOf(keys: readonly ChunkKey[]): Promise<readonly (EstimatedChunk | null)[]>;
}

/**
 * The best `limit` chunks, best first; ties by cosine, then sourceDocId (code units), position, versionId. With `perDocument`,
 * chunks behind the first ones of their document leave their places to others: see {@link passUntilFilled}.
 *
 * Every chunk that the filter allows gets its exact BM25 score and the cosine of the int8 vectors; those that
 * may be among the best are then re-ranked by the cosine of the f32 vectors. The same visible chunks give the
 * same list with bit-identical scores, however they are distributed over segments and whatever else is
 * hidden. Above `exactChunks` visible chunks, only likely chunks are scored (see {@link likelyChunks}); then
 * only recall is promised, not the identical list.
 *
 * Throws a RangeError if the vector does not match the index or is not finite, a DamagedSegmentError if
 * postings cannot be read, and whatever `visit` and `readVectors` throw.
 */
export async function searchIndex(search: IndexSearch): Promise<readonly Candidate[]> {
  return (await prepareSearch(search)).best();
}

/**
 * Computes the weights of the question's terms, which visits every segment once; each method of the result
 * visits the segments once more, with `perDocument` up to eight times.
 */
export async function prepareSearch(search: IndexSearch): Promise<PreparedSearch> {
  const { index } = search;
  const query = quantizeQuery(search);
  // A segment that is missing in the first pass stays excluded, even if another thread has loaded it by the
  // second.
  const scan: SearchScan = { search, query, allowed: index.hidden.map(() => "none") };
  const terms = await weighTerms(scan);
  const weighted: WeightedScan = { scan, terms, weights: fusionWeights(terms.ceiling) };
  const isEmpty = scan.allowed.every((mask) => mask === "none");
  return {
    best: async () => (isEmpty ? [] : findBest(weighted)),
    estimate: async (limit) => (isEmpty ? [] : estimateBest(weighted, limit)),
    estimatePerDocument: async () => (isEmpty ? [] : estimateBestPerDocument(weighted)),
    candidatesOf: async (retriever, limit) => (isEmpty ? [] : rankByRetriever(weighted, retriever, limit)),
    scoresOf: async (keys) => (isEmpty ? keys.map(() => null) : scoreKeys(weighted, keys)),
  };
}

async function findBest(weighted: WeightedScan): Promise<readonly Candidate[]> {
  const { scan, weights } = weighted;
  const { limit, perDocument = null, vector, readVectors } = scan.search;
  const { best, lexical } = await keepBest(weighted);
  const toRerank = selectForReranking(best, { limit, perDocument, weights });
  const vectors = await readVectors(toRerank.map(({ versionId, position }) => ({ versionId, position })));
  const ranked = toRerank
    .flatMap(({ id, versionId, position, sourceDocId }, place) => {
      const stored = vectors[place] ?? null;
      if (stored === null) return [];
      const found = { versionId, position, sourceDocId, lexical: lexical.get(id) ?? 0 };
      const dense = cosine(vector, stored);
      return [{ ...found, dense, score: fuseScores({ lexical: found.lexical, dense }, weights) }];
    })
    .sort(
      (one, other) => other.score - one.score || other.dense - one.dense || compareIdentities(one, other),
    );
  return keepPerDocument(ranked, perDocument).slice(0, limit);
}

interface KeptChunks extends Pass {
  readonly best: readonly IdentifiedId[];
}

/** The chunks that may be among the best by their exact scores, best estimate first: twice as many as the limits allow. */
async function keepBest(weighted: WeightedScan): Promise<KeptChunks> {
  const { limit, perDocument = null, index } = weighted.scan.search;
  const keepCount = Math.max(MIN_KEPT_CHUNKS, 2 * limit);
  if (perDocument !== null) {
    const { best, lexical } = await scorePerDocument(weighted, perDocument);
    return { best: keepPerDocument(best, 2 * perDocument).slice(0, keepCount), lexical };
  }
  const identities = createIdentities(index);
  const { best, lexical } = await scoreChunks(weighted, { identities, keepCount });
  return { best: best.map((chunk) => ({ ...chunk, ...identities.of(chunk.id) })), lexical };
}

function scorePerDocument(weighted: WeightedScan, perDocument: number): Promise<KeptChunks> {
  const { index, limit } = weighted.scan.search;
  const identities = createIdentities(index);
  return passUntilFilled((options) => scoreChunks(weighted, { ...options, identities }), {
    limit,
    perDocument,
    identities,
  });
}

async function estimateBest(weighted: WeightedScan, limit: number): Promise<readonly EstimatedChunk[]> {
  const identities = createIdentities(weighted.scan.search.index);
  const { best, lexical } = await scoreChunks(weighted, { identities, keepCount: limit });
  const identified = best.map((chunk) => ({ ...chunk, ...identities.of(chunk.id) }));
  return toEstimated({ best: identified, lexical }, weighted.weights);
}

async function estimateBestPerDocument(weighted: WeightedScan): Promise<readonly EstimatedChunk[]> {
  const { limit, perDocument = null } = weighted.scan.search;
  if (perDocument === null) return [];
  const { best, lexical } = await scorePerDocument(weighted, perDocument);
  const kept = keepPerDocument(best, perDocument).slice(0, limit);
  return toEstimated({ best: kept, lexical }, weighted.weights);
}

function toEstimated({ best, lexical }: KeptChunks, weights: FusionWeights): readonly EstimatedChunk[] {
  return best.map((chunk) => {
    const sum = weights.lexical * (lexical.get(chunk.id) ?? 0);
    return estimated(chunk, { sum, dense: (chunk.score - sum) / weights.dense }, weights);
  });
}

/** The lexical retriever returns only chunks that contain a term of the question. */
async function rankByRetriever(
  { scan, terms, weights }: WeightedScan,
  retriever: "lexical" | "dense",
  limit: number,
): Promise<readonly (ChunkIdentity & { readonly score: number })[]> {
  if (retriever === "lexical" && weights.lexical === 0) return [];
  const identities = createIdentities(scan.search.index);
  const retrieverWeights =
    retriever === "dense"
      ? { lexical: 0, dense: 1 }
      : { lexical: weights.lexical / (1 - weights.dense), dense: 0 };
  const { best } = await scoreChunks(
    { scan, terms, weights: retrieverWeights },
    { identities, keepCount: limit },
  );
  return best
    .filter(({ score }) => retriever === "dense" || score > 0)
    .map(({ id, score }) => {
      const { versionId, position, sourceDocId } = identities.of(id);
      return { versionId, position, sourceDocId, score };
    });
}

/** `sum` is the terms' contribution to the fused score. */
function estimated(
  { versionId, position, sourceDocId }: ChunkIdentity,
  { sum, dense }: { readonly sum: number; readonly dense: number },
  weights: FusionWeights,
): EstimatedChunk {
  return {
    versionId,
    position,
    sourceDocId,
    dense,
    lexical: weights.lexical === 0 ? 0 : sum / (1 - weights.dense),
    score: Math.min(1, Math.max(0, sum + weights.dense * dense)),
  };
}

async function scoreKeys(
  { scan, terms, weights }: WeightedScan,
  keys: readonly ChunkKey[],
): Promise<readonly (EstimatedChunk | null)[]> {
  const { index, kernels } = scan.search;
  const scored: (EstimatedChunk | null)[] = keys.map(() => null);
  await index.visit(
    (segment, place) => {
      const mask = scan.allowed[place] ?? null;
      if (mask === "none") return;
      const places = findKeys(segment, keys, mask);
      if (places.length === 0) return;
      kernels.setQuery(paddedQuery(scan.query, segment));
      kernels.accumulate(segment, terms.ofSegment(place), terms.saturation);
      const cosines = kernels.scoreRows(
        segment,
        places.map(({ ordinal }) => ordinal),
      );
      for (const [at, { key, ordinal }] of places.entries()) {
        const sum = weights.lexical * kernels.sumOf(ordinal);
        const dense = scan.query.scale * (cosines[at] ?? 0);
        scored[key] = estimated(identityIn(segment, ordinal), { sum, dense }, weights);
      }
    },
    (place) => scan.allowed[place] !== "none",
  );
  return scored;
}

/** The chunks whose exact score may be among the best `limit`, best estimate first. */
function selectForReranking(
  kept: readonly IdentifiedId[],
  {
    limit,
    perDocument,
    weights,
  }: { readonly limit: number; readonly perDocument: number | null; readonly weights: FusionWeights },
): readonly IdentifiedId[] {
  const worstScore = keepPerDocument(kept, perDocument).slice(0, limit).at(-1)?.score ?? 0;
  // The estimate of a top chunk may be too high, and that of a chunk below it too low.
  const threshold = worstScore - 2 * weights.dense * ESTIMATE_ERROR;
  return kept.filter(({ score }) => score >= threshold);
}
