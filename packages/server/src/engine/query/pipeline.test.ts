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

const notAsked = () => Promise.reject(new Error("No graph is kept here."));
const NO_GRAPH: QueryDeps["graph"] = {
  findAbout: notAsked,
  findByEnds: notAsked,
  readPassages: notAsked,
  findEntitiesByKeys: notAsked,
  findEntitiesIn: notAsked,
  readEntities: notAsked,
  findRelationships: notAsked,
  readMembers: notAsked,
  listChunksOf: notAsked,
};

/** A document of one chunk, replaced again and again: each version has a segment of its own. */
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
  assert.ok(answer === null || "chunks" in answer, "The project is of the bundled model's space.");
  return answer;
}

/** A store in which the version `visible()` says is there; asked once for the state and once for the vectors. */
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
  };
  const { cache, kernels } = createMemoryIndex(CACHE_BYTES);
  const embedder = { model: "m", dimensions: 4, embed: async () => VECTOR, countTokens: () => 1 };
  return {
    store,
    graph: NO_GRAPH,
    edgeTypes: { read: notAsked },
    levels: { readPlan: async () => null, readNodes: notAsked },
    embedder,
    kernels,
    segments: createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES }),
  };
}

test("a version that is switched between two reads is looked for again, not answered as nothing", async () => {
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

test("a project that changes at every look is answered with a request to try again", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 2 }));
  await assert.rejects(ask(QUESTION, deps), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, "unavailable");
    return true;
  });
});

test("only a project without a visible chunk is told to be empty", async () => {
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

test("a project of another model's vectors is searched with a vector of that model alone", async () => {
  const space = { model: "other", dimensions: 4 };
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const moved: QueryDeps = {
    ...deps,
    store: { ...deps.store, readIndexState: async () => ({ ...stateOf(1), space }) },
  };
  assert.deepEqual(await answerQuestion(QUESTION, moved), { requiredSpace: space });
  const ofAnother = { space: { ...space, dimensions: 5 }, vector: Float32Array.of(1, 0, 0, 0, 0) };
  assert.deepEqual(await answerQuestion(QUESTION, moved, ofAnother), { requiredSpace: space });
  const answer = await answerQuestion(QUESTION, moved, { space, vector: VECTOR });
  assert.ok(answer !== null && "chunks" in answer);
  assert.equal(answer.chunks.length, 1);
});

test("a project that is gone has no answer", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const gone: QueryDeps = { ...deps, store: { ...deps.store, readIndexState: async () => null } };
  assert.equal(await ask(QUESTION, gone), null);
});

test("a segment that is marked for repair is not searched, even where a sound copy is in memory", async () => {
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

test("a filter that leaves nothing is told apart from an empty project", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const filter = { sourceDocIds: ["other"], metadata: [] };
  const answer = await ask({ ...QUESTION, filter }, deps);
  assert.deepEqual(answer?.chunks, []);
  assert.match(answer?.summary ?? "", /meets the filter/);
});

test("a name that only documents outside of the filter are about links nothing", async () => {
  const deps = depsOver(() => ({ state: 1, vectors: 1 }));
  const named: QueryDeps = {
    ...deps,
    store: { ...deps.store, readIndexState: async () => ({ ...stateOf(1), graph: "bound" }) },
    graph: {
      findAbout: async ({ names }) =>
        new Map(
          names
            .filter((name) => name === "cold harbour")
            .map((name) => {
              const passage = { name, versionId: 99, position: 0, kind: "title" as const };
              return [name, { documents: 1, passages: [passage] }] as const;
            }),
        ),
      findByEnds: async () => new Map(),
      readPassages: async ({ keys }) => keys.map(() => null),
      findEntitiesByKeys: async () => [],
      findEntitiesIn: async () => [],
      readEntities: async () => [],
      findRelationships: async () => [],
      readMembers: async () => [],
      listChunksOf: async () => [],
    },
  };
  const question = { ...QUESTION, query: "When does the ferry to Cold Harbour leave?" };
  const filter = { sourceDocIds: ["ferry"], metadata: [] };
  assert.equal((await ask(question, named))?.strategyUsed, "hybrid_graph");
  assert.equal((await ask({ ...question, filter }, named))?.strategyUsed, "hybrid");
});
