/** The walk of one question in a query thread: `answerQuestion`, `retrieve`, `composeAnswer`, `readGraph`. */
import type { ChunkKey } from "../../domain/document.ts";
import { isSameSpace } from "../../domain/embedding-space.ts";
import { errors } from "../../domain/errors.ts";
import type { FusedCandidate } from "../../domain/explanation.ts";
import type { Answer, EmbeddedQuestion, Question, RankedChunk, VectorRequired } from "../../domain/query.ts";
import type { Moment } from "../../domain/validity.ts";
import type { QuestionEmbedder } from "../../ports/embedder.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { Reranker } from "../../ports/reranker.ts";
import type { IndexState, IndexStore } from "../../ports/store.ts";
import type { SearchKernels } from "../index/kernels/search-kernels.ts";
import { keepPerDocument } from "../index/per-document.ts";
import { prepareSearch } from "../index/search.ts";
import { queryTerms } from "../text/terms.ts";
import { verdictOfPassages } from "./dynamic/verdict.ts";
import type { EdgeTypeReader } from "./edge-types.ts";
import { explainAnswer, explainSearch, type SearchExplanation } from "./explain.ts";
import { findEventTime } from "./find-event.ts";
import type { GraphRanking } from "./graph/rank.ts";
import { type RankSearchDeps, rankSearchByGraph } from "./graph/rank-search.ts";
import { type AnswerGraph, type AnswerGraphStore, readAnswerGraph } from "./graph-answer.ts";
import { withProbability } from "./judge-answer.ts";
import { addLevels, type LevelAnswer, type LevelGraphStore } from "./levels/answer-levels.ts";
import type { LevelReader } from "./levels/level-reader.ts";
import { createNameRelevance } from "./name-relevance.ts";
import { heldTime } from "./question-time.ts";
import { createQuestionVectors, type QuestionVectors } from "./question-vectors.ts";
import { quoteAnswer } from "./quote-answer.ts";
import { placeQuoted, quotedSentences, withPlaces } from "./quoted-places.ts";
import { DATED_CHUNKS, type RankedByTime, rankByTime } from "./rank-by-time.ts";
import type { AnswerReaders } from "./read-answer.ts";
import { RERANKED_CHUNKS, type Reranking, rerank } from "./rerank.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { createStepTimer, type StepTimer } from "./step-timer.ts";

export interface QueryDeps extends RankSearchDeps, AnswerReaders {
  readonly store: Pick<
    IndexStore,
    "readIndexState" | "readVectors" | "readChunks" | "readHeads" | "readPagesAt"
  >;
  /** Read only for projects that keep a graph. */
  readonly graph: RankSearchDeps["graph"] &
    AnswerGraphStore &
    LevelGraphStore &
    Pick<GraphStore, "readTimedStatements">;
  /** The edge types of projects whose schema grows from the data. */
  readonly edgeTypes: EdgeTypeReader;
  /** The nodes that an ontology puts above the entities that texts name. */
  readonly levels: LevelReader;
  /** Models of other spaces than the bundled model's. */
  readonly localEmbedders: readonly QuestionEmbedder[];
  /** null = none is configured. */
  readonly reranker: Reranker | null;
  readonly segments: SegmentReader;
  readonly kernels: SearchKernels;
  /** After each answer: milliseconds of its steps. */
  readonly onAnswered?: (timingsMs: ReturnType<StepTimer["readTimings"]>) => void;
}

/** The summary reads this many chunks, whatever `topK` is; with `maxPerDocument` no more than are returned. */
const SUMMARY_CHUNKS = 10;
/** When a merge or deletion removes a chunk or segment that a query needs, the query starts again. */
const MAX_ATTEMPTS = 5;

const NOTHING_INGESTED =
  "Nothing has been ingested into this project yet, so there is nothing to answer from.";
const NOTHING_ALLOWED = "No ingested document meets the filter, so there is nothing to answer from.";
const NOTHING_TO_QUOTE = "The passages that were found hold no sentence that could be quoted.";

/** What is fixed for one attempt to answer a question. */
interface QueryContext {
  readonly question: Question;
  readonly terms: readonly string[];
  readonly vectors: QuestionVectors;
  readonly timer: StepTimer;
  readonly state: IndexState;
  /** The question's vector in the project's space. */
  readonly vector: Float32Array;
  /** From 1. */
  readonly attempt: number;
}

/**
 * null when the project does not exist or belongs to another account; nothing of it has then been read.
 * A project whose vectors are of no space that this thread or `embedded` has a vector of is not searched.
 */
export async function answerQuestion(
  question: Question,
  deps: QueryDeps,
  embedded: EmbeddedQuestion | null = null,
): Promise<Answer | VectorRequired | null> {
  const { projectId, accountId, query } = question;
  const timer = createStepTimer();
  const { embedder, localEmbedders } = deps;
  const vectors = createQuestionVectors(query, { embedder, localEmbedders, embedded, timer });
  const terms = queryTerms(query);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const state = await timer.measure("index", () => deps.store.readIndexState({ projectId, accountId }));
    if (state === null) return null;
    // Checked in each attempt: the project may have been moved to another space since the last one.
    const vector = await vectors.inSpace(state.space);
    if (vector === null) return { requiredSpace: state.space };
    const context: QueryContext = { question, terms, vectors, timer, state, vector, attempt };
    const retrieval = await retrieve(context, deps);
    // The last attempt may lack single chunks, but never a segment.
    const isUsable = attempt === MAX_ATTEMPTS && retrieval.isIndexComplete && retrieval.ranked.length > 0;
    if (!retrieval.isComplete && !isUsable) continue;
    const answer =
      question.seeks === undefined
        ? await composeAnswer(context, retrieval, deps)
        : await findEvent(context, retrieval, deps);
    deps.onAnswered?.(timer.readTimings());
    return answer;
  }
  throw errors.unavailable("The project is changing too fast to be searched. Try again.", {
    retryAfterSeconds: 1,
  });
}

interface Retrieval {
  /** Best first: the chunks that are returned or summarized. */
  readonly ranked: readonly RankedChunk[];
  /** null when the graph took no part in the ranking. */
  readonly ranking: GraphRanking | null;
  /** null when no reranker took part. */
  readonly reranking: Reranking | null;
  /** null unless a time is asked of. */
  readonly dated: RankedByTime["dated"] | null;
  /** null unless the question requests an explanation. */
  readonly search: SearchExplanation | null;
  /** False when a segment, vector or chunk was missing from the store. */
  readonly isComplete: boolean;
  /** False when a segment was missing from the store. */
  readonly isIndexComplete: boolean;
}

/** Opens the segments, searches them, ranks by the graph, and reads the best chunks. */
async function retrieve(context: QueryContext, deps: QueryDeps): Promise<Retrieval> {
  const { question, terms, vectors, timer, state, vector } = context;
  const { projectId, filter, maxPerDocument: perDocument = null } = question;
  const index = await timer.measure("index", () => deps.segments.open(projectId, state));
  if (index === null) {
    return {
      ranked: [],
      ranking: null,
      reranking: null,
      dated: null,
      search: null,
      isComplete: false,
      isIndexComplete: false,
    };
  }
  try {
    const limit = Math.max(question.topK, SUMMARY_CHUNKS);
    const read = Math.max(
      limit,
      deps.reranker === null ? 0 : RERANKED_CHUNKS,
      askedTime(question) === null ? 0 : DATED_CHUNKS,
    );
    let isVectorMissing = false;
    const search = await timer.measure("search", () =>
      prepareSearch({
        index,
        kernels: deps.kernels,
        terms,
        vector,
        filter,
        limit: read,
        perDocument,
        async readVectors(keys) {
          const stored = await deps.store.readVectors({ projectId, vectorSet: state.vectorSet, keys });
          isVectorMissing = stored.includes(null);
          return stored;
        },
      }),
    );
    const ranking =
      state.graph === "none"
        ? null
        : await timer.measure("graph", async () =>
            rankSearchByGraph(question, { search, bundledVector: await vectors.bundled() }, deps),
          );
    const ordered: readonly (FusedCandidate & { readonly fused: number })[] =
      ranking?.ranked.map(({ rank, ...chunk }) => ({ ...chunk, fused: chunk.score, score: rank })) ??
      (await timer.measure("search", () => search.best())).map((chunk) => ({ ...chunk, fused: chunk.score }));

    // Before the reranker, so that it reads chunks that can be returned.
    const candidates = keepPerDocument(ordered, perDocument).slice(0, read);
    const keys = candidates.map(({ versionId, position }) => ({ versionId, position }));
    const chunks = await timer.measure("chunks", () => deps.store.readChunks({ projectId, keys }));
    const retrieved = candidates.flatMap(({ score, fused, dense }, at): readonly RankedChunk[] => {
      const chunk = chunks[at] ?? null;
      return chunk === null ? [] : [{ ...chunk, similarity: score, cosine: dense, fused }];
    });
    const missing = candidates.filter((_, at) => (chunks[at] ?? null) === null);
    const isIndexComplete = index.isComplete;
    const isComplete = isIndexComplete && !isVectorMissing && missing.length === 0;

    const { ranked: inOrder, reranking, dated } = await orderRead(context, retrieved, deps);
    const ranked = inOrder.slice(0, limit);
    const explanation =
      question.explain === true
        ? await explainSearch(search, { ordered, missing, perDocument, isComplete: ranking !== null })
        : null;
    return { ranked, ranking, reranking, dated, search: explanation, isComplete, isIndexComplete };
  } finally {
    index.release();
  }
}

/** Puts the chunks that were read in the order of the answer: by a reranker, and by the time that is asked of. */
async function orderRead(
  { question, timer }: QueryContext,
  chunks: readonly RankedChunk[],
  { reranker, store }: QueryDeps,
): Promise<Pick<Retrieval, "ranked" | "reranking" | "dated">> {
  const reranking =
    reranker === null || chunks.length === 0 ? null : await rerank(question.query, chunks, { reranker });
  const ranked = reranking?.ranked ?? chunks;
  const moment = askedTime(question);
  if (moment === null) return { ranked, reranking, dated: null };
  const { projectId } = question;
  const named = question.event?.event;
  const terms = named === undefined ? null : [...named.names, ...named.terms];
  const byTime = await timer.measure("chunks", () => rankByTime(ranked, { projectId, moment, terms, store }));
  return { ...byTime, reranking };
}

/** null where only what holds today is asked. */
function askedTime({ asOf = null }: Question): Moment | null {
  return asOf?.by === "today" ? null : asOf;
}

/** The time of the event that the question seeks, and nothing else. */
async function findEvent(
  { question, timer }: QueryContext,
  { ranked, ranking }: Retrieval,
  deps: QueryDeps,
): Promise<Answer> {
  const passages = { projectId: question.projectId, ranked, ranking, isFiltered: question.filter !== null };
  const eventTime = await timer.measure("reading", () => findEventTime(question, passages, deps));
  return { ...NO_GRAPH, strategyUsed: "event", summary: "", chunks: [], eventTime };
}

/** Writes the summary, reads entities and relationships, and adds the explanation if it was requested. */
async function composeAnswer(
  context: QueryContext,
  { ranked, ranking, reranking, dated, search }: Retrieval,
  deps: QueryDeps,
): Promise<Answer> {
  const { question, terms, timer, state, attempt } = context;
  const { query, topK, filter } = question;
  const chunks = ranked.slice(0, topK);

  const summarized = ranked.slice(0, countSummarized(question));
  const isBundled = isSameSpace(state.space, deps.embedder);
  const { read, quoted, otherTimes } = await quoteAnswer(
    { question, summarized, ranking, isBundled, hasGraph: state.graph !== "none" },
    { ...deps, timer },
  );
  const { graph, summary: overview } = await timer.measure("answerGraph", () =>
    readGraph(context, { chunks, ranking, quoted }, deps),
  );

  // The chunks of a dynamic question's steps are compared by what the search makes of them, so they keep that.
  const isFirst = question.isUnread === true;
  const isStep = isFirst || question.isFollowUp === true;
  const rated = read.judgement === null || isFirst ? ranked : withProbability(ranked, read.judgement);
  const nothingFound = filter === null ? NOTHING_INGESTED : NOTHING_ALLOWED;
  const verdict = isStep ? null : verdictOfPassages(query, summarized);
  const told = verdict?.text ?? overview;
  const isDenied = told === null && quoted.isDenied;
  const quotedHere = told === null ? quotedSentences(summarized, quoted.quoted) : [];
  const quotes = verdict?.quotes ?? quotedHere;
  const quotedPlaces = isStep
    ? []
    : await timer.measure("chunks", () =>
        placeQuoted(summarized, quotes, { projectId: question.projectId, store: deps.store }),
      );
  const judged = withPlaces(rated, quotedPlaces);
  const summary = ranked.length === 0 ? nothingFound : (told ?? quoted.text) || NOTHING_TO_QUOTE;
  const suffixes = `${reranking === null ? "" : "_rerank"}${read.suffix}`;
  const strategyUsed = `${ranking === null ? "hybrid" : "hybrid_graph"}${suffixes}`;
  const steps = question.listSteps === true ? { steps: [{ query, name: null, found: keysOf(chunks) }] } : {};
  const reading = read.explanation === null || read.reading === null ? {} : { reading: read.reading };
  const byScores =
    isFirst && read.judgement !== null && read.reading !== null
      ? { byScores: { ...read.judgement, reading: read.reading } }
      : {};
  const answer: Answer = {
    strategyUsed,
    summary,
    ...graph,
    chunks: judged.slice(0, topK),
    isDenied,
    ...reading,
    ...byScores,
    ...steps,
    ...(isStep ? { quotes } : {}),
    ...(isFirst && otherTimes !== null ? { otherTimes } : {}),
  };
  if (search === null) return answer;
  const explanation = explainAnswer({
    plan: {
      strategy: strategyUsed,
      terms,
      asOf: question.asOf ?? null,
      ...(question.event === undefined ? {} : { event: question.event }),
      graph: state.graph,
      indexVersion: state.indexVersion,
      segments: state.segments.length,
      attempts: attempt,
    },
    search,
    ranking,
    rerank: reranking?.explanation ?? null,
    dated,
    answer: read.explanation,
    ranked: judged,
    returned: topK,
    summarized: countSummarized(question),
    timingsMs: timer.readTimings(),
  });
  return { ...answer, explanation };
}

function countSummarized({ topK, maxPerDocument = null, quoted = topK }: Question): number {
  return maxPerDocument === null ? SUMMARY_CHUNKS : Math.min(SUMMARY_CHUNKS, topK, quoted);
}

function keysOf(chunks: readonly ChunkKey[]): readonly ChunkKey[] {
  return chunks.map(({ versionId, position }) => ({ versionId, position }));
}

const NO_GRAPH: AnswerGraph = { entities: [], relationships: [] };
const NO_LINKS = { linked: [], paths: [] } as const;

/** The entities and relationships of the answer, then the nodes of upper levels among them or above them. */
async function readGraph(
  { question, state }: QueryContext,
  input: Pick<Retrieval, "ranking"> & {
    readonly chunks: readonly RankedChunk[];
    readonly quoted: Parameters<typeof createNameRelevance>[1];
  },
  deps: QueryDeps,
): Promise<LevelAnswer> {
  const { projectId, query, filter } = question;
  const asOf = heldTime(question);
  const { indexVersion, graph: kind } = state;
  if (kind === "none") return { graph: NO_GRAPH, summary: null };
  const { linked, paths } = input.ranking ?? NO_LINKS;
  const graph = await readAnswerGraph(
    {
      projectId,
      ranking: { linked, paths },
      chunks: input.chunks,
      // A bound graph holds only types of its ontology, so it needs no check.
      edgeTypes: kind === "bound" ? null : await deps.edgeTypes.read(projectId, indexVersion),
      isFiltered: filter !== null,
      asOf,
      relevance: createNameRelevance(query, input.quoted),
    },
    deps.graph,
  );
  // Levels are built from all documents, so a filtered question must not see them.
  if (kind !== "bound" || filter !== null) return { graph, summary: null };
  const linkedNames = linked.map(({ name }) => name);
  return addLevels(
    { projectId, indexVersion, query, asOf, linkedNames, graph },
    { levels: deps.levels, graph: deps.graph, index: deps.store },
  );
}
