import assert from "node:assert/strict";
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import { jobErrorMessages } from "../../../src/domain/errors.ts";
import type { Project } from "../../../src/domain/project.ts";
import {
  type Behaviour,
  type Claimed,
  commit,
  ingest,
  LONG_AGO,
  month,
  rowBytes,
  type Scenario,
  TEST_SPACE,
  visibleWords,
} from "../scenario.ts";

export const NOW = 7_000;
/** Jobs of a reread that exist at a time. */
const QUEUED = 128;

export function start({ store }: Scenario, { projectId, accountId }: Project, limits: object = {}) {
  return store.startReread({
    ...{ projectId, accountId, now: NOW, month },
    ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
    ...limits,
  });
}

/** Claims and commits until no job is left; returns what was read, in order. */
export async function work(scenario: Scenario): Promise<readonly string[]> {
  const read: string[] = [];
  for (;;) {
    const held = await scenario.claim({ now: NOW });
    const [job] = held.jobs;
    if (job === undefined) return read;
    assert.equal(await commit(scenario.store, held, { tokens: 0, now: NOW }), "committed");
    read.push(job.sourceDocId);
  }
}

/** Like `work`, for many documents without a chunk: in one batch for each claim. */
async function workInBatches({ store, claim }: Scenario): Promise<readonly string[]> {
  const read: string[] = [];
  for (;;) {
    const { leaseToken, jobs } = await claim({ now: NOW, maxJobs: 1_000 });
    const [first] = jobs;
    if (first === undefined) return read;
    const outcome = await store.commitBatch({
      projectId: first.projectId,
      ...{ space: TEST_SPACE, leaseToken, now: NOW, leaseUntil: NOW + 1_000, segment: null },
      parts: jobs.map(({ jobId, versionId }) => ({
        jobId,
        versionId,
        chunks: [],
        tokens: 0,
        finished: true,
      })),
      ...{ tokenLimit: null, month },
    });
    assert.equal(outcome, "committed");
    read.push(...jobs.map((job) => job.sourceDocId));
  }
}

/** Status, processed, failed, total. */
export async function stateOf({ store }: Scenario, { projectId }: Project) {
  const reread = await store.findReread({ projectId });
  return reread && [reread.status, reread.documentsProcessed, reread.documentsFailed, reread.documentsTotal];
}

async function failHeld({ store }: Scenario, held: Claimed, errorMessage: string): Promise<void> {
  const [job] = held.jobs;
  assert(job);
  const failure = { jobIds: [job.jobId], projectId: job.projectId, leaseToken: held.leaseToken, now: NOW };
  await store.failJobs({ ...failure, errorMessage, retryAt: null });
}

function factOf(type: string) {
  return (chunk: EmbeddedChunk) => ({
    position: chunk.position,
    passage: new TextEncoder().encode(`${type}:${chunk.text}`),
    subjects: [],
  });
}

export const rereadBehaviours: readonly Behaviour[] = [
  [
    "each document is read again from its stored text, and is seen as it was until its job ends",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      const graphOf = factOf("old");
      await scenario.accept(project, [
        ["a", "one two", { lang: "en" }],
        ["b", "three"],
      ]);
      for (let held = await claim(); held.jobs.length > 0; held = await claim())
        await commit(store, held, { graphOf });
      assert.equal(await store.findReread({ projectId }), null);
      assert.deepEqual(await start(scenario, project), { kind: "accepted" });
      assert.deepEqual(await stateOf(scenario, project), ["running", 0, 0, 2]);
      const held = await claim({ now: NOW });
      const [job] = held.jobs;
      assert.deepEqual(
        [job?.sourceDocId, job?.text, job?.metadata, job?.nextPosition, job?.replacesVersionId],
        ["a", "one two", { lang: "en" }, 0, 1],
      );
      const first = { projectId, keys: [{ versionId: 1, position: 0 }] };
      const decode = (bytes: Uint8Array | null | undefined) => bytes && new TextDecoder().decode(bytes);
      await commit(store, held, { count: 1, tokens: 0, graphOf: factOf("new"), now: NOW });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"], b: ["three"] });
      assert.equal(decode((await store.readPassages(first))[0]), "old:one");
      await commit(store, held, { from: 1, tokens: 0, graphOf: factOf("new"), now: NOW });
      assert.deepEqual(await stateOf(scenario, project), ["running", 1, 0, 2]);
      assert.equal((await store.readPassages(first))[0], null);
      const versionId = job?.versionId ?? 0;
      const again = await store.readPassages({ projectId, keys: [{ versionId, position: 0 }] });
      assert.equal(decode(again[0]), "new:one");
      assert.deepEqual(await work(scenario), ["b"]);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"], b: ["three"] });
      assert.deepEqual(await stateOf(scenario, project), ["completed", 2, 0, 2]);
      assert.equal((await store.readDocument({ projectId, sourceDocId: "a" }))?.text, "one two");
      // Neither tokens nor documents nor bytes are counted again: "one two" with its metadata, and "three".
      const [use] = await store.listUsage({ accountId, from: "1970-01-01", to: "1970-01-01" });
      assert.deepEqual([use?.tokens, use?.documents], [3, 2]);
      const bytes = rowBytes("a", "b", "c") + 7 + 13 + 5;
      const full = await scenario.accept(project, [["c", "x"]], { maxStoredBytes: bytes });
      assert.equal(full.outcome.kind, "too_many_bytes");
      const fits = await scenario.accept(project, [["c", "x"]], { maxStoredBytes: bytes + 1 });
      assert.equal(fits.outcome.kind, "accepted");
    },
  ],
  [
    "a second start while it runs adds nothing, and one after its end reads everything again",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one"]]);
      await start(scenario, project);
      assert.deepEqual(await start(scenario, project, { requestsPerMinute: 0 }), { kind: "accepted" });
      assert.equal((await store.listJobs({ projectId, page: { limit: 9, offset: 0 } })).length, 2);
      assert.deepEqual(await work(scenario), ["a"]);
      await start(scenario, project);
      assert.deepEqual(await work(scenario), ["a"]);
      assert.deepEqual(await stateOf(scenario, project), ["completed", 1, 0, 1]);
    },
  ],
  [
    "a bounded number of jobs exists at a time, and each that ends brings the next",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      const count = QUEUED + 20;
      const names = Array.from({ length: count }, (_, at) => `d${String(at).padStart(3, "0")}`);
      await scenario.accept(
        project,
        names.map((name) => [name, ""]),
      );
      assert.equal((await workInBatches(scenario)).length, count);
      await start(scenario, project);
      const jobs = () => store.listJobs({ projectId, page: { limit: 1_000, offset: 0 } });
      assert.equal((await jobs()).length, count + QUEUED);
      assert.deepEqual(await stateOf(scenario, project), ["running", 0, 0, count]);
      // A new document of the account waits for these only.
      await scenario.accept(project, [["new", ""]]);
      const read = await workInBatches(scenario);
      assert.deepEqual(read, [...names.slice(0, QUEUED), "new", ...names.slice(QUEUED)]);
      assert.deepEqual(await stateOf(scenario, project), ["completed", count, 0, count]);
    },
  ],
  [
    "versions that are not to be read are passed in bounded steps, and the documents behind them are found",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["first", "one"]]);
      // More than one transaction looks at.
      const names = Array.from({ length: 400 }, (_, at) => [`d${at}`, "x"] as const);
      await scenario.accept(project, names);
      const { leaseToken, jobs } = await claim({ maxJobs: names.length });
      const jobIds = jobs.map(({ jobId }) => jobId);
      const failure = { jobIds, projectId, leaseToken, now: NOW };
      await store.failJobs({ ...failure, errorMessage: "broken", retryAt: null });
      await ingest(scenario, project, [
        ["last", "two"],
        ["very last", "three"],
      ]);
      await start(scenario, project);
      const newest = async () => {
        const listed = await store.listJobs({ projectId, page: { limit: 2, offset: 0 } });
        return listed.map(({ sourceDocId }) => sourceDocId);
      };
      assert.deepEqual(await newest(), ["first", "very last"]);
      await commit(store, await claim({ now: NOW }), { tokens: 0, now: NOW });
      assert.deepEqual(await newest(), ["very last", "last"]);
      assert.deepEqual(await work(scenario), ["last", "very last"]);
      assert.deepEqual(await stateOf(scenario, project), ["completed", 3, 0, 3]);
    },
  ],
  [
    "documents that are replaced or deleted meanwhile are not read again",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
        ["c", "three"],
        ["d", "four"],
      ]);
      // Its job is before that of the reread, which so finds another version.
      await scenario.accept(project, [
        ["a", "new"],
        ["b", "two"],
      ]);
      await start(scenario, project);
      await store.deleteDocument({
        ...{ projectId, sourceDocId: "c", now: NOW, errorMessage: jobErrorMessages.documentDeleted },
      });
      const replacing = await scenario.accept(project, [["d", "last"]]);
      assert.deepEqual(await work(scenario), ["a", "b", "d", "d"]);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["new"], b: ["two"], d: ["last"] });
      assert.equal(
        (await store.findJob({ projectId, jobId: replacing.jobIds[0] ?? "" }))?.status,
        "completed",
      );
      assert.deepEqual(await stateOf(scenario, project), ["completed", 4, 0, 4]);
      assert.deepEqual((await claim()).jobs, []);
    },
  ],
  [
    "documents whose first ingest waits at the start are not read twice",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      await ingest(scenario, project, [["a", "one"]]);
      await scenario.accept(project, [
        ["b", "two three"],
        ["c", "four"],
      ]);
      const held = await claim({ now: NOW });
      await commit(store, held, { count: 1, now: NOW });
      await start(scenario, project);
      await commit(store, held, { from: 1, now: NOW });
      assert.deepEqual(await work(scenario), ["c", "a"]);
      assert.deepEqual(await stateOf(scenario, project), ["completed", 1, 0, 1]);
    },
  ],
  [
    "a killed worker's job is read again from where it was, and what is queued stays queued",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      await start(scenario, project);
      const held = await claim({ now: NOW });
      await commit(store, held, { count: 1, tokens: 0, now: NOW });
      await store.expireAllLeases({ now: LONG_AGO });
      const again = await claim({ now: NOW });
      assert.deepEqual([again.jobs[0]?.sourceDocId, again.jobs[0]?.nextPosition], ["a", 1]);
      await commit(store, again, { tokens: 0, now: NOW });
      assert.deepEqual(await work(scenario), ["b"]);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"], b: ["three"] });
      assert.deepEqual(await stateOf(scenario, project), ["completed", 2, 0, 2]);
    },
  ],
  [
    "one that is cancelled leaves every document as it is seen",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      assert.equal(await store.cancelReread({ projectId, now: NOW }), "none");
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two three"],
        ["c", "four"],
      ]);
      await start(scenario, project);
      await commit(store, await claim({ now: NOW }), { tokens: 0, now: NOW });
      const held = await claim({ now: NOW });
      await commit(store, held, { count: 1, tokens: 0, now: NOW });
      assert.equal(await store.cancelReread({ projectId, now: NOW }), "cancelled");
      assert.equal(await store.cancelReread({ projectId, now: NOW + 1 }), "cancelled");
      assert.equal(await commit(store, held, { from: 1, tokens: 0, now: NOW }), "lease_lost");
      assert.deepEqual(await visibleWords(store, projectId), {
        a: ["one"],
        b: ["two", "three"],
        c: ["four"],
      });
      assert.deepEqual(await stateOf(scenario, project), ["cancelled", 1, 0, 3]);
      assert.equal((await store.findReread({ projectId }))?.completedAt, NOW);
      assert.deepEqual(await store.nextWork({ now: 1e6 }), { readyNow: false });
      const bytes = rowBytes("a", "b", "c", "x") + 3 + 9 + 4;
      const full = await scenario.accept(project, [["x", "y"]], { maxStoredBytes: bytes, maxPendingJobs: 1 });
      assert.equal(full.outcome.kind, "too_many_bytes");
    },
  ],
  [
    "a job that fails is counted, and reads its document again when it is retried",
    async (scenario) => {
      const { store, claim, id } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      await ingest(scenario, project, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      await start(scenario, project);
      const failed: string[] = [];
      for (let round = 0; round < 2; round++) {
        const held = await claim({ now: NOW });
        failed.push(held.jobs[0]?.jobId ?? "");
        await failHeld(scenario, held, "broken");
      }
      assert.deepEqual(await stateOf(scenario, project), ["completed", 2, 2, 2]);
      const retry = (failedJobId = "") =>
        store.retryJob({
          ...{ projectId, accountId, failedJobId, jobId: id("job"), now: NOW, month },
          ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
        });
      assert.deepEqual(await retry(failed[0]), { kind: "accepted" });
      assert.equal((await retry(failed[0])).kind, "sent_again");
      assert.deepEqual(await work(scenario), ["a"]);
      assert.deepEqual(await retry(failed[0]), { kind: "text_gone" });
      await ingest(scenario, project, [["b", "other"]]);
      assert.deepEqual(await retry(failed[1]), { kind: "text_gone" });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"], b: ["other"] });
    },
  ],
  [
    "it ends when the account has used its tokens",
    async (scenario) => {
      const { claim } = scenario;
      const project = await scenario.project();
      const names = Array.from({ length: QUEUED }, (_, at) => [`d${at}`, ""] as const);
      await ingest(scenario, project, [["first", "word"]]);
      await scenario.accept(project, names);
      await workInBatches(scenario);
      await start(scenario, project);
      const held = await claim({ now: NOW });
      const outcome = await commit(scenario.store, held, { tokens: 1, tokenLimit: 1, now: NOW });
      assert.equal(outcome, "token_limit");
      assert.deepEqual(await stateOf(scenario, project), ["failed", 1, 1, QUEUED + 1]);
      const state = await scenario.store.findReread({ projectId: project.projectId });
      assert.equal(state?.errorMessage, jobErrorMessages.tokenLimit);
      assert.equal((await workInBatches(scenario)).length, QUEUED - 1);
    },
  ],
];
