import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ClaimedJob } from "../../domain/job.ts";
import { createReadingNames } from "../../domain/ontology/read-names.ts";
import { ModelError } from "../../ports/language-model.ts";
import { type CommitBatch, type CommitOutcome, StoreUnavailableError } from "../../ports/store.ts";
import { openSegment } from "../index/segment.ts";
import { ExtractionSkippedError } from "./extract/model/create-model-extractor.ts";
import { LeaseLostError } from "./lease-lost.ts";
import { type IngestClaim, type IngestDeps, ingestJobs, JobsFailedError } from "./pipeline.ts";

const BATCH_CHUNKS = 4;
/** Not that of `createPorts`' embedder. */
const OTHER_SPACE = { model: "another", dimensions: 2 };

/** Ports that record what is embedded and what is committed. */
function createPorts(outcomes: readonly CommitOutcome[] = []) {
  const embedded: string[] = [];
  const committed: CommitBatch[] = [];
  const deps: IngestDeps = {
    store: {
      commitBatch: async (batch) => {
        committed.push(batch);
        return outcomes[committed.length - 1] ?? "committed";
      },
      findVectorsByHash: async () => new Map(),
      applyVersionChanges: async () => false,
    },
    embedderFor: () => ({
      model: "test",
      dimensions: 2,
      countTokens: (text) => text.split(/\s+/).filter(Boolean).length,
      embed: async (text) => {
        embedded.push(text);
        return Float32Array.of(1, 0);
      },
    }),
    passages: { ...OTHER_SPACE, read: () => Promise.reject(new Error("This project keeps no graph.")) },
    namesOf: createReadingNames(),
    extractor: null,
    maxTokens: 64,
    batchChunks: BATCH_CHUNKS,
    tokenLimit: null,
    leaseMs: 1000,
    now: () => 0,
    monthOf: () => "2031-04",
  };
  return { embedded, committed, deps };
}

test("a commit that finds the project locked is tried again, with what was embedded for it", async () => {
  const { embedded, committed, deps } = createPorts();
  let refusals = 2;
  const commitBatch: IngestDeps["store"]["commitBatch"] = (batch) => {
    if (refusals-- > 0) return Promise.reject(new StoreUnavailableError("busy", "locked", undefined));
    return deps.store.commitBatch(batch);
  };
  const claim: IngestClaim = {
    ...{ leaseToken: "lease", jobs: [jobOf("lighthouse", 3)], shouldYield: async () => false },
    ...{ onCommitted: () => undefined, signalOf: () => new AbortController().signal },
  };
  const busy = { ...deps, store: { ...deps.store, commitBatch } };
  assert.equal(await ingestJobs(claim, busy), "done");
  assert.equal(committed.length, 1);
  assert.equal(embedded.length, 3);
  refusals = 1;
  // Where the jobs are held no longer, and for any other fault, the error goes on.
  const lost = { ...claim, signalOf: () => AbortSignal.abort(new Error("stopping")) };
  await assert.rejects(ingestJobs(lost, busy), /locked/);
});

function jobOf(name: string, sentences: number): ClaimedJob {
  const text = Array.from(
    { length: sentences },
    (_, at) => `The ${name} number ${at} stands by the sea.`,
  ).join(" ");
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
    versionId: 1 + name.length,
    text,
    metadata: {},
    nextPosition: 0,
    replacesVersionId: null,
    attempts: 0,
    startedAt: 0,
  };
}

const NO_FACTS = {
  entities: [],
  relationships: [],
  properties: [],
  aliases: [],
  candidates: [],
  unfit: [],
};

/** Ports with a language model, which fails for chunks whose text contains "broken". */
function createModelPorts(isPaid = true) {
  const ports = createPorts();
  const asked: string[] = [];
  const deps: IngestDeps = {
    ...ports.deps,
    tokenLimit: 10,
    passages: {
      ...OTHER_SPACE,
      read: async ({ sentences }) => ({
        vector: Float32Array.of(0, 1),
        sentenceVectors: new Int8Array(sentences.length),
        statements: [],
        facts: NO_FACTS,
      }),
    },
    extractor: {
      async ask({ chunk }) {
        asked.push(chunk.text);
        if (chunk.text.includes("broken")) throw new ModelError("timeout", "no answer");
        return { isPaid, joinWith: (joined) => ({ own: null, joined }) };
      },
    },
  };
  return { ...ports, asked, deps };
}

function modelJob(name: string, sentences: number): ClaimedJob {
  const job = jobOf(name, sentences);
  return { ...job, config: { ...job.config, extraction: "model" } };
}

function claimOf(jobs: readonly ClaimedJob[], changes: Partial<IngestClaim> = {}): IngestClaim {
  const { signal } = new AbortController();
  const claim = { leaseToken: "lease", jobs, shouldYield: async () => false, onCommitted() {} };
  return { ...claim, signalOf: () => signal, ...changes };
}

test("every chunk of every job is committed once, and each job ends with a finished part", async () => {
  const { embedded, committed, deps } = createPorts();
  const jobs = [jobOf("mill", 11), jobOf("lighthouse", 2)];
  assert.equal(await ingestJobs(claimOf(jobs), deps), "done");
  const parts = committed.flatMap((batch) => batch.parts);
  assert.equal(parts.flatMap((part) => part.chunks).length, embedded.length);
  for (const job of jobs) {
    const own = parts.filter((part) => part.jobId === job.jobId);
    const positions = own.flatMap((part) => part.chunks.map((chunk) => chunk.position));
    assert.deepEqual(positions, [...positions.keys()]);
    assert.deepEqual(
      own.map((part) => part.finished),
      [...own.slice(1).map(() => false), true],
    );
  }
});

test("each document is indexed with its own metadata", async () => {
  const { committed, deps } = createPorts();
  const mill = { ...jobOf("mill", 1), metadata: { kind: "building", year: 1850 } };
  const lake = { ...jobOf("lake", 1), versionId: mill.versionId + 1, metadata: { kind: "water" } };
  assert.equal(await ingestJobs(claimOf([mill, lake]), deps), "done");
  const bytes = committed[0]?.segment;
  assert.ok(bytes instanceof Uint8Array);
  const segment = openSegment(bytes);
  for (const [kind, sources] of [
    ["building", ["mill"]],
    ["water", ["lake"]],
  ] as const) {
    const marked = new Uint8Array(segment.documentCount);
    segment.markDocuments({ key: "kind", anyOf: [kind] }, marked);
    const found = [...marked.keys()].filter((place) => marked[place] === 1);
    assert.deepEqual(
      found.map((place) => segment.sourceDocIdAt(place)),
      sources,
    );
  }
});

test("work that yields commits everything that it has embedded", async () => {
  const { embedded, committed, deps } = createPorts();
  const outcome = await ingestJobs(claimOf([jobOf("mill", 40)], { shouldYield: async () => true }), deps);
  assert.equal(outcome, "yielded");
  assert.equal(committed.length, 1);
  assert.equal(embedded.length, BATCH_CHUNKS);
});

test("only batches that the store accepted are reported as committed", async () => {
  const { committed, deps } = createPorts(["committed", "lease_lost"]);
  const reported: unknown[] = [];
  const claim = claimOf([jobOf("mill", 40)], { onCommitted: (parts) => void reported.push(parts) });
  assert.equal(await ingestJobs(claim, deps), "lease_lost");
  assert.equal(committed.length, 2);
  assert.deepEqual(reported, [committed[0]?.parts]);
});

test("the graph follows a batch in steps before the next batch, unless the work is to yield", async () => {
  for (const yields of [false, true]) {
    const { committed, deps } = createPorts(["changes_left"]);
    const steps: number[] = [];
    const store: IngestDeps["store"] = {
      ...deps.store,
      async applyVersionChanges({ projectId }) {
        assert.equal(projectId, "project");
        return steps.push(committed.length) < 3;
      },
    };
    const claim = claimOf([jobOf("mill", 6)], { shouldYield: async () => yields && committed.length > 0 });
    assert.equal(await ingestJobs(claim, { ...deps, store }), yields ? "yielded" : "done");
    assert.deepEqual(steps, yields ? [1] : [1, 1, 1]);
    assert.equal(committed.length, 2);
  }
});

test("chunks before the first failed one are committed, and other jobs continue", async () => {
  const { committed, deps } = createModelPorts();
  const failing = modelJob("mill", 6);
  const broken = { ...failing, text: failing.text.replace("mill number 2", "broken mill number 2") };
  const lake = { ...modelJob("lighthouse", 1), versionId: 77 };
  const thrown = await ingestJobs(claimOf([lake, broken]), deps).catch((error: unknown) => error);
  assert.ok(thrown instanceof JobsFailedError);
  assert.deepEqual(
    thrown.failedJobs.map(({ jobId, error }) => [jobId, error instanceof ModelError]),
    [["mill", true]],
  );
  const parts = committed.flatMap((batch) => batch.parts);
  assert.deepEqual(
    parts.map((part) => [part.jobId, part.chunks.length, part.graph?.length, part.finished]),
    [
      ["lighthouse", 1, 1, true],
      ["mill", 2, 2, false],
    ],
  );
  const tokens = parts.map((part) => part.chunks.reduce((sum, { tokenCount }) => sum + tokenCount, 0));
  assert.deepEqual(
    parts.map((part) => part.tokens),
    tokens,
  );
});

test("a job whose first chunk fails commits nothing", async () => {
  const { committed, deps } = createModelPorts();
  const job = modelJob("mill", 3);
  const broken = { ...job, text: `A broken start. ${job.text}` };
  await assert.rejects(ingestJobs(claimOf([broken]), deps), JobsFailedError);
  assert.deepEqual(committed, []);
});

test("chunks for which a model was paid are committed even when the token limit is reached", async () => {
  for (const isPaid of [true, false]) {
    const { committed, deps } = createModelPorts(isPaid);
    await ingestJobs(claimOf([modelJob("mill", 1)]), deps);
    assert.deepEqual(
      committed.map(({ tokenLimit }) => tokenLimit),
      [isPaid ? null : 10],
    );
  }
});

test("a project without model extraction never calls the model", async () => {
  const { asked, deps } = createModelPorts();
  const job = jobOf("mill", 3);
  for (const extraction of ["none", "built_in"] as const)
    await ingestJobs(claimOf([{ ...job, config: { ...job.config, extraction } }]), deps);
  assert.deepEqual(asked, []);
});

test("without a configured model the built-in engine alone reads the chunks", async () => {
  const { committed, deps } = createModelPorts();
  assert.equal(await ingestJobs(claimOf([modelJob("mill", 1)]), { ...deps, extractor: null }), "done");
  assert.equal(committed.length, 1);
});

/** Ports with a language model whose replies the test controls. */
function createHeldPorts() {
  const ports = createModelPorts();
  const open: { readonly text: string; readonly end: (error?: Error) => void }[] = [];
  const deps: IngestDeps = {
    ...ports.deps,
    extractor: {
      ask: ({ chunk, isWanted }) =>
        new Promise((resolve, reject) => {
          const answer = { isPaid: true, joinWith: (joined: typeof NO_FACTS) => ({ own: null, joined }) };
          const end = (error?: Error) => {
            if (error !== undefined) reject(error);
            else if (isWanted()) resolve(answer);
            else reject(new ExtractionSkippedError());
          };
          open.push({ text: chunk.text, end });
        }),
    },
  };
  return { ...ports, deps, open };
}

async function turnsPass(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

test("while the model answers for one batch it is asked about the next one, but not about a third", async () => {
  const { deps, open, committed } = createHeldPorts();
  const worked = ingestJobs(claimOf([modelJob("mill", 40)]), deps);
  await turnsPass();
  assert.equal(open.length, 2 * BATCH_CHUNKS);
  for (const { end } of open.slice(0, BATCH_CHUNKS)) end();
  await turnsPass();
  assert.equal(committed.length, 1);
  assert.equal(open.length, 3 * BATCH_CHUNKS);
  let isOver = false;
  void worked.finally(() => {
    isOver = true;
  });
  for (let ended = BATCH_CHUNKS; !isOver && ended < 100; await turnsPass()) {
    for (const { end } of open.slice(ended)) end();
    ended = open.length;
  }
  assert.equal(await worked, "done");
  assert.equal(new Set(open.map(({ text }) => text)).size, open.length);
});

test("after a failure no further batch is started, and started batches of other jobs are committed", async () => {
  const { deps, open, committed } = createHeldPorts();
  const jobs = [modelJob("bad", 3), modelJob("quay", 4), modelJob("lakes", 9)];
  const worked = ingestJobs(claimOf(jobs), deps).catch((error: unknown) => error);
  await turnsPass();
  const asked = open.length;
  const [first, ...others] = open;
  first?.end(new ModelError("timeout", "no answer"));
  for (const { text, end } of others) if (!text.includes("bad")) end();
  for (const { end } of others) end();
  const thrown = await worked;
  assert.ok(thrown instanceof JobsFailedError, String(thrown));
  assert.deepEqual(
    thrown.failedJobs.map(({ jobId }) => jobId),
    ["bad"],
  );
  assert.equal(open.length, asked);
  assert.deepEqual(
    [...new Set(committed.flatMap(({ parts }) => parts.map(({ jobId }) => jobId)))],
    ["quay", "lakes"],
  );
});

test("calls that are no longer needed end before the jobs are released, so that no call is made twice in parallel", async () => {
  const { deps, open } = createHeldPorts();
  const store = { ...deps.store, commitBatch: async () => "lease_lost" as const };
  let outcome: string | null = null;
  const worked = ingestJobs(claimOf([modelJob("mill", 40)]), { ...deps, store }).then((ended) => {
    outcome = ended;
  });
  await turnsPass();
  for (const { end } of open.slice(0, BATCH_CHUNKS)) end();
  await turnsPass();
  assert.equal(outcome, null);
  for (const { end } of open) end();
  await worked;
  assert.equal(outcome, "lease_lost");
});

test("nothing of a job whose lease is lost is committed, and the other jobs are completed", async () => {
  const { deps, open, committed } = createHeldPorts();
  const lost = new AbortController();
  const { signal } = new AbortController();
  const signalOf = (jobId: string) => (jobId === "lost" ? lost.signal : signal);
  const worked = ingestJobs(claimOf([modelJob("lost", 2), modelJob("quay", 2)], { signalOf }), deps);
  await turnsPass();
  lost.abort(new LeaseLostError());
  for (const { end } of open) end();
  await assert.rejects(worked, JobsFailedError);
  assert.deepEqual([...new Set(committed.flatMap(({ parts }) => parts.map(({ jobId }) => jobId)))], ["quay"]);
});

test("What reads a chunk for the graph by the project's model also embeds it; by another model it does not.", async () => {
  for (const isSame of [true, false]) {
    const { deps, committed, embedded } = createModelPorts();
    const passages = isSame ? { ...deps.passages, model: "test" } : deps.passages;
    await ingestJobs(claimOf([modelJob("lighthouse", 2)]), { ...deps, passages });
    const chunks = committed.flatMap(({ parts }) => parts.flatMap((part) => part.chunks));
    assert.equal(chunks.length, 2);
    assert.deepEqual(
      chunks.map(({ vector }) => [...vector]),
      chunks.map(() => (isSame ? [0, 1] : [1, 0])),
    );
    assert.equal(embedded.length, isSame ? 0 : 2);
  }
});
