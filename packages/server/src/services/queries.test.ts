import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { test } from "node:test";
import { createImportGraph } from "../../../../scripts/test/import-graph.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import { errors, ServiceError } from "../domain/errors.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import type { Answer } from "../domain/query.ts";
import { readNothing } from "../engine/query/dynamic/test-answerer.ts";
import type { VectorAnswerer } from "../ports/answerer.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import { type LanguageModel, ModelError } from "../ports/language-model.ts";
import type { RemoteReranker } from "../ports/reranker.ts";
import type { ProjectStore } from "../ports/store.ts";
import { createProjectDeletions, type ProjectDeletions } from "./project-deletions.ts";
import { createQueryService, type QueryRequest } from "./queries.ts";

type Project = Awaited<ReturnType<ProjectStore["findProject"]>>;

const PROJECT_ID = "prj_0123456789abcdef0123456789abcdef";
const CALLER = { accountId: "a", via: "api_key" } as const;
const REQUEST: QueryRequest = { query: "?", mode: "static", topK: 1, filter: null, cites: false };
const ANSWER: Answer = { strategyUsed: "hybrid", summary: "", entities: [], relationships: [], chunks: [] };
const SPACE: EmbeddingSpace = { model: "remote", dimensions: 2 };

interface World {
  readonly answer?: VectorAnswerer["answer"];
  readonly embed?: (space: EmbeddingSpace) => Promise<Float32Array>;
  readonly ownerId?: string;
  readonly maxConcurrent?: number | null;
  readonly reranker?: RemoteReranker;
  readonly hasTokens?: boolean;
  readonly deletions?: ProjectDeletions;
  readonly languageModel?: LanguageModel;
  readonly isGone?: () => boolean;
}

function createService({ answer, embed, ownerId = "a", maxConcurrent = null, ...world }: World) {
  const counted: unknown[] = [];
  const damaged = new Set<number>();
  const reported: number[] = [];
  const reads: string[] = [];
  const ignore = () => undefined;
  const service = createQueryService({
    store: {
      // Access compares the owner's account and reads nothing else.
      async findProject() {
        reads.push("findProject");
        return world.isGone?.() === true ? null : ({ accountId: ownerId } as Project);
      },
      reportDamagedSegment: async ({ segmentId }) => {
        const isNew = !damaged.has(segmentId);
        damaged.add(segmentId);
        return isNew;
      },
    },
    queryThreads: {
      answer: answer ?? (async () => ANSWER),
      passageReader: () => readNothing,
    },
    embedQuestion: (_question, space) => (embed ?? (async () => Float32Array.of(1, 0)))(space),
    languageModel: world.languageModel ?? null,
    reranker: world.reranker ?? null,
    allowance: { hasTokens: async () => world.hasTokens ?? true },
    deletions: world.deletions ?? createProjectDeletions({ findProject: async () => null }),
    meter: { count: (use) => void counted.push(use) },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    onDamageReported: () => void reported.push(damaged.size),
    onSummaryChecked: ignore,
    now: () => 0,
    maxConcurrent,
  });
  const ask = (request: Partial<QueryRequest> = {}) =>
    service.ask(CALLER, PROJECT_ID, () => ({ ...REQUEST, ...request }));
  return { ask, counted, reported, reads };
}

const refused = (kind: ServiceError["kind"], retryAfterSeconds: number | null) => (error: unknown) => {
  assert.ok(error instanceof ServiceError);
  assert.deepEqual([error.kind, error.retryAfterSeconds], [kind, retryAfterSeconds]);
  return true;
};

test("the main thread has no code that scores sentences or looks for names in passages", () => {
  const service = join(import.meta.dirname, "queries.ts");
  const root = join(import.meta.dirname, "../../../..");
  const reached = [...createImportGraph(root).reachedFrom(service).keys()].map((path) => basename(path));
  assert.ok(reached.includes("answer-built-in.ts"));
  const reading = [
    "summarize.ts",
    "summarize-score.ts",
    "read-passages.ts",
    "bridge-names.ts",
    "mentions.ts",
  ];
  assert.deepEqual(
    reading.filter((name) => reached.includes(name)),
    [],
  );
});

test("only an answered question is counted, and a dynamic one with all its steps once", async () => {
  let isDown = false;
  const { ask, counted } = createService({
    answer: async () => {
      if (isDown) throw new Error("down");
      return ANSWER;
    },
  });
  assert.equal(await ask(), ANSWER);
  assert.equal((await ask({ mode: "dynamic" })).strategyUsed, "dynamic_builtin_fact");
  isDown = true;
  await assert.rejects(ask(), /down/);
  const use = { accountId: "a", projectId: PROJECT_ID };
  assert.deepEqual(counted, [use, use]);
});

test("a question gets the vector that its project's space requires, and each space is embedded anew", async () => {
  const embedded: EmbeddingSpace[] = [];
  const moved: EmbeddingSpace = { model: "other", dimensions: 2 };
  const required = [SPACE, moved];
  const { ask } = createService({
    answer: async (_question, given) => {
      const [space] = required;
      if (space === undefined) return ANSWER;
      assert.deepEqual(given?.space, embedded.at(-1));
      required.shift();
      return { requiredSpace: space };
    },
    embed: async (space) => {
      embedded.push(space);
      return Float32Array.of(1, 0);
    },
  });
  assert.equal(await ask(), ANSWER);
  assert.deepEqual(embedded, [SPACE, moved]);
});

test("a project that requires another space each time is reported as being moved", async () => {
  let attempts = 0;
  const { ask } = createService({
    answer: async () => {
      attempts += 1;
      return { requiredSpace: { ...SPACE, dimensions: attempts } };
    },
  });
  await assert.rejects(ask(), refused("unavailable", 1));
  assert.equal(attempts, 4);
});

test("a provider without vectors makes the question unavailable, with the provider's reason", async () => {
  const { ask } = createService({
    answer: async () => ({ requiredSpace: SPACE }),
    embed: () => Promise.reject(new EmbeddingError("unavailable", "It gave no vectors.")),
  });
  await assert.rejects(ask(), refused("unavailable", 15));
  await assert.rejects(ask(), /It gave no vectors/);
});

test("a provider that may be asked again at a known time says this time", async () => {
  const { ask } = createService({
    answer: async (_question, embedded) => (embedded === null ? { requiredSpace: SPACE } : ANSWER),
    embed: () => Promise.reject(new EmbeddingError("unavailable", "It is to wait.", { retryAt: 29_500 })),
  });
  await assert.rejects(ask(), refused("unavailable", 30));
});

test("a damaged segment is reported once, and each question that meets it is unavailable", async () => {
  const { ask, reported } = createService({
    answer: async () => {
      throw new DamagedIndexError({ projectId: PROJECT_ID, segmentId: 7 }, new Error("bad checksum"));
    },
  });
  await assert.rejects(ask(), (error) => error instanceof ServiceError && error.kind === "unavailable");
  await assert.rejects(ask({ mode: "dynamic" }), (error) => error instanceof ServiceError);
  assert.deepEqual(reported, [1]);
});

test("an account runs a limited number of questions at once", async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { ask } = createService({ answer: () => promise, maxConcurrent: 1 });
  const first = ask();
  await assert.rejects(ask(), refused("too_many_requests", 1));
  resolve(ANSWER);
  await first;
  assert.equal(await ask(), ANSWER);
});

test("errors of a request are reported only to a caller who may see the project", async () => {
  const fails: World = { answer: () => Promise.reject(new Error("secret")), ownerId: "b" };
  await assert.rejects(createService(fails).ask(), refused("forbidden", null));
  await assert.rejects(createService({ ...fails, ownerId: "a" }).ask(), /secret/);
  const { ask, counted } = createService({ answer: async () => null });
  await assert.rejects(ask(), refused("not_found", null));
  assert.deepEqual(counted, []);
});

test("a question that nobody waits for any more is given up, in each of its steps, without a further read", async () => {
  const gone = new AbortController();
  const { ask, reads, counted } = createService({
    async answer(_question, _embedded, signal) {
      signal?.throwIfAborted();
      return ANSWER;
    },
  });
  await ask({ signal: gone.signal });
  gone.abort(errors.abandoned());
  for (const mode of ["static", "dynamic"] as const)
    await assert.rejects(ask({ mode, signal: gone.signal }), refused("abandoned", null));
  assert.deepEqual(reads, []);
  assert.equal(counted.length, 1);
});

test("a dynamic question whose project is deleted ends at once, with its call of the model, as one to no project", async () => {
  const deletions = createProjectDeletions({ findProject: async () => null });
  const chunk = { versionId: 1, position: 0, sourceDocId: "d", text: "t", start: 0, end: 1, similarity: 1 };
  let isGone = false;
  const aborted: unknown[] = [];
  const languageModel: LanguageModel = {
    nameOf: () => "test/model",
    async generate({ signal }) {
      isGone = true;
      deletions.report(PROJECT_ID);
      aborted.push(signal?.aborted);
      throw new ModelError("unavailable", "It was aborted.");
    },
  };
  const answer = async () => ({ ...ANSWER, chunks: [chunk] });
  const { ask, counted } = createService({ answer, languageModel, deletions, isGone: () => isGone });
  await assert.rejects(ask({ mode: "dynamic" }), refused("not_found", null));
  assert.deepEqual([aborted, counted], [[true], []]);
});

test("a reranker at a provider is asked for dynamic questions alone, and not for an account without tokens", async () => {
  let asked = 0;
  const reranker: RemoteReranker = {
    model: "remote/cross",
    limitMs: 1,
    async score(_question, passages) {
      asked += 1;
      return passages.map(() => 1);
    },
  };
  const chunk = { versionId: 1, position: 0, sourceDocId: "d", text: "t", start: 0, end: 1, similarity: 1 };
  const answer = async () => ({ ...ANSWER, chunks: [chunk] });
  const { ask } = createService({ answer, reranker });
  assert.equal((await ask()).strategyUsed, "hybrid");
  assert.equal(asked, 0);
  assert.equal((await ask({ mode: "dynamic" })).strategyUsed, "dynamic_builtin_fact_rerank");
  assert.equal(asked, 1);
  const limited = createService({ answer, reranker, hasTokens: false });
  const { strategyUsed } = await limited.ask({ mode: "dynamic" });
  assert.equal(strategyUsed, "dynamic_builtin_fact_token_limit");
  assert.equal(asked, 1);
});
