/** Times and candidates of one question, for those who want to see how its answer came about. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Explanation, QueryStep, ScoredCandidate } from "../../domain/explanation.ts";
import type { EstimatedChunk, PreparedSearch } from "../index/search.ts";
import type { GraphRanking } from "./graph/rank.ts";

export interface QueryTrace {
  /** Adds the time that the work takes to the step's. */
  measure<T>(step: QueryStep, work: () => T | Promise<T>): Promise<T>;
  readonly timingsMs: () => Explanation["timingsMs"];
}

/** What the retrievers found. */
export interface TracedSearch {
  readonly candidates: Explanation["candidates"];
  readonly fused: readonly EstimatedChunk[];
  /** Everything that was ordered, best first; the first of them were read. */
  readonly ordered: readonly ScoredCandidate[];
  readonly gone: readonly ScoredCandidate[];
}

const MAX_LISTED = 100;

export function createTrace(now: () => number = () => performance.now()): QueryTrace {
  const began = now();
  const spent: Record<QueryStep, number> = {
    embed: 0,
    index: 0,
    search: 0,
    graph: 0,
    chunks: 0,
    answerGraph: 0,
    summary: 0,
  };
  return {
    async measure(step, work) {
      const start = now();
      try {
        return await work();
      } finally {
        spent[step] += now() - start;
      }
    },
    timingsMs: () => {
      const all = Object.entries({ ...spent, total: now() - began });
      // The entries of an object with these very keys.
      return Object.fromEntries(
        all.map(([step, ms]) => [step, Math.round(ms * 100) / 100]),
      ) as Explanation["timingsMs"];
    },
  };
}

/** Measures where there is a trace; else just does the work. */
export async function traced<T>(
  trace: QueryTrace | null,
  step: QueryStep,
  work: () => T | Promise<T>,
): Promise<T> {
  return trace === null ? work() : trace.measure(step, work);
}

/** Each retriever alone, and both together: searches that no answer needs. */
export async function traceRetrievers(
  search: PreparedSearch,
): Promise<Pick<TracedSearch, "candidates" | "fused">> {
  return {
    candidates: {
      lexical: await search.candidatesOf("lexical", MAX_LISTED),
      dense: await search.candidatesOf("dense", MAX_LISTED),
    },
    fused: await search.estimate(MAX_LISTED),
  };
}

/** Puts together what was found on the way. */
export function explain(input: {
  readonly plan: Omit<Explanation["plan"], "names">;
  readonly search: TracedSearch;
  readonly ranking: GraphRanking | null;
  /** Chunks that were read, best first. */
  readonly read: readonly (ChunkKey & { readonly sourceDocId: string; readonly similarity: number })[];
  readonly returned: number;
  readonly summarized: number;
  readonly timingsMs: Explanation["timingsMs"];
}): Explanation {
  const { search, ranking, read } = input;
  const known = new Set([...read, ...search.gone].map(keyOf));
  const behind = search.ordered.filter((chunk) => !known.has(keyOf(chunk)));
  return {
    plan: {
      ...input.plan,
      names: (ranking?.linked ?? []).map(({ name, start, end, about }) => ({
        ...{ name, start, end },
        documents: about.documents,
      })),
    },
    candidates: search.candidates,
    fused: search.fused.slice(0, MAX_LISTED),
    graph: ranking === null ? null : stepsOf(ranking),
    ranked: read.map(({ versionId, position, sourceDocId, similarity }, at) => ({
      ...{ versionId, position, sourceDocId },
      score: similarity,
      isReturned: at < input.returned,
      isSummarized: at < input.summarized,
    })),
    dropped: [
      ...search.gone.map((chunk) => ({ ...scoredOf(chunk), reason: "gone" as const })),
      ...behind.map((chunk) => ({ ...scoredOf(chunk), reason: "behind" as const })),
    ].slice(0, MAX_LISTED),
    timingsMs: input.timingsMs,
  };
}

function stepsOf({ linked, paths }: GraphRanking): NonNullable<Explanation["graph"]> {
  return {
    names: linked.map(({ name }) => name),
    paths: paths
      .map(({ seed, name, target, score }) => ({ from: seed, name, to: target, score }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MAX_LISTED),
  };
}

/** Nothing of what else the ranking knows of a chunk. */
function scoredOf({ versionId, position, sourceDocId, score }: ScoredCandidate): ScoredCandidate {
  return { versionId, position, sourceDocId, score };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
