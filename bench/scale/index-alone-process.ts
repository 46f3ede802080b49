/**
 * A process that searches the data directory of a stopped service. For each question it measures the embedding, the bare
 * int8 scan of all vectors, and the search. Started by `measureIndexAlone`.
 */
import type { SearchKernels } from "../../packages/server/src/engine/index/kernels/search-kernels.ts";
import { quantizeVector } from "../../packages/server/src/engine/index/quantize.ts";
import type { SearchableIndex } from "../../packages/server/src/engine/index/scan.ts";
import { searchIndex } from "../../packages/server/src/engine/index/search.ts";
import type { Segment } from "../../packages/server/src/engine/index/segment.ts";
import { isSharedMeaning } from "../../packages/server/src/engine/ingest/extract/facts/relationship-names.ts";
import { grownEdgeTypes } from "../../packages/server/src/engine/ontology/grow-schema.ts";
import { createEdgeTypeReader } from "../../packages/server/src/engine/query/edge-types.ts";
import { createLevelReader } from "../../packages/server/src/engine/query/levels/level-reader.ts";
import { answerQuestion } from "../../packages/server/src/engine/query/pipeline.ts";
import { queryTerms } from "../../packages/server/src/engine/text/terms.ts";
import { answerRequest } from "../ask-process.ts";
import type { BenchQuestion } from "../questions.ts";
import type { IndexAloneRequest, IndexAloneResult, SearchedQuestion } from "./index-alone.ts";
import { type OpenedAlone, openAlone, openIndex } from "./open-alone.ts";
import { meanRecall, measureSignRecall, type SignRecall } from "./sign-recall.ts";
import { timeMs } from "./timing.ts";

/** Number of chunks that a query ranks for a summary. */
const LIMIT = 10;
const WARM_UP = 30;
const RECALL_QUESTIONS = 200;

/** Scores every vector once without collecting results, because the floor is above all scores. */
async function scanBare(kernels: SearchKernels, index: SearchableIndex, vector: Float32Array): Promise<void> {
  const quantized = new Int8Array(vector.length);
  quantizeVector(vector, quantized);
  await index.visit((segment) => {
    setQuery(kernels, quantized, segment);
    kernels.nearest(segment, null, {
      floor: Number.POSITIVE_INFINITY,
      offer: () => Number.POSITIVE_INFINITY,
    });
  });
}

function setQuery(kernels: SearchKernels, quantized: Int8Array, { stride }: Segment): void {
  const query = new Int8Array(stride);
  query.set(quantized);
  kernels.setQuery(query);
}

async function recallOf(bench: OpenedAlone, question: BenchQuestion): Promise<readonly SignRecall[]> {
  const vector = await bench.embedder.embed(question.text);
  const quantized = new Int8Array(vector.length);
  quantizeVector(vector, quantized);
  const index = await openIndex(bench);
  const segments: Segment[] = [];
  try {
    await index.visit((segment) => void segments.push(segment));
    const [first] = segments;
    if (first === undefined || !index.staysOpen) throw new Error("The index does not fit into memory.");
    setQuery(bench.kernels, quantized, first);
    return measureSignRecall(bench.kernels, segments);
  } finally {
    index.release();
  }
}

/** Alternates the order of scan and search, so that neither always finds its rows in the processor's caches. */
async function searchOnce(
  bench: OpenedAlone,
  question: BenchQuestion,
  at: number,
): Promise<SearchedQuestion> {
  const { kernels, projectId, reader } = bench;
  let vector = new Float32Array();
  const embedMs = await timeMs(async () => {
    vector = new Float32Array(await bench.embedder.embed(question.text));
  });
  const opening = performance.now();
  const index = await openIndex(bench);
  const openMs = performance.now() - opening;
  const beforeTerms = performance.now();
  const terms = queryTerms(question.text);
  const termsMs = performance.now() - beforeTerms;
  const readVectors = (keys: Parameters<typeof reader.readVectors>[0]["keys"]) =>
    reader.readVectors({ projectId, vectorSet: 0, keys });
  const search = () =>
    searchIndex({ index, kernels, terms, vector, filter: null, limit: LIMIT, readVectors });
  const scan = () => scanBare(kernels, index, vector);
  try {
    const scanFirstMs = at % 2 === 0 ? await timeMs(scan) : null;
    const searchMs = await timeMs(search);
    const scanMs = scanFirstMs ?? (await timeMs(scan));
    const answerMs = await timeMs(() => answerOnce(bench, question));
    return { kind: question.kind, embedMs, openMs, termsMs, scanMs, searchMs, answerMs };
  } finally {
    index.release();
  }
}

/** Everything that a query thread does for a question. */
async function answerOnce(
  { reader, embedder, questionReader, kernels, segments, projectId, accountId }: OpenedAlone,
  { text }: BenchQuestion,
) {
  const question = {
    projectId,
    accountId,
    query: text,
    mode: "static",
    topK: LIMIT,
    filter: null,
  } as const;
  const answer = await answerQuestion(question, {
    store: reader,
    graph: reader,
    edgeTypes: createEdgeTypeReader(reader, (types) => grownEdgeTypes(types, isSharedMeaning)),
    levels: createLevelReader(reader),
    embedder,
    localEmbedders: [],
    reranker: null,
    answerFinder: null,
    openReader: async () => questionReader,
    kernels,
    segments,
  });
  if (answer === null) throw new Error("The project is not in the data directory.");
}

answerRequest(async (request: IndexAloneRequest): Promise<IndexAloneResult> => {
  const bench = await openAlone(request);
  const searched: SearchedQuestion[] = [];
  for (const [at, question] of request.questions.slice(0, WARM_UP).entries())
    await searchOnce(bench, question, at);
  for (const [at, question] of request.questions.entries())
    searched.push(await searchOnce(bench, question, at));
  const recalls: (readonly SignRecall[])[] = [];
  for (const question of request.questions.slice(0, RECALL_QUESTIONS))
    recalls.push(await recallOf(bench, question));
  await bench.close();
  return { searched, signRecall: meanRecall(recalls) };
});
