/** A question → terms and vector → candidates of both retrievers, fused → ranked by the graph where there is one → chunks → summary. */

import type { ChunkKey } from "../../domain/document.ts";
import { type EmbeddingSpace, isSameSpace } from "../../domain/embedding-space.ts";
import { errors } from "../../domain/errors.ts";
import type { Explanation } from "../../domain/explanation.ts";
import type { Answer, EmbeddedQuestion, Question, RankedChunk, VectorWanted } from "../../domain/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { IndexState, IndexStore, StoredChunk } from "../../ports/store.ts";
import type { SearchKernels } from "../index/kernels/search-kernels.ts";
import { type PreparedSearch, prepareSearch } from "../index/search.ts";
import { queryTerms } from "../text/terms.ts";
import { connectChunks } from "./connect-chunks.ts";
import type { EdgeTypeReader } from "./edge-types.ts";
import { createFilteredReader } from "./graph/filtered-reader.ts";
import type { HybridScores } from "./graph/graph-reader.ts";
import { type GraphRanking, rankByGraph } from "./graph/rank.ts";
import { createGraphReader } from "./graph/store-reader.ts";
import { type AnswerGraph, type AnswerGraphStore, readAnswerGraph } from "./graph-answer.ts";
import { addLevels, type LevelAnswer, type LevelAnswerStore } from "./levels/answer-levels.ts";
import type { LevelReader } from "./levels/level-reader.ts";
import { createNameRelevance, type NameRelevance } from "./name-relevance.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { composeSummary, scoreAnswer } from "./summarize.ts";
import {
  createTrace,
  explain,
  type QueryTrace,
  type TracedSearch,
  traced,
  traceRetrievers,
} from "./trace.ts";

export interface QueryDeps {
  readonly store: Pick<IndexStore, "readIndexState" | "readVectors" | "readChunks">;
  /** Asked only where a project keeps a graph. */
  readonly graph: Pick<GraphStore, "findAbout" | "findByEnds" | "readPassages"> &
    AnswerGraphStore &
    Omit<LevelAnswerStore, "readChunks">;
  /** The edge types of a schema that grows from the data. */
  readonly edgeTypes: EdgeTypeReader;
  /** What ontologies gather above the things that texts name. */
  readonly levels: LevelReader;
  readonly segments: SegmentReader;
  readonly kernels: SearchKernels;
  /** The bundled one. */
  readonly embedder: Embedder;
}

/** The summary looks at so many chunks, whatever `topK` asks for. */
const SUMMARY_CHUNKS = 10;
/** Chunks of the plain search that ranking by the graph begins with. */
const GRAPH_CANDIDATES = 100;
/** A chunk that a merge or a deletion took away meanwhile makes a query look again, so many times. */
const MAX_LOOKS = 5;

const NOTHING_INGESTED =
  "Nothing has been ingested into this project yet, so there is nothing to answer from.";

const NOTHING_ALLOWED = "No ingested document meets the filter, so there is nothing to answer from.";

const NOTHING_TO_QUOTE = "The passages that were found hold no sentence that could be quoted.";

/**
 * null when the project is gone or another account's: then nothing of it has been looked at. A project whose vectors are
 * neither the bundled model's nor of the space that the question was `embedded` in is not searched.
 */
export async function answerQuestion(
  question: Question,
  deps: QueryDeps,
  embedded: EmbeddedQuestion | null = null,
): Promise<Answer | VectorWanted | null> {
  const { projectId, accountId } = question;
  const trace = question.explain === true ? createTrace() : null;
  const vectors = createQuestionVectors(question.query, { ...deps, embedded, trace });
  const terms = queryTerms(question.query);
  for (let look = 1; ; look++) {
    const state = await traced(trace, "index", () => deps.store.readIndexState({ projectId, accountId }));
    if (state === null) return null;
    // Looked at each time: the project may have been moved to another space meanwhile.
    const vector = await vectors.in(state.space);
    if (vector === null) return { wanted: state.space };
    const asked = { vector, ownVector: vectors.own, terms, state, trace };
    const found = await retrieve(question, asked, deps);
    // A chunk that cannot be read may be missing in the end, but never a part of the index.
    const isEnough = look >= MAX_LOOKS && found.isWhole && found.ranked.length > 0;
    if (found.complete || isEnough) return present(question, { ...found, ...asked, look }, deps);
    if (look >= MAX_LOOKS) {
      throw errors.unavailable("The project is changing too fast to be searched. Try again.", {
        retryAfterSeconds: 1,
      });
    }
  }
}

interface QuestionVectors {
  /** Of the bundled model; made once. */
  own(): Promise<Float32Array>;
  /** null where the question has no vector of that space. */
  in(space: EmbeddingSpace): Promise<Float32Array | null>;
}

function createQuestionVectors(
  text: string,
  deps: Pick<QueryDeps, "embedder"> & {
    readonly embedded: EmbeddedQuestion | null;
    readonly trace: QueryTrace | null;
  },
): QuestionVectors {
  const { embedder, embedded, trace } = deps;
  let made: Promise<Float32Array> | null = null;
  const own = () => {
    made ??= traced(trace, "embed", () => embedder.embed(text));
    return made;
  };
  return {
    own,
    async in(space) {
      if (isSameSpace(space, embedder)) return own();
      return embedded !== null && isSameSpace(space, embedded.space) ? embedded.vector : null;
    },
  };
}

interface Found {
  readonly ranked: readonly RankedChunk[];
  /** null where the project keeps no graph, or the question has no name of it: then the plain search has the word. */
  readonly ranking: GraphRanking | null;
  /** null unless an explanation is wanted. */
  readonly search: TracedSearch | null;
  /** False when something that was ranked could not be read any more. */
  readonly complete: boolean;
  /** False when a segment was gone before it was searched. */
  readonly isWhole: boolean;
}

interface Asked {
  /** Of the project's space. */
  readonly vector: Float32Array;
  /** Of the bundled model, which sentences of graphs are embedded with, whatever chunks are. */
  readonly ownVector: () => Promise<Float32Array>;
  readonly terms: readonly string[];
  readonly state: IndexState;
  /** null unless an explanation is wanted. */
  readonly trace: QueryTrace | null;
}

/** A chunk and the score that orders it. */
interface Placed extends ChunkKey {
  readonly sourceDocId: string;
  readonly score: number;
  /** Cosine. */
  readonly dense: number;
}

async function retrieve(question: Question, asked: Asked, deps: QueryDeps): Promise<Found> {
  const { projectId } = question;
  const { trace } = asked;
  const index = await traced(trace, "index", () => deps.segments.open(projectId, asked.state));
  if (index === null) return NOTHING_FOUND;
  const limit = Math.max(question.topK, SUMMARY_CHUNKS);
  let missed = false;
  try {
    const search = await traced(trace, "search", () =>
      prepareSearch({
        ...{ index, limit, kernels: deps.kernels, terms: asked.terms, vector: asked.vector },
        filter: question.filter,
        async readVectors(keys) {
          const vectors = await deps.store.readVectors({ projectId, vectorSet: asked.state.vectorSet, keys });
          missed = vectors.includes(null);
          return vectors;
        },
      }),
    );
    const ranking =
      asked.state.graph === "none"
        ? null
        : await traced(trace, "graph", () => rankOverGraph(question, { ...asked, search }, deps));
    const ordered: readonly Placed[] =
      ranking?.ranked.map(({ rank, ...chunk }) => ({ ...chunk, score: rank })) ??
      (await traced(trace, "search", () => search.best()));
    const placed = ordered.slice(0, limit);
    const keys = placed.map(({ versionId, position }) => ({ versionId, position }));
    const chunks = await traced(trace, "chunks", () => deps.store.readChunks({ projectId, keys }));
    const ranked = placed.flatMap((each, at) => rankedChunk(each, chunks[at] ?? null));
    const complete = index.isComplete && !missed && ranked.length === placed.length;
    const gone = placed.filter((_, at) => (chunks[at] ?? null) === null);
    const shown =
      trace === null ? null : await traceSearch(search, { ordered, gone, isFinal: ranking !== null });
    return { ranked, ranking, search: shown, complete, isWhole: index.isComplete };
  } finally {
    index.release();
  }
}

const NOTHING_FOUND: Found = { ranked: [], ranking: null, search: null, complete: false, isWhole: false };

/** Without the graph only the best are ordered: behind them stands what both retrievers found together. */
async function traceSearch(
  search: PreparedSearch,
  { ordered, gone, isFinal }: Pick<TracedSearch, "ordered" | "gone"> & { readonly isFinal: boolean },
): Promise<TracedSearch> {
  const found = await traceRetrievers(search);
  return { ...found, gone, ordered: isFinal ? ordered : [...ordered, ...found.fused] };
}

/** null where the question has no name of the graph: the plain search is not changed then. */
async function rankOverGraph(
  { projectId, query, filter }: Question,
  { ownVector, search }: Asked & { readonly search: PreparedSearch },
  { graph, embedder }: QueryDeps,
): Promise<GraphRanking | null> {
  const best = await search.estimate(GRAPH_CANDIDATES);
  const scores: HybridScores = { best, scoresOf: (keys) => search.scoresOf(keys) };
  const reader = createGraphReader(graph, projectId);
  const ranking = await rankByGraph({
    ...{ text: query, vector: await ownVector(), scores },
    reader: filter === null ? reader : createFilteredReader(reader, scores),
    embed: (text) => embedder.embed(text),
  });
  return ranking.linked.length === 0 ? null : ranking;
}

function rankedChunk(placed: Placed, chunk: StoredChunk | null): readonly RankedChunk[] {
  return chunk === null ? [] : [{ ...chunk, similarity: placed.score, cosine: placed.dense }];
}

const NO_LINKS = { linked: [], paths: [] } as const;
const NO_GRAPH: AnswerGraph = { entities: [], relationships: [] };

async function present(
  question: Question,
  found: Found & Asked & { readonly look: number },
  deps: QueryDeps,
): Promise<Answer> {
  const { ranked, ranking, state, trace } = found;
  const { projectId } = question;
  const chunks = ranked.slice(0, question.topK);
  const quotable = { query: question.query, ...connectChunks(ranked.slice(0, SUMMARY_CHUNKS), ranking) };
  const quoted = await traced(trace, "summary", () => {
    const scores = scoreAnswer(quotable);
    return { scores, ...composeSummary(quotable, scores) };
  });
  const relevance = createNameRelevance(question.query, quoted);
  const graph =
    state.graph === "none"
      ? NO_GRAPH
      : await traced(trace, "answerGraph", () =>
          readGraph(
            state,
            { projectId, ranking, chunks, isFiltered: question.filter !== null, relevance },
            deps,
          ),
        );
  const leveled = await traced(trace, "answerGraph", () =>
    withLevels(question, { graph, ranking, state }, deps),
  );
  const summary = leveled.summary ?? quoted.text;
  const answer = {
    strategyUsed: ranking === null ? "hybrid" : "hybrid_graph",
    summary: ranked.length === 0 ? nothingFound(question) : summary || NOTHING_TO_QUOTE,
    ...leveled.graph,
    chunks,
  };
  const explanation = explanationOf(question, found, answer.strategyUsed);
  return explanation === null ? answer : { ...answer, explanation };
}

/** null unless it is wanted. */
function explanationOf(
  { topK }: Question,
  found: Found & Asked & { readonly look: number },
  strategy: string,
): Explanation | null {
  const { ranked, ranking, search, state, terms, trace, look } = found;
  if (trace === null || search === null) return null;
  const { graph, indexVersion, segments } = state;
  return explain({
    plan: { strategy, terms, graph, indexVersion, segments: segments.length, looks: look },
    ...{ search, ranking, read: ranked, returned: topK, summarized: SUMMARY_CHUNKS },
    timingsMs: trace.timingsMs(),
  });
}

/** A filtered question sees nothing of what its documents do not support: levels rest on all of them. */
async function withLevels(
  { projectId, query, filter }: Question,
  input: Pick<Found, "ranking"> & { readonly graph: AnswerGraph; readonly state: IndexState },
  { graph: store, store: index, levels }: QueryDeps,
): Promise<LevelAnswer> {
  const { graph, ranking, state } = input;
  if (state.graph !== "bound" || filter !== null) return { graph, summary: null };
  const linked = (ranking ?? NO_LINKS).linked.map(({ name }) => name);
  const question = { projectId, indexVersion: state.indexVersion, query, linked, graph };
  return addLevels(question, { levels, store: { ...store, readChunks: (input) => index.readChunks(input) } });
}

async function readGraph(
  { graph: kind, indexVersion }: IndexState,
  input: Pick<Found, "ranking"> & {
    readonly projectId: string;
    readonly chunks: readonly RankedChunk[];
    readonly isFiltered: boolean;
    readonly relevance: NameRelevance;
  },
  { graph, edgeTypes: types }: QueryDeps,
): Promise<AnswerGraph> {
  const { projectId } = input;
  const edgeTypes = kind === "bound" ? null : await types.read(projectId, indexVersion);
  return readAnswerGraph({ ...input, ranking: input.ranking ?? NO_LINKS, edgeTypes }, graph);
}

function nothingFound({ filter }: Question): string {
  return filter === null ? NOTHING_INGESTED : NOTHING_ALLOWED;
}
