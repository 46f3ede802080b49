import assert from "node:assert/strict";
import type { Metadata } from "../../../src/domain/metadata.ts";
import {
  type Behaviour,
  commit,
  hasUsed,
  ingest,
  rowBytes,
  type Scenario,
  TEST_SPACE,
  visibleWords,
} from "../scenario.ts";

/** Accepts one document and gives the claim of its job, if there is one. */
async function offer(scenario: Scenario, document: { text: string; metadata: Metadata }) {
  const project = await scenario.project();
  const again = async ({ text, metadata } = document) => {
    const { jobIds } = await scenario.accept(project, [["a", text, metadata]]);
    return { jobId: jobIds[0] ?? "", claimed: await scenario.claim() };
  };
  return { project, again, ...(await again()) };
}

export const metadataBehaviours: readonly Behaviour[] = [
  [
    "metadata comes back with the claimed job as it was, and none as none",
    async (scenario) => {
      const metadata: Metadata = Object.fromEntries<string | number>([
        ["10", "ten"],
        ["9", -0.1],
        ["__proto__", 'a\u0301\u{1F600}\n"\\\u2028'],
        ["Z", Number.MAX_SAFE_INTEGER],
        ["a", 5e-324],
        ["\uFF5E", ""],
        ["\u{1F600}", 1e-7],
      ]);
      const { claimed } = await offer(scenario, { text: "one", metadata });
      const [job] = claimed.jobs;
      assert.deepEqual(new Map(Object.entries(job?.metadata ?? {})), new Map(Object.entries(metadata)));
      const plain = await offer(scenario, { text: "one", metadata: {} });
      assert.deepEqual(plain.claimed.jobs[0]?.metadata, {});
    },
  ],
  [
    "the same text with the same metadata, whatever the order of its keys, completes at once",
    async (scenario) => {
      const { store } = scenario;
      const text = "one two";
      const first = await offer(scenario, { text, metadata: { lang: "de", kind: 1, "9": 2 } });
      await commit(store, first.claimed, { tokens: 2 });
      const second = await first.again({ text, metadata: { "9": 2, kind: 1, lang: "de" } });
      assert.deepEqual(second.claimed.jobs, []);
      const job = await store.findJob({ projectId: first.project.projectId, jobId: second.jobId });
      assert.deepEqual([job?.status, job?.chunksProcessed], ["completed", 2]);
      assert(await hasUsed(scenario, first.project, 2));
    },
  ],
  [
    "the same text with other metadata, or none, replaces the document and may take its vectors",
    async (scenario) => {
      const { store } = scenario;
      const text = "one two";
      const made = await offer(scenario, { text, metadata: { year: 1931 } });
      const { projectId } = made.project;
      await commit(store, made.claimed, { tokens: 2 });
      for (const metadata of [{ year: "1931" }, {}, { year: 1931, lang: "de" }]) {
        const before = await store.readIndexState({ projectId });
        const { claimed, jobId } = await made.again({ text, metadata });
        const [job] = claimed.jobs;
        assert(job);
        assert.deepEqual([job.jobId, job.nextPosition, job.metadata], [jobId, 0, metadata]);
        assert(job.replacesVersionId !== null);
        const hashes = ["hash of one", "hash of two"];
        const known = await store.findVectorsByHash({
          projectId,
          versionId: job.replacesVersionId,
          space: TEST_SPACE,
          hashes,
        });
        assert.equal(known.size, 2);
        assert.equal(await commit(store, claimed, { tokens: 0 }), "committed");
        assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"] });
        const after = await store.readIndexState({ projectId });
        assert.equal(after?.segments.length, 1);
        assert.notEqual(after?.segments[0]?.segmentId, before?.segments[0]?.segmentId);
      }
      assert(await hasUsed(scenario, made.project, 2));
    },
  ],
  [
    "a failed version is gone on with by the same text and metadata, and by nothing else",
    async (scenario) => {
      const { store } = scenario;
      const text = "one two three";
      const metadata = { lang: "de" };
      for (const [next, position] of [
        [metadata, 1],
        [{ lang: "da" }, 0],
        [{}, 0],
      ] as const) {
        const { claimed, project, again } = await offer(scenario, { text: "old", metadata });
        await commit(store, claimed);
        const failing = await again({ text, metadata });
        await commit(store, failing.claimed, { count: 1 });
        await store.failJobs({
          jobIds: [failing.jobId],
          projectId: project.projectId,
          leaseToken: failing.claimed.leaseToken,
          now: 3_000,
          errorMessage: "no",
          retryAt: null,
        });
        const resumed = await again({ text, metadata: next });
        assert.equal(resumed.claimed.jobs[0]?.nextPosition, position);
        assert.deepEqual(resumed.claimed.jobs[0]?.metadata, next);
        assert.equal(await commit(store, resumed.claimed), "committed");
        assert.deepEqual(await visibleWords(store, project.projectId), { a: ["one", "two", "three"] });
        const state = await store.readIndexState({ projectId: project.projectId });
        const alive = state?.segments.map((segment) => segment.chunkCount - segment.deadChunkCount) ?? [];
        assert.equal(
          alive.reduce((sum, count) => sum + count, 0),
          3,
        );
      }
    },
  ],
  [
    "the bytes of metadata count as stored until the document is replaced or its project deleted",
    async (scenario) => {
      const { store } = scenario;
      const accountId = scenario.id("account");
      const made = await scenario.project({ accountId });
      const other = await scenario.project({ accountId });
      /** Of twelve bytes as JSON, with a text of three. */
      const document = ["a", "one", { k: "\u00e9\u00e9" }] as const;
      const rows = rowBytes("a");
      const offers = async (bytes: number, maxStoredBytes = rows + bytes) =>
        (await scenario.accept(other, [], { maxStoredBytes })).outcome.kind === "accepted";
      const fits = (bytes: number) => scenario.accept(made, [document], { maxStoredBytes: rows + bytes });
      assert.equal((await fits(14)).outcome.kind, "too_many_bytes");
      assert.equal((await fits(15)).outcome.kind, "accepted");
      await commit(store, await scenario.claim());
      assert.deepEqual([await offers(14), await offers(15)], [false, true]);
      await ingest(scenario, made, [["a", "one"]]);
      assert.deepEqual([await offers(2), await offers(3)], [false, true]);
      await ingest(scenario, made, [document]);
      await store.deleteProject({ projectId: made.projectId });
      assert(await offers(0, 0));
    },
  ],
];
