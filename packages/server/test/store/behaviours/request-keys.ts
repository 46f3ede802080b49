import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import type { CreatingCall, OnceOutcome } from "../../../src/ports/event-store.ts";
import { type Behaviour, month, type Scenario } from "../scenario.ts";

const DAY_MS = 24 * 60 * 60_000;

interface Request {
  readonly key?: string;
  readonly fingerprint?: string;
  readonly now?: number;
  readonly limits?: object;
  readonly answer?: string;
}

/** Accepts one document under a key. */
function ingestOnce(scenario: Scenario, project: Project, request: Request = {}): Promise<OnceOutcome> {
  const { key = "key", fingerprint = "print", now = 1_000, answer } = request;
  const jobId = scenario.id("job");
  const call: CreatingCall = {
    name: "acceptDocuments",
    input: {
      projectId: project.projectId,
      accountId: project.accountId,
      now,
      documents: [{ jobId, sourceDocId: "a", text: "one", metadata: {} }],
      ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null, month },
      ...request.limits,
    },
  };
  return scenario.store.performOnce({
    request: { key, fingerprint },
    accountId: project.accountId,
    now,
    answer: answer ?? jobId,
    call,
  });
}

async function countJobs({ store }: Scenario, { projectId }: Project): Promise<number> {
  return (await store.listJobs({ projectId, page: { limit: 100, offset: 0 } })).length;
}

export const requestKeyBehaviours: readonly Behaviour[] = [
  [
    "a request is carried out once for its key, and answered each time as at first, for a day",
    async (scenario) => {
      const project = await scenario.project();
      const first = await ingestOnce(scenario, project, { answer: "made ä\0" });
      assert.deepEqual(first, { kind: "done", result: { kind: "accepted" } });
      const again = { kind: "answered", answer: "made ä\0" };
      assert.deepEqual(await ingestOnce(scenario, project), again);
      assert.deepEqual(await ingestOnce(scenario, project, { fingerprint: "other" }), { kind: "differs" });
      assert.deepEqual(await ingestOnce(scenario, project, { now: 1_000 + DAY_MS - 1 }), again);
      assert.equal(await countJobs(scenario, project), 1);
      const find = (fingerprint: string, now: number, { accountId } = project) =>
        scenario.store.findAnswer({ request: { key: "key", fingerprint }, accountId, now });
      assert.deepEqual(await find("print", 1_000), again);
      assert.deepEqual(await find("other", 1_000), { kind: "differs" });
      assert.equal(await find("print", 1_000 + DAY_MS), null);
      assert.equal(await find("print", 1_000, await scenario.project({ accountId: "another" })), null);
      const later = await ingestOnce(scenario, project, { now: 1_000 + DAY_MS, fingerprint: "other" });
      assert.equal(later.kind, "done");
      assert.equal(await countJobs(scenario, project), 2);
    },
  ],
  [
    "a key is its account's own",
    async (scenario) => {
      const [mine, theirs] = [await scenario.project(), await scenario.project()];
      assert.equal((await ingestOnce(scenario, mine)).kind, "done");
      assert.equal((await ingestOnce(scenario, theirs, { fingerprint: "other" })).kind, "done");
    },
  ],
  [
    "a request that is refused leaves its key free",
    async (scenario) => {
      const project = await scenario.project();
      const refused = await ingestOnce(scenario, project, { limits: { maxPendingJobs: 0 } });
      assert.deepEqual(refused, { kind: "done", result: { kind: "too_many_pending" } });
      assert.equal((await ingestOnce(scenario, project, { fingerprint: "other" })).kind, "done");
      assert.equal(await countJobs(scenario, project), 1);
    },
  ],
  [
    "of many requests at once with one key one is carried out, and the others are answered like it",
    async (scenario) => {
      const project = await scenario.project();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => ingestOnce(scenario, project)));
      assert.equal(outcomes.filter(({ kind }) => kind === "done").length, 1);
      assert.equal(outcomes.filter(({ kind }) => kind === "answered").length, 11);
      assert.equal(await countJobs(scenario, project), 1);
    },
  ],
  [
    "an operation that fails takes the key back with it",
    async (scenario) => {
      const project = await scenario.project();
      // A document without a text is nothing that can be stored.
      const broken = { documents: [{ jobId: null, sourceDocId: null, text: "x", metadata: {} }] };
      await assert.rejects(ingestOnce(scenario, project, { limits: broken }));
      assert.equal((await ingestOnce(scenario, project)).kind, "done");
    },
  ],
  [
    "a new key removes those of the day before",
    async (scenario) => {
      const project = await scenario.project();
      await ingestOnce(scenario, project, { now: 1_000 });
      await ingestOnce(scenario, project, { now: 1_000 + DAY_MS, key: "next" });
      assert.equal((await ingestOnce(scenario, project, { now: 1_001, fingerprint: "other" })).kind, "done");
    },
  ],
  [
    "keys of accounts that come no more are removed in time",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      await ingestOnce(scenario, project, { now: 1_000 });
      await store.reclaim({ now: 1_000 + 25 * 60 * 60_000, maxPages: 0 });
      assert.equal((await ingestOnce(scenario, project, { now: 1_001, fingerprint: "other" })).kind, "done");
    },
  ],
];
