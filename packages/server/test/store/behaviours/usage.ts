import assert from "node:assert/strict";
import { type Behaviour, commit, ingest, rowBytes } from "../scenario.ts";

/** Behaviours accept at 1 s and commit at 3 s after the epoch. */
const day = "1970-01-01";
const noModel = { modelCalls: 0, modelTokens: 0 };
const range = { from: day, to: day };

export const usageBehaviours: readonly Behaviour[] = [
  [
    "what is accepted and committed is counted by day and project, and questions are added to it",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { accountId, projectId } = made;
      await ingest(scenario, made, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      const expected = { projectId, day, tokens: 3, documents: 2, chunks: 3, queries: 0, ...noModel };
      assert.deepEqual(await store.listUsage({ accountId, ...range }), [expected]);
      const count = { accountId, projectId, day };
      await store.addQueries({ counts: [{ ...count, queries: 2 }] });
      await store.addQueries({
        counts: [
          { ...count, day: "1970-01-03", queries: 5 },
          { ...count, queries: 1 },
        ],
      });
      assert.deepEqual(await store.listUsage({ accountId, ...range }), [{ ...expected, queries: 3 }]);
      const later = await store.listUsage({ accountId, from: "1970-01-02", to: "1970-01-03" });
      assert.deepEqual(later, [
        { ...expected, day: "1970-01-03", tokens: 0, documents: 0, chunks: 0, queries: 5 },
      ]);
      const stranger = { accountId: scenario.id("account"), ...range };
      assert.deepEqual(await store.listUsage(stranger), []);
    },
  ],
  [
    "calls of language models are listed with the rest, those outside of projects too",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { accountId, projectId } = made;
      await ingest(scenario, made, [["a", "one two"]]);
      const use = { accountId, jobId: null, model: "m", day, calls: 1, costMicros: 0 };
      const tokens = { inputTokens: 30, outputTokens: 4 };
      const record = (extra: { projectId: string | null; task: "planning" | "suggestion" }) =>
        store.recordModelUse({ use: { ...use, ...tokens, ...extra }, reply: null });
      await record({ projectId, task: "planning" });
      await record({ projectId, task: "suggestion" });
      await record({ projectId: null, task: "suggestion" });
      const none = { day, tokens: 0, documents: 0, chunks: 0, queries: 0 };
      assert.deepEqual(await store.listUsage({ accountId, ...range }), [
        { ...none, projectId: null, modelCalls: 1, modelTokens: 34 },
        { ...none, projectId, tokens: 2, documents: 1, chunks: 2, modelCalls: 2, modelTokens: 68 },
      ]);
    },
  ],
  [
    "a refused ingest and a lost batch count nothing; what deleted projects used stays, as one row a day",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { accountId, projectId } = made;
      await scenario.accept(made, [["a", "one"]], { maxStoredBytes: 1 });
      assert.deepEqual(await store.listUsage({ accountId, ...range }), []);
      await scenario.accept(made, [["a", "one"]]);
      const claimed = await scenario.claim();
      assert.equal(await commit(store, claimed, { leaseToken: "another" }), "lease_lost");
      await store.deleteProject({ projectId });
      const used = { projectId: null, day, tokens: 0, documents: 1, chunks: 0, queries: 0, ...noModel };
      assert.deepEqual(await store.listUsage({ accountId, ...range }), [used]);
      const other = await scenario.project({ accountId });
      await store.addQueries({ counts: [{ accountId, projectId: other.projectId, day, queries: 1 }] });
      await store.deleteProject({ projectId: other.projectId });
      // They are counted some seconds after they were answered.
      const late = [projectId, other.projectId].map((id) => ({ accountId, projectId: id, day, queries: 2 }));
      await store.addQueries({ counts: late });
      assert.deepEqual(await store.listUsage({ accountId, ...range }), [{ ...used, queries: 5 }]);
    },
  ],
  [
    "days that are older than 400 are one sum of their project, until that is deleted",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const gone = await scenario.project();
      const { accountId, projectId } = made;
      await ingest(scenario, made, [["a", "one two"]]);
      await ingest(scenario, gone, [["a", "one two three"]]);
      const count = { accountId, projectId, queries: 1 };
      await store.addQueries({ counts: [1, 2, 3].map((at) => ({ ...count, day: `1970-01-0${at}` })) });
      await store.deleteProject({ projectId: gone.projectId });
      const all = { from: "1970-01-01", to: "1971-12-31" };
      const clear = async (days: number) => {
        while (await store.reclaim({ now: days * 86_400_000, maxPages: 1_000 }));
      };
      await clear(400);
      assert.equal((await store.listUsage({ accountId, ...all })).length, 3);
      await clear(402);
      const kept = await store.listUsage({ accountId, ...all });
      assert.deepEqual(
        kept.map((row) => row.day),
        ["1970-01-03"],
      );
      assert.deepEqual(await store.listUsage({ accountId: gone.accountId, ...all, from: "" }), []);
      await clear(403);
      const earlier = { accountId, from: "", to: "" };
      const sum = { projectId, day: "", tokens: 2, documents: 1, chunks: 2, queries: 3, ...noModel };
      assert.deepEqual(await store.listUsage(earlier), [sum]);
      assert.deepEqual(await store.listUsage({ accountId, ...all }), []);
      assert.equal((await store.readProjectNumbers({ projectId }))?.tokens, 2);
      await store.deleteProject({ projectId });
      assert.deepEqual(await store.listUsage(earlier), []);
    },
  ],
  [
    "an account's use of what is limited is its tokens of the month and the bytes that it stores",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { accountId } = made;
      await ingest(scenario, made, [["a", "one two"]]);
      const use = (month: string) => store.readAccountUse({ accountId, month });
      const storedBytes = 7 + rowBytes("a");
      assert.deepEqual(await use("2031-04"), { tokens: 2, storedBytes });
      assert.deepEqual(await use("2031-05"), { tokens: 0, storedBytes });
      const stranger = { accountId: scenario.id("account"), month: "2031-04" };
      assert.deepEqual(await store.readAccountUse(stranger), { tokens: 0, storedBytes: 0 });
    },
  ],
  [
    "the numbers of a project are those of its documents, of what is seen of them, and of its jobs",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      const { jobIds } = await scenario.accept(made, [
        ["a", "four"],
        ["c", "five"],
        ["d", "six"],
      ]);
      const { leaseToken } = await scenario.claim({ maxJobs: 2 });
      const failed = {
        jobIds: jobIds.slice(0, 1),
        projectId,
        leaseToken,
        now: 5_000,
        errorMessage: "broken",
      };
      await store.failJobs({ ...failed, retryAt: null });
      const { indexVersion, ...numbers } = (await store.readProjectNumbers({ projectId })) ?? {
        indexVersion: 0,
      };
      assert.ok(indexVersion >= 2);
      assert.deepEqual(numbers, {
        ...{ documents: 4, chunks: 3, bytes: 12, segments: 2, tokens: 3, lastIngestedAt: 3_000 },
        jobs: { pending: 1, running: 1, completed: 2, failed: 1 },
      });
      assert.equal(await store.readProjectNumbers({ projectId: "none" }), null);
    },
  ],
];
