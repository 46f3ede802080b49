import assert from "node:assert/strict";
import { type Behaviour, commit, ingest, rowBytes, visibleWords } from "../scenario.ts";

export const ingestionBehaviours: readonly Behaviour[] = [
  [
    "accepted documents are pending jobs, listed newest first and found within their project only",
    async ({ store, project, accept }) => {
      const made = await project();
      const other = await project();
      const { projectId } = made;
      const { jobIds } = await accept(made, [
        ["a", "one"],
        ["b", "two"],
      ]);
      const [firstId = "", secondId = ""] = jobIds;
      const pending = {
        projectId,
        status: "pending",
        chunksProcessed: 0,
        nodesCreated: 0,
        edgesCreated: 0,
        startedAt: null,
        completedAt: null,
        errorMessage: null,
      };
      const first = { ...pending, jobId: firstId, sourceDocId: "a" };
      assert.deepEqual(await store.listJobs({ projectId, page: { limit: 10, offset: 0 } }), [
        { ...pending, jobId: secondId, sourceDocId: "b" },
        first,
      ]);
      assert.deepEqual(await store.listJobs({ projectId, page: { limit: 1, offset: 1 } }), [first]);
      assert.deepEqual(await store.findJob({ projectId, jobId: firstId }), first);
      assert.equal(await store.findJob({ projectId: other.projectId, jobId: firstId }), null);
    },
  ],
  [
    "documents for a project that is gone, or of another account, are refused",
    async ({ store, project, accept, id }) => {
      const made = await project();
      const refused = await accept(made, [["a", "one"]], { accountId: id("account") });
      assert.deepEqual(refused.outcome, { kind: "project_gone" });
      await store.deleteProject({ projectId: made.projectId });
      assert.deepEqual((await accept(made, [["a", "one"]])).outcome, { kind: "project_gone" });
    },
  ],
  [
    "the rate is counted over a sliding minute, and the refusal says to the millisecond when it ends",
    async ({ project, accept }) => {
      const made = await project();
      const at = async (now: number, requestsPerMinute = 2) =>
        (await accept(made, [[`d${now}`, "x"]], { now, requestsPerMinute })).outcome;
      const accepted = (requests: number, resetMs: number) => ({
        kind: "accepted",
        rate: { requests, resetMs },
      });
      assert.deepEqual(await at(100_000), accepted(1, 60_000));
      assert.deepEqual(await at(100_250), accepted(0, 59_750));
      assert.deepEqual(await at(100_900), { kind: "rate_limited", retryAfterMs: 59_100 });
      // Refused calls do not count.
      assert.deepEqual(await at(159_999), { kind: "rate_limited", retryAfterMs: 1 });
      assert.deepEqual(await at(160_000), accepted(0, 250));
      assert.deepEqual(await at(160_001), { kind: "rate_limited", retryAfterMs: 249 });
      // Under a lower limit the newest request decides.
      assert.deepEqual(await at(160_100, 1), { kind: "rate_limited", retryAfterMs: 59_900 });
    },
  ],
  [
    "requests made before the clock was set back hold an account up for no longer than a minute",
    async ({ project, accept }) => {
      const made = await project();
      const at = async (now: number) =>
        (await accept(made, [[`d${now}`, "x"]], { now, requestsPerMinute: 2 })).outcome;
      for (const now of [9_000_000, 9_000_001]) assert.equal((await at(now)).kind, "accepted");
      assert.deepEqual(await at(100_000), { kind: "rate_limited", retryAfterMs: 60_000 });
      assert.deepEqual(await at(159_999), { kind: "rate_limited", retryAfterMs: 1 });
      assert.equal((await at(160_000)).kind, "accepted");
    },
  ],
  [
    "limits on tokens, jobs and bytes refuse the whole call and leave nothing behind",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const documents = [
        ["a", "élan"],
        ["b", "two"],
      ] as const;
      const offer = async (options: object) => (await scenario.accept(made, documents, options)).outcome.kind;
      assert.equal(await offer({ maxPendingJobs: 1 }), "too_many_pending");
      const rows = rowBytes("a", "b");
      assert.equal(await offer({ maxStoredBytes: rows + 7 }), "too_many_bytes");
      const jobs = await store.listJobs({ projectId: made.projectId, page: { limit: 10, offset: 0 } });
      assert.deepEqual(jobs, []);
      assert.equal(await offer({ maxPendingJobs: 2, maxStoredBytes: rows + 8, tokenLimit: 1 }), "accepted");
      for (const _ of documents) await commit(store, await scenario.claim(), { tokens: 5 });
      assert.equal(await offer({ tokenLimit: 10 }), "token_limit");
      assert.equal(await offer({ tokenLimit: 11 }), "accepted");
      assert.equal(await offer({ tokenLimit: 10, month: "2031-05" }), "accepted");
    },
  ],
  [
    "text comes back as it was, with NUL, astral letters and combining marks, short and long",
    async (scenario) => {
      const made = await scenario.project();
      const texts = ["a\0b \u{1F600}e\u0301 \uFEFFz", `${"long text ".repeat(20_000)}\0\u{10FFFF}`];
      for (const [index, text] of texts.entries()) {
        await scenario.accept(made, [[`d${index}`, text]]);
        const claimed = await scenario.claim();
        assert.equal(claimed.jobs[0]?.text, text);
      }
      await ingest(scenario, await scenario.project(), [["d", "x"]]);
    },
  ],
  [
    "the head of a version is its first chunk and its metadata, in any order of the versions, of its own project alone",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const metadata = { date: "2014-02-03" };
      await ingest(scenario, made, [["a", "one two"]]);
      await ingest(scenario, made, [["b", "three four", metadata]]);
      const { projectId } = made;
      assert.deepEqual(await store.readHeads({ projectId, versionIds: [9, 2, 1] }), [
        null,
        { text: "three", metadata },
        { text: "one", metadata: {} },
      ]);
      const other = await scenario.project();
      assert.deepEqual(await store.readHeads({ projectId: other.projectId, versionIds: [1] }), [null]);
      assert.deepEqual(await store.readHeads({ projectId, versionIds: [] }), []);
    },
  ],
  [
    "chunks keep NUL and astral letters in text and header, and vectors their bits",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const text = "a\0b\u{1F600}";
      await ingest(scenario, made, [["d", `${text} plain`]]);
      const keys = [
        { versionId: 1, position: 1 },
        { versionId: 1, position: 7 },
        { versionId: 1, position: 0 },
      ];
      const chunks = await store.readChunks({ projectId: made.projectId, keys });
      assert.deepEqual(
        chunks.map((chunk) => chunk?.text ?? null),
        ["plain", null, text],
      );
      assert.deepEqual(chunks[2], {
        versionId: 1,
        sourceDocId: "d",
        position: 0,
        header: `Section of ${text}`,
        text,
        start: 0,
        end: text.length,
      });
    },
  ],
  [
    "document ids are told apart by every code unit, whatever a locale thinks of them",
    async (scenario) => {
      const made = await scenario.project();
      const ids = ["a", "A", "á", "a\u0301", "\u{1F600}", "\uFF5E", "ä".repeat(512), `${"ä".repeat(511)}a`];
      await ingest(
        scenario,
        made,
        ids.map((id, index) => [id, `w${index}`] as const),
      );
      const words = await visibleWords(scenario.store, made.projectId);
      assert.deepEqual(new Set(Object.keys(words)), new Set(ids));
    },
  ],
];
