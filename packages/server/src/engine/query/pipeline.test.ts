import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryIndex } from "../../../test/support/memory-index.ts";
import { indexedText } from "../../domain/document.ts";
import { ServiceError } from "../../domain/errors.ts";
import { DamagedIndexError } from "../../domain/index-damage.ts";
import type { Answer, Question } from "../../domain/query.ts";
import type { IndexState, StoredChunk } from "../../ports/store.ts";
import { buildSegment } from "../index/build.ts";
import { answerQuestion, type QueryDeps } from "./pipeline.ts";
import { createSegmentReader } from "./segment-reader.ts";

const CACHE_BYTES = 1_000_000;
const VECTOR = Float32Array.of(1, 0, 0, 0);
const QUESTION = {
  accountId: "acc",
  projectId: "p",
  query: "When does the ferry leave?",
  mode: "static",
  topK: 5,
  filter: null,
} as const;

const neverRead = () => Promise.reject(new Error("The project keeps no graph."));
const NO_GRAPH: QueryDeps["graph"] = {
  findAbout: neverRead,
  findByEnds: neverRead,
  readPassages: neverRead,
  findEntitiesByKeys: neverRead,
  findEntitiesIn: neverRead,
  readEntities: neverRead,
  findRelationships: neverRead,
  readMembers: neverRead,
  listChunksOf: neverRead,
  readTimedStatements: neverRead,
};

/** A graph of one name, which one passage is about. */
function graphAbout(known: string, passage: { versionId: number; position: number }): QueryDeps["graph"] {
  return {
    findAbout: async ({ names }) =>
      new Map(
        names
          .filter((name) => name === known)
          .map((name) => [name, { documents: 1, passages: [{ ...passage, name, kind: "title" }] }]),
      ),
    findByEnds: async () => new Map(),
    readPassages: async ({ keys }) => keys.map(() => null),
    findEntitiesByKeys: async () => [],
    findEntitiesIn: async () => [],
    readEntities: async () => [],
    findRelationships: async () => [],
    readMembers: async () => [],
    listChunksOf: async () => [],
    readTimedStatements: async () => [],
  };
}

/** A document of one chunk that is replaced repeatedly; each version has its own segment. */
function chunkOf(versionId: number): StoredChunk {
  const text = `The ferry leaves at ${versionId} o'clock.`;
  return { versionId, position: 0, sourceDocId: "ferry", header: "", text, start: 0, end: text.length };
}

function stateOf(versionId: number): IndexState {
  const segment = {
    segmentId: versionId,
    byteLength: 1,
    chunkCount: 1,
    deadChunkCount: 0,
    isDamaged: false,
    dead: [],
    staged: [],
  };
  return { indexVersion: versionId, graph: "none", space: SPACE, vectorSet: 0, segments: [segment] };
}

const SPACE = { model: "m", dimensions: 4 };

async function ask(question: Question, deps: QueryDeps): Promise<Answer | null> {
  const answer = await answerQuestion(question, deps);
  assert.ok(answer === null || "chunks" in answer, "The project is in the space of the bundled model.");
  return answer;
}

/**
 * A store of the versions that `visible()` returns; it is called once for the state and once for each vector.
 */
function depsOver(visible: () => { state: number; vectors: number }): QueryDeps {
  const store = {
    readIndexState: async () => stateOf(visible().state),
    readSegment: async ({ segmentId }: { segmentId: number }) => {
      const chunk = chunkOf(segmentId);
      return buildSegment([
        {
          ...chunk,
          indexedText: indexedText({ header: "", text: chunk.text }),
          vector: VECTOR,
          metadata: {},
        },
      ]);
    },
    readVectors: async ({ keys }: { keys: readonly { versionId: number }[] }) =>
      keys.map(({ versionId }) => (versionId === visible().vectors ? VECTOR : null)),
    readChunks: async ({ keys }: { keys: readonly { versionId: number }[] }) =>
      keys.map(({ versionId }) => chunkOf(versionId)),
    readPagesAt: async () => [],
    readHeads: async ({ versionIds }: { versionIds: readonly number[] }) =>
      versionIds.map((versionId) => ({ text: chunkOf(versionId).text, metadata: {} })),
  };
  const { cache, kernels } = createMemoryIndex(CACHE_BYTES);
  const embedder = { model: "m", dimensions: 4, embed: async () => VECTOR, countTokens: () => 1 };
  return {
    store,
    graph: NO_GRAPH,
    edgeTypes: { read: neverRead },
    levels: { readPlan: async () => null, readNodes: neverRead },
    embedder,
    localEmbedders: [],
    reranker: null,
    answerFinder: null,
    openReader: async () => ({ read: async () => ({ logit: 2, span: null }) }),
    kernels,
    segments: createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES }),
  };
}

test("a version that is replaced between two reads makes the search start again", async () => {
  let reads = 0;
  const deps = depsOver(() => {
    reads += 1;
    return reads === 1 ? { state: 1, vectors: 2 } : { state: 2, vectors: 2 };
  });
  const answer = await ask(QUESTION, deps);
  assert.deepEqual(
    answer?.chunks.map((chunk) => chunk.text),
    ["The ferry leaves at 2 o'clock."],
  );
  assert.match(answer?.summary ?? "", /2 o'clock/);
});

test("a model reads the passages of a question for the summary, but not those of a further search", async () => {
  const asked: string[] = [];
  const answerFinder = {
    model: "local/m@0",
    limitMs: 1_000,
    async find(question: string, passage: string) {
      asked.push(question);
      const start = passage.indexOf("1 o'clock");
      return { spans: [{ start, end: start + 9, score: 0.9 }], noAnswerScore: 0.1 };
    },
  };
  const deps = { ...depsOver(() => ({ state: 1, vectors: 1 })), answerFinder };
  const answer = await ask({ ...QUESTION, explain: true }, deps);
  assert.equal(answer?.strategyUsed, "hybrid_answer");
  assert.match(answer.summary, /^The ferry leaves at 1 o'clock\./);
  assert.equal(answer.explanation?.answer?.passages[0]?.isChosen, true);
  assert.equal(answer.reading?.isComplete, true);
  assert.equal((await ask(QUESTION, { ...deps, answerFinder: null }))?.reading, undefined);
  const followUp = await ask({ ...QUESTION, isFollowUp: true }, deps);
  assert.deepEqual([followUp?.strategyUsed, followUp?.reading], ["hybrid", undefined]);
  assert.deepEqual(asked, [QUESTION.query]);
});

test("a project that changes in every attempt is unavailable", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 2 }));
  await assert.rejects(ask(QUESTION, deps), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, "unavailable");
    return true;
  });
});

test("only a project without a visible chunk is reported as empty", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const empty: QueryDeps = {
    ...deps,
    store: {
      ...deps.store,
      readIndexState: async () => ({
        indexVersion: 1,
        graph: "none",
        space: SPACE,
        vectorSet: 0,
        segments: [],
      }),
    },
  };
  assert.match((await ask(QUESTION, empty))?.summary ?? "", /Nothing has been ingested/);
  assert.doesNotMatch((await ask(QUESTION, deps))?.summary ?? "", /Nothing has been ingested/);
});

test("a project in the space of another model is searched only with a vector of that space", async () => {
  const space = { model: "other", dimensions: 4 };
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const moved: QueryDeps = {
    ...deps,
    store: { ...deps.store, readIndexState: async () => ({ ...stateOf(1), space }) },
  };
  assert.deepEqual(await answerQuestion(QUESTION, moved), { requiredSpace: space });
  const ofAnotherSpace = { space: { ...space, dimensions: 5 }, vector: Float32Array.of(1, 0, 0, 0, 0) };
  assert.deepEqual(await answerQuestion(QUESTION, moved, ofAnotherSpace), { requiredSpace: space });
  const answer = await answerQuestion(QUESTION, moved, { space, vector: VECTOR });
  assert.ok(answer !== null && "chunks" in answer);
  assert.equal(answer.chunks.length, 1);
});

test("a project that does not exist has no answer", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const deleted: QueryDeps = { ...deps, store: { ...deps.store, readIndexState: async () => null } };
  assert.equal(await ask(QUESTION, deleted), null);
});

test("a segment that is marked for repair is not searched, even if an intact copy is in the cache", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  assert.equal((await ask(QUESTION, deps))?.chunks.length, 1);
  const [segment] = stateOf(1).segments;
  assert.ok(segment);
  const marked: QueryDeps = {
    ...deps,
    store: {
      ...deps.store,
      readIndexState: async () => ({
        indexVersion: 1,
        graph: "none",
        space: SPACE,
        vectorSet: 0,
        segments: [{ ...segment, isDamaged: true }],
      }),
    },
  };
  await assert.rejects(ask(QUESTION, marked), DamagedIndexError);
});

test("a filter that matches nothing is reported differently from an empty project", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const filter = { sourceDocIds: ["other"], metadata: [] };
  const answer = await ask({ ...QUESTION, filter }, deps);
  assert.deepEqual(answer?.chunks, []);
  assert.match(answer?.summary ?? "", /meets the filter/);
});

test("a name that only documents outside the filter are about is not linked", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const named: QueryDeps = {
    ...deps,
    store: { ...deps.store, readIndexState: async () => ({ ...stateOf(1), graph: "bound" }) },
    graph: graphAbout("cold harbour", { versionId: 99, position: 0 }),
  };
  const question = { ...QUESTION, query: "When does the ferry to Cold Harbour leave?" };
  const filter = { sourceDocIds: ["ferry"], metadata: [] };
  assert.equal((await ask(question, named))?.strategyUsed, "hybrid_graph");
  assert.equal((await ask({ ...question, filter }, named))?.strategyUsed, "hybrid");
});

/** A document of 300 chunks that match best, and twelve short documents. */
function depsOverLongDocument(graph: IndexState["graph"]): QueryDeps {
  const chunks = Array.from({ length: 312 }, (_, at): StoredChunk & { readonly vector: Float32Array } => {
    const isLong = at < 300;
    const text = isLong ? `The ferry leaves at ${at} o'clock.` : `Ropes of pier ${at}.`;
    const document = isLong ? { versionId: 1, position: at } : { versionId: at, position: 0 };
    const vector = isLong ? VECTOR : Float32Array.of(0.6, 0.8, 0, 0);
    const sourceDocId = isLong ? "long" : `short ${at}`;
    return { ...document, sourceDocId, header: "", text, start: 0, end: text.length, vector };
  });
  const byKey = new Map(chunks.map((chunk) => [`${chunk.versionId}/${chunk.position}`, chunk]));
  const find = ({ versionId, position }: { versionId: number; position: number }) =>
    byKey.get(`${versionId}/${position}`) ?? null;
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const store: QueryDeps["store"] & { readSegment(): Promise<Uint8Array> } = {
    readPagesAt: async () => [],
    readIndexState: async () => {
      const state = stateOf(1);
      const segments = state.segments.map((segment) => ({ ...segment, chunkCount: chunks.length }));
      return { ...state, graph, segments };
    },
    readSegment: async () =>
      buildSegment(chunks.map((chunk) => ({ ...chunk, indexedText: chunk.text, metadata: {} }))),
    readVectors: async ({ keys }) => keys.map((key) => find(key)?.vector ?? null),
    readChunks: async ({ keys }) => keys.map(find),
    readHeads: neverRead,
  };
  const { cache, kernels } = createMemoryIndex(CACHE_BYTES);
  return {
    ...deps,
    store,
    kernels,
    segments: createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES }),
    graph: graphAbout("ferry", { versionId: 1, position: 7 }),
  };
}

const LAST_FIRST: QueryDeps["reranker"] = {
  model: "local/m@0",
  limitMs: 60_000,
  score: async (_question, passage) => Number(/(\d+) o'clock/.exec(passage)?.[1] ?? 0),
};

for (const [name, graph, reranker] of [
  ["the hybrid search", "none", null],
  ["the graph", "bound", null],
  ["a reranker", "none", LAST_FIRST],
  ["the graph and a reranker", "bound", LAST_FIRST],
] as const) {
  test(`no more chunks of one document than requested are returned or quoted in the order of ${name}`, async () => {
    const deps = { ...depsOverLongDocument(graph), reranker };
    const question = { ...QUESTION, query: "When does the Ferry leave?", topK: 8 };
    const plain = await ask(question, deps);
    assert.equal(
      plain?.strategyUsed,
      `hybrid${graph === "bound" ? "_graph" : ""}${reranker === null ? "" : "_rerank"}`,
    );
    assert.deepEqual(new Set(plain.chunks.map(({ sourceDocId }) => sourceDocId)), new Set(["long"]));
    for (const maxPerDocument of [1, 3]) {
      const limited = await ask({ ...question, maxPerDocument, explain: true }, deps);
      assert.ok(limited);
      const { chunks, summary, explanation } = limited;
      const long = chunks.filter(({ sourceDocId }) => sourceDocId === "long");
      assert.deepEqual([chunks.length, long.length], [8, maxPerDocument]);
      assert.equal(new Set(chunks.map(({ sourceDocId }) => sourceDocId)).size, 9 - maxPerDocument);
      for (const quoted of summary.match(/at \d+ o'clock/g) ?? [])
        assert.ok(
          long.some(({ text }) => text.includes(quoted)),
          summary,
        );
      assert.equal(explanation?.ranked.filter(({ isSummarized }) => isSummarized).length, 8);
      const reasons = explanation.dropped.map(({ sourceDocId, reason }) => [sourceDocId === "long", reason]);
      assert.ok(reasons.every(([isLong, reason]) => (reason === "beyondDocumentLimit") === isLong));
      assert.deepEqual(
        chunks.map(({ similarity }) => similarity),
        chunks.map(({ similarity }) => similarity).toSorted((one, other) => other - one),
      );
    }
  });
}

test("a static answer lists one step, the question with the chunks that it returns", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  assert.ok(!("steps" in ((await ask(QUESTION, deps)) ?? {})));
  const { steps, ...answer } = (await ask({ ...QUESTION, listSteps: true }, deps)) ?? {};
  assert.deepEqual(steps, [{ query: QUESTION.query, name: null, found: [{ versionId: 1, position: 0 }] }]);
  assert.deepEqual(answer, await ask(QUESTION, deps));
});
