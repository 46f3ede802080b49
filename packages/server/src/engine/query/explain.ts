/** Builds the explanation of an answer from the results of its steps. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Explanation, FusedCandidate, ScoredCandidate } from "../../domain/explanation.ts";
import type { RankedChunk } from "../../domain/query.ts";
import type { PreparedSearch } from "../index/search.ts";
import type { GraphRanking } from "./graph/rank.ts";

/** The part of an explanation that must be read while the index is open. */
export interface SearchExplanation {
  readonly candidates: Explanation["candidates"];
  readonly fused: readonly FusedCandidate[];
  /** All ranked chunks, best first; the first of them were read. */
  readonly ordered: readonly ScoredCandidate[];
  /** Chunks that were ranked but could not be read any more. */
  readonly missing: readonly ScoredCandidate[];
  /** How many chunks of one document may be returned; null = any number. */
  readonly perDocument: number | null;
}

const MAX_LISTED = 100;

/**
 * Runs each retriever alone and both together: three searches more than the answer needs. `isComplete`:
 * whether `ordered` has all candidates. The graph ranking orders all of them, the hybrid search only as many
 * as are read, so that here the fused candidates follow them.
 */
export async function explainSearch(
  search: PreparedSearch,
  ranked: Pick<SearchExplanation, "ordered" | "missing" | "perDocument"> & { readonly isComplete: boolean },
): Promise<SearchExplanation> {
  const lexical = await search.candidatesOf("lexical", MAX_LISTED);
  const dense = await search.candidatesOf("dense", MAX_LISTED);
  const fused = await search.estimate(MAX_LISTED);
  return {
    candidates: { lexical, dense },
    fused,
    ordered: ranked.isComplete ? ranked.ordered : [...ranked.ordered, ...fused],
    missing: ranked.missing,
    perDocument: ranked.perDocument,
  };
}

export function explainAnswer(input: {
  readonly plan: Omit<Explanation["plan"], "names">;
  readonly search: SearchExplanation;
  readonly ranking: GraphRanking | null;
  readonly rerank: Explanation["rerank"] | null;
  readonly dated: Explanation["dated"] | null;
  readonly answer: Explanation["answer"] | null;
  /** The chunks that were read, best first. */
  readonly ranked: readonly RankedChunk[];
  /** How many of them the answer returns, and how many the summary reads. */
  readonly returned: number;
  readonly summarized: number;
  readonly timingsMs: Explanation["timingsMs"];
}): Explanation {
  const { search, ranking, ranked } = input;
  return {
    plan: { ...input.plan, names: (ranking?.linked ?? []).map(explainName) },
    candidates: search.candidates,
    fused: search.fused.slice(0, MAX_LISTED),
    graph: ranking === null ? null : explainPaths(ranking),
    ...(input.rerank ? { rerank: input.rerank } : {}),
    ...(input.dated ? { dated: input.dated } : {}),
    ...(input.answer ? { answer: input.answer } : {}),
    ranked: ranked.map(({ versionId, position, sourceDocId, similarity }, at) => ({
      versionId,
      position,
      sourceDocId,
      score: similarity,
      isReturned: at < input.returned,
      isSummarized: at < input.summarized,
    })),
    dropped: explainDropped(search, ranked),
    timingsMs: input.timingsMs,
  };
}

function explainName({
  name,
  start,
  end,
  about,
}: GraphRanking["linked"][number]): Explanation["plan"]["names"][number] {
  return { name, start, end, documents: about.documents };
}

function explainPaths({ linked, paths }: GraphRanking): NonNullable<Explanation["graph"]> {
  return {
    names: linked.map(({ name }) => name),
    paths: paths
      .map(({ seed, name, target, score }) => ({ from: seed, name, to: target, score }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MAX_LISTED),
  };
}

function explainDropped(
  { ordered, missing, perDocument }: SearchExplanation,
  ranked: readonly RankedChunk[],
): Explanation["dropped"] {
  const counts = Map.groupBy(ranked, ({ sourceDocId }) => sourceDocId);
  const isCrowded = ({ sourceDocId }: ScoredCandidate) =>
    perDocument !== null && (counts.get(sourceDocId)?.length ?? 0) >= perDocument;
  const accounted = new Set([...ranked, ...missing].map(keyOf));
  const beyondLimit = ordered.filter((chunk) => !accounted.has(keyOf(chunk)));
  return [
    ...missing.map((chunk) => ({ ...toCandidate(chunk), reason: "missing" as const })),
    ...beyondLimit.map((chunk) => ({
      ...toCandidate(chunk),
      reason: isCrowded(chunk) ? ("beyondDocumentLimit" as const) : ("beyondLimit" as const),
    })),
  ].slice(0, MAX_LISTED);
}

/** Without the other fields of the ranking, such as its feature vectors. */
function toCandidate({ versionId, position, sourceDocId, score }: ScoredCandidate): ScoredCandidate {
  return { versionId, position, sourceDocId, score };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
