import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimedJob } from "../domain/job.ts";
import { createReadingNames } from "../domain/ontology/read-names.ts";
import { ModelError } from "../ports/language-model.ts";
import { type CommitBatch, type CommitOutcome, type Store, StoreUnavailableError } from "../ports/store.ts";
import { nothingLeft } from "./processes.ts";
import { createProcessingService } from "./processing.ts";

const NO_FACTS = {
  entities: [],
  relationships: [],
  properties: [],
  aliases: [],
  candidates: [],
  unfit: [],
};

interface Script {
  readonly jobs: readonly ClaimedJob[];
  readonly commit: (batch: CommitBatch) => CommitOutcome;
  readonly embed?: (text: string) => Promise<Float32Array>;
  /** Called with each claim; throws where the claim should fail. */
  readonly claim?: () => void;
  /** Called for each request to the language model; throws where the model should fail. */
  readonly ask?: (text: string, signal: AbortSignal) => void | Promise<void>;
  /** No language model is configured. */
  readonly isWithoutModel?: boolean;
  /** Jobs that are cancelled. */
  readonly cancelled?: ReadonlySet<string>;
  /** A time at which the slice is over, and other jobs are ready. */
  readonly now?: () => number;
  /** Whether the claim completed jobs that needed no work. */
  readonly hasEnded?: boolean;
}

/** The service over a store that records what happens to the jobs. */
function createScripted({
  jobs,
  commit,
  embed,
  claim,
  ask,
  isWithoutModel,
  cancelled = new Set(),
  now = () => 0,
  hasEnded = false,
}: Script) {
  const seen = {
    committed: [] as string[],
    /** Times that a commit was told. */
    told: 0,
    released: 0,
    failed: [] as string[],
    /** Those of the failed jobs that are tried again. */
    postponed: [] as string[],
    asked: [] as string[],
    logged: [] as string[],
    /** The accounts that each claim leaves out. */
    leftOut: [] as (readonly string[])[],
  };
  const log = (event: string) => void seen.logged.push(event);
  const store: Pick<
    Store,
    | "applyVersionChanges"
    | "claimJobs"
    | "commitBatch"
    | "failJobs"
    | "findVectorsByHash"
    | "nextWork"
    | "releaseJobs"
    | "renewLease"
  > = {
    applyVersionChanges: async () => false,
    async claimJobs({ exceptAccounts = [] }) {
      claim?.();
      seen.leftOut.push(exceptAccounts);
      return { jobs, hasEnded };
    },
    commitBatch: async (batch) => {
      const outcome = commit(batch);
      if (outcome === "committed") {
        for (const { jobId, chunks } of batch.parts)
          seen.committed.push(...chunks.map((chunk) => `${jobId} ${chunk.position}`));
      }
      return outcome;
    },
    async failJobs({ jobIds, retryAt }) {
      seen.failed.push(...jobIds);
      if (retryAt !== null) seen.postponed.push(...jobIds);
    },
    findVectorsByHash: async () => new Map(),
    nextWork: async () => ({ readyNow: true, otherAccountsReady: 0, nextAt: null }),
    releaseJobs: async () => void seen.released++,
    renewLease: async () => jobs.map(({ jobId }) => jobId).filter((jobId) => !cancelled.has(jobId)),
  };
  const service = createProcessingService({
    store: store as Store, // The methods that processing uses.
    findLeftWork: nothingLeft,
    lanes: 2,
    isQueueShared: false,
    sliceMs: 1000,
    newLeaseToken: () => "lease",
    onCommit: () => void seen.told++,
    ending: new AbortController().signal,
    log: { debug: log, info: log, warn: log, error: log },
    ingest: {
      store,
      embedderFor: () => ({
        model: "test",
        dimensions: 1,
        countTokens: (text) => text.split(/\s+/).filter(Boolean).length,
        embed: embed ?? (async () => Float32Array.of(1)),
      }),
      namesOf: createReadingNames(),
      passages: {
        model: "another",
        dimensions: 1,
        read: async ({ sentences }) => ({
          vector: Float32Array.of(1),
          sentenceVectors: new Int8Array(sentences.length),
          statements: [],
          facts: NO_FACTS,
        }),
      },
      extractor:
        isWithoutModel === true
          ? null
          : {
              async ask({ chunk, signal }) {
                seen.asked.push(chunk.text);
                await ask?.(chunk.text, signal);
                return { isPaid: true, joinWith: (joined) => ({ own: null, joined }) };
              },
            },
      maxTokens: 64,
      batchChunks: 2,
      tokenLimit: null,
      leaseMs: 60_000,
      now,
      monthOf: () => "2031-04",
    },
  });
  return { service, seen };
}

function jobOf(name: string, sentences: number): ClaimedJob {
  return {
    jobId: name,
    projectId: "project",
    accountId: "account",
    sourceDocId: name,
    config: {
      embeddingModel: "model",
      embeddingDimensions: 4,
      chunkTokens: 8,
      chunkOverlapTokens: 0,
      extraction: "none",
    },
    ontology: null,
    versionId: 1 + name.charCodeAt(0),
    text: Array.from({ length: sentences }, (_, at) => `The ${name} number ${at} stands by the sea.`).join(
      " ",
    ),
    metadata: {},
    nextPosition: 0,
    replacesVersionId: null,
    attempts: 0,
    startedAt: 0,
  };
}

function modelJob(name: string, sentences: number): ClaimedJob {
  const job = jobOf(name, sentences);
  return { ...job, config: { ...job.config, extraction: "model" } };
}

test("a text that cannot be embedded fails alone, and committed chunks are not embedded again", async () => {
  const jobs = [jobOf("mill", 3), jobOf("poison", 3), jobOf("quay", 3)];
  const { service, seen } = createScripted({
    jobs,
    commit: () => "committed",
    embed: async (text) => {
      if (text.includes("poison number 2")) throw new Error("no vector");
      return Float32Array.of(1);
    },
  });
  await service.processNext(() => false);
  assert.deepEqual(seen.failed, ["poison"]);
  assert.equal(new Set(seen.committed).size, seen.committed.length);
  assert.deepEqual(
    seen.committed.filter((chunk) => !chunk.startsWith("poison")),
    ["mill 0", "mill 1", "mill 2", "quay 0", "quay 1", "quay 2"],
  );
});

test("while an account's job is worked on, the last lane claims for others, and afterwards for all again", async () => {
  const begun = Promise.withResolvers<void>();
  const embedded = Promise.withResolvers<Float32Array>();
  const { service, seen } = createScripted({
    jobs: [jobOf("mill", 1)],
    commit: () => "committed",
    embed: () => {
      begun.resolve();
      return embedded.promise;
    },
  });
  const first = service.processNext(() => false);
  await begun.promise;
  const second = service.processNext(() => false);
  embedded.resolve(Float32Array.of(1));
  await Promise.all([first, second]);
  await service.processNext(() => false);
  assert.deepEqual(seen.leftOut, [[], ["account"], []]);
});

test("jobs claimed together with one that reached the token limit do not wait until the lease expires", async () => {
  const { service, seen } = createScripted({ jobs: [jobOf("mill", 9)], commit: () => "token_limit" });
  await service.processNext(() => false);
  assert.equal(seen.released, 1);
  assert.deepEqual(seen.failed, []);
});

test("each batch that the store takes is told, and none that it does not take", async () => {
  const taken = createScripted({ jobs: [jobOf("mill", 3)], commit: () => "committed" });
  await taken.service.processNext(() => false);
  assert.ok(taken.seen.told > 0);
  const full = createScripted({
    jobs: [jobOf("mill", 3)],
    commit: () => {
      throw new StoreUnavailableError("disk_full", "The disk is full.", null);
    },
  });
  await full.service.processNext(() => false);
  assert.deepEqual([full.seen.told, full.seen.postponed], [0, ["mill"]]);
  assert.deepEqual(full.seen.logged, ["job_failed"]);
});

test("a claim that the database cannot answer fails", async () => {
  const { service } = createScripted({
    jobs: [],
    commit: () => "committed",
    claim: () => {
      throw new StoreUnavailableError("damaged", "The database file is damaged.", null);
    },
  });
  await assert.rejects(
    service.processNext(() => false),
    StoreUnavailableError,
  );
});

test("that jobs are ingested without their language model is logged once", async () => {
  const isWithoutModel = true;
  const { service, seen } = createScripted({
    ...{ jobs: [modelJob("mill", 1)], commit: () => "committed", isWithoutModel },
  });
  for (let turn = 0; turn < 3; turn++) await service.processNext(() => false);
  assert.deepEqual(
    seen.logged.filter((event) => event !== "jobs_worked"),
    ["extraction_without_model"],
  );
  const plain = createScripted({ jobs: [jobOf("mill", 1)], commit: () => "committed", isWithoutModel });
  await plain.service.processNext(() => false);
  assert.deepEqual(plain.seen.logged, ["jobs_worked"]);
});

test("jobs are released, not failed, when the embedder closes at shutdown", async () => {
  const { service, seen } = createScripted({
    jobs: [jobOf("mill", 3), jobOf("quay", 3)],
    commit: () => "committed",
    embed: () => Promise.reject(new Error("closed")),
  });
  await service.processNext(() => true);
  assert.equal(seen.released, 1);
  assert.deepEqual(seen.failed, []);
});

test("a job for which the language model fails is failed once, the others are completed, and no call is repeated", async () => {
  const { service, seen } = createScripted({
    jobs: [modelJob("mill", 2), modelJob("poison", 3), modelJob("quay", 3)],
    commit: () => "committed",
    ask(text) {
      if (text.includes("poison number 1")) throw new ModelError("timeout", "no answer");
    },
  });
  await service.processNext(() => false);
  assert.deepEqual(seen.failed, ["poison"]);
  assert.deepEqual(seen.committed, ["mill 0", "mill 1", "poison 0", "quay 0", "quay 1", "quay 2"]);
  assert.equal(seen.asked.filter((text) => text.includes("poison number 1")).length, 1);
  assert.equal(new Set(seen.asked).size, seen.asked.length);
});

test("the calls of a cancelled job end at once, the job is not failed, and the others continue", async () => {
  const cancelled = new Set<string>();
  const begun = Promise.withResolvers<void>();
  const { service, seen } = createScripted({
    jobs: [modelJob("mill", 3), modelJob("lost", 40), modelJob("quay", 3)],
    cancelled,
    commit: ({ parts }) => (parts.some(({ jobId }) => cancelled.has(jobId)) ? "lease_lost" : "committed"),
    ask(text, signal) {
      if (!text.includes("lost number")) return;
      begun.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (signal.aborted) reject(signal.reason);
      });
    },
  });
  const worked = service.processNext(() => false);
  await begun.promise;
  cancelled.add("lost");
  await service.checkLeases();
  await worked;
  assert.deepEqual(seen.failed, []);
  assert.equal(seen.released, 0);
  assert.deepEqual(seen.committed, ["mill 0", "mill 1", "mill 2", "quay 0", "quay 1", "quay 2"]);
  assert.ok(seen.asked.filter((text) => text.includes("lost number")).length <= 4);
});

test("after a fault of several jobs, the first that yields releases all, and no other is worked on without a lease", async () => {
  const jobs = ["mill", "quay", "lock", "dock", "pier"].map((name) => jobOf(name, 9));
  let isRecovered = false;
  let refused = 0;
  const embedded: string[] = [];
  const { service, seen } = createScripted({
    jobs,
    commit() {
      if (seen.released > 0) refused += 1;
      return seen.released > 0 ? "lease_lost" : "committed";
    },
    async embed(text) {
      if (!isRecovered) {
        isRecovered = true;
        throw new Error("a passing fault");
      }
      embedded.push(text);
      return Float32Array.of(1);
    },
    now: () => 2000 * embedded.length,
  });
  await service.processNext(() => false);
  assert.deepEqual([seen.released, refused, seen.failed], [1, 0, []]);
  assert.ok(seen.committed.length > 0 && seen.committed.every((chunk) => chunk.startsWith("mill")));
  const afterFault = embedded.slice(embedded.findLastIndex((text) => text.includes("number 0")));
  assert.ok(afterFault.every((text) => text.includes("mill")));
});

test("a job that has committed a batch since its last attempts is tried again after a fault", async () => {
  let embedded = 0;
  const { service, seen } = createScripted({
    jobs: [{ ...jobOf("mill", 9), attempts: 4 }],
    commit: () => "committed",
    async embed(text) {
      if (text.includes("number 4")) throw new Error("a passing fault");
      embedded += 1;
      return Float32Array.of(1);
    },
  });
  await service.processNext(() => false);
  assert.deepEqual(seen.committed, ["mill 0", "mill 1", "mill 2", "mill 3"]);
  assert.ok(embedded >= 4);
  assert.deepEqual(seen.postponed, ["mill"]);
});

test("the worker asks again where a claim completed jobs and found none to work on", async () => {
  for (const hasEnded of [true, false]) {
    const { service } = createScripted({ jobs: [], commit: () => "committed", hasEnded });
    assert.equal(await service.processNext(() => false), hasEnded);
  }
});
