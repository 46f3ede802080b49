/** Applies the graph ranking to one prepared search. */
import type { Question } from "../../../domain/query.ts";
import type { QuestionEmbedder } from "../../../ports/embedder.ts";
import type { GraphStore } from "../../../ports/graph-store.ts";
import type { PreparedSearch } from "../../index/search.ts";
import { createFilteredReader } from "./filtered-reader.ts";
import { type HybridScores, idOf } from "./graph-reader.ts";
import { type GraphRanking, rankByGraph } from "./rank.ts";
import { createGraphReader } from "./store-reader.ts";

/** Chunks of the hybrid search that the graph ranking starts from. */
const HYBRID_CANDIDATES = 100;

export interface RankSearchDeps {
  readonly graph: Pick<GraphStore, "findAbout" | "findByEnds" | "readPassages">;
  /**
   * The bundled model, which embeds the sentences of every graph, whatever space the project's chunks are in.
   */
  readonly embedder: QuestionEmbedder;
}

/** null when no name of the question is in the graph: the order of the hybrid search then stands. */
export async function rankSearchByGraph(
  { projectId, query, filter }: Question,
  input: { readonly search: PreparedSearch; readonly bundledVector: Float32Array },
  { graph, embedder }: RankSearchDeps,
): Promise<GraphRanking | null> {
  const { search, bundledVector } = input;
  const best = await search.estimate(HYBRID_CANDIDATES);
  const known = new Set(best.map(idOf));
  // Behind the others, so that the ranking of those is the same with and without them.
  const further = (await search.estimatePerDocument()).filter((chunk) => !known.has(idOf(chunk)));
  const scores: HybridScores = {
    best: [...best, ...further],
    scoresOf: (keys) => search.scoresOf(keys),
  };
  const reader = createGraphReader(graph, projectId);
  const ranking = await rankByGraph({
    text: query,
    vector: bundledVector,
    scores,
    reader: filter === null ? reader : createFilteredReader(reader, scores),
    embed: (text) => embedder.embed(text),
  });
  return ranking.linked.length === 0 ? null : ranking;
}
