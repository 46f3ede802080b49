import assert from "node:assert/strict";
import { listSpans, NO_SPANS } from "../../../src/domain/chunk-spans.ts";
import { type DocumentSearch, listDocuments } from "../../../src/services/document-list.ts";
import { searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, commit, ingest, month, rowBytes, type Scenario, visibleWords } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";

const all = { search: null, limit: 100, offset: 0 };

/** Id, status of the last job, and what is seen: `a completed 2`, `b pending -`. */
async function listed({ store }: Scenario, projectId: string, search: string | null = null) {
  const { documents, total } = await listDocuments(store, projectId, { ...all, search });
  assert.equal(total, documents.length);
  return documents.map(({ sourceDocId, job, seen }) =>
    [sourceDocId, job?.status, seen === null ? "-" : seen.chunkCount].join(" "),
  );
}

const deletion = { now: 9_000, errorMessage: "deleted" };

export const documentBehaviours: readonly Behaviour[] = [
  [
    "documents are listed by id, each with its last job and what is seen of it",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [
        ["b", "one two"],
        ["a", "three", { topic: "tides" }],
      ]);
      await scenario.accept(made, [
        ["b", "four"],
        ["c", "five"],
      ]);
      assert.deepEqual(await listed(scenario, projectId), ["a completed 1", "b pending 2", "c pending -"]);
      const page = { ...all, limit: 1, offset: 1 };
      const { documents, total } = await listDocuments(scenario.store, projectId, page);
      assert.equal(total, 3);
      const [document] = documents;
      assert(document);
      const { job, ...rest } = document;
      assert.deepEqual(rest, {
        sourceDocId: "b",
        createdAt: 1_000,
        updatedAt: 3_000,
        seen: { isComplete: true, chunkCount: 2, byteLength: 7, metadata: {} },
        sent: { byteLength: 4, metadata: {} },
      });
      assert.equal(job?.errorMessage, null);
    },
  ],
  [
    "a list of many documents is whole, in order and cut as asked for, with the metadata that is seen and that was sent",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const ids = Array.from({ length: 1_100 }, (_, at) => `${at % 2 === 0 ? "even" : "odd"} ${1_000 + at}`);
      await ingest(scenario, made, [["even 1000", "one", { topic: "old" }]]);
      await scenario.accept(
        made,
        ids.map((id) => [id, "two", { topic: id }]),
      );
      ids.sort();
      const list = async (part: Partial<DocumentSearch>) => {
        const page = await listDocuments(store, made.projectId, { ...all, ...part });
        return { ...page, ids: page.documents.map(({ sourceDocId }) => sourceDocId) };
      };
      for (const [limit, offset] of [
        [1_000, 0],
        [20, 1_015],
        [1_000, 1_090],
        [5, 5_000],
      ] as const) {
        const found = await list({ limit, offset });
        assert.deepEqual([found.ids, found.total], [ids.slice(offset, offset + limit), 1_100]);
      }
      const odd = await list({ search: "ODD", limit: 30, offset: 480 });
      assert.deepEqual([odd.ids, odd.total], [ids.slice(550 + 480, 550 + 510), 550]);
      const { documents } = await list({ limit: 2 });
      assert.deepEqual(
        documents.map(({ seen, sent }) => [seen?.metadata, sent?.metadata]),
        [
          [{ topic: "old" }, { topic: "even 1000" }],
          [undefined, { topic: "even 1002" }],
        ],
      );
      const [bare] = (await list({ withMetadata: false })).documents;
      assert.deepEqual([bare?.seen?.metadata, bare?.sent?.metadata, bare?.sent?.byteLength], [{}, {}, 24]);
    },
  ],
  [
    "documents are listed by their last update, either way round, over many steps, and by state",
    async (scenario) => {
      const made = await scenario.project();
      const list = async (part: Partial<DocumentSearch>) => {
        const { documents, total } = await listDocuments(scenario.store, made.projectId, { ...all, ...part });
        return [documents.map(({ sourceDocId }) => sourceDocId).join(" "), total];
      };
      await ingest(scenario, made, [
        ["d", "one"],
        ["a", "two"],
      ]);
      const { jobIds } = await scenario.accept(made, [["e", "three"]], { now: 4_000 });
      const { leaseToken } = await scenario.claim({ now: 4_500 });
      const failure = { jobIds, projectId: made.projectId, leaseToken, now: 5_000, errorMessage: "broken" };
      await scenario.store.failJobs({ ...failure, retryAt: null });
      await scenario.accept(made, [["c", "five"]], { now: 6_000 });
      await scenario.accept(made, [["d", "four"]], { now: 7_000 });
      assert.deepEqual(await list({}), ["a c d e", 4]);
      assert.deepEqual(await list({ order: { by: "id", isDescending: true } }), ["e d c a", 4]);
      const byUpdate = { by: "update", isDescending: false } as const;
      const newestFirst = { by: "update", isDescending: true } as const;
      assert.deepEqual(await list({ order: byUpdate }), ["a d e c", 4]);
      assert.deepEqual(await list({ order: newestFirst, limit: 2, offset: 1 }), ["e d", 4]);
      for (const [state, ids] of [
        ["indexed", "a"],
        ["replacing", "d"],
        ["pending", "c"],
        ["running", ""],
        ["failed", "e"],
      ] as const) {
        assert.deepEqual(await list({ state }), [ids, ids.length], state);
      }
      await scenario.claim({ now: 8_000 });
      assert.deepEqual(await list({ state: "running" }), ["c", 1]);

      const many = Array.from({ length: 1_100 }, (_, at) => `m${1_000 + at}`);
      await scenario.accept(
        made,
        many.map((id) => [id, "six"]),
        { now: 9_000 },
      );
      const [last] = await list({ order: newestFirst, limit: 3, offset: 1_098 });
      assert.equal(last, "m1001 m1000 c");
      assert.deepEqual(await list({ order: byUpdate, search: "m", limit: 2, offset: 1_098 }), [
        "m2098 m2099",
        1_100,
      ]);
      assert.deepEqual(await list({ order: { by: "id", isDescending: true }, limit: 2, offset: 1_099 }), [
        "m1000 e",
        1_104,
      ]);
    },
  ],
  [
    "the places of a document's chunks are all there, in order, however many",
    async (scenario) => {
      const made = await scenario.project();
      const count = 4_097;
      await ingest(scenario, made, [["a", "one ".repeat(count)]]);
      const content = await scenario.store.readDocument({ projectId: made.projectId, sourceDocId: "a" });
      assert.deepEqual(
        listSpans(content?.chunks ?? NO_SPANS).map(({ position }) => position),
        Array.from({ length: count }, (_, position) => position),
      );
    },
  ],
  [
    "a document whose first job failed without a chunk is still listed, with what it failed of",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      const { jobIds } = await scenario.accept(made, [["a", "one"]]);
      const { leaseToken } = await scenario.claim();
      const failure = { jobIds, projectId, leaseToken, now: 3_000, errorMessage: "broken", retryAt: null };
      await scenario.store.failJobs(failure);
      assert.deepEqual(await listed(scenario, projectId), ["a failed -"]);
      const content = await scenario.store.readDocument({ projectId, sourceDocId: "a" });
      assert.deepEqual([content?.text, content?.chunks.count], ["one", 0]);
      assert.equal(content?.document.job?.errorMessage, "broken");
    },
  ],
  [
    "nothing is kept of a document whose only job was cancelled but that it was sent",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      const { jobIds } = await scenario.accept(made, [["a", "one"]]);
      await scenario.store.cancelJob({ projectId, jobId: jobIds[0] ?? "", now: 3_000 });
      assert.deepEqual(await listed(scenario, projectId), ["a failed -"]);
      const content = await scenario.store.readDocument({ projectId, sourceDocId: "a" });
      assert.deepEqual([content?.text, content?.document.sent], [null, null]);
      assert.equal(
        await scenario.store.deleteDocument({ projectId, sourceDocId: "a", ...deletion }),
        "deleted",
      );
      assert.deepEqual(await listed(scenario, projectId), []);
    },
  ],
  [
    "a search takes every character as it is, and letters of ASCII in either case",
    async (scenario) => {
      const made = await scenario.project();
      const ids = ["Log%1", "log_2", "log!3", "ärger/ñ", "🙂 Log", "other"];
      await ingest(
        scenario,
        made,
        ids.map((id) => [id, "word"] as const),
      );
      const found = async (search: string) =>
        (await listed(scenario, made.projectId, search)).map((line) => line.replace(/ completed.*/, ""));
      assert.deepEqual(await found("LOG"), ["Log%1", "log!3", "log_2", "🙂 Log"]);
      assert.deepEqual(await found("%"), ["Log%1"]);
      assert.deepEqual(await found("_"), ["log_2"]);
      assert.deepEqual(await found("g!"), ["log!3"]);
      assert.deepEqual(await found("ger/ñ"), ["ärger/ñ"]);
      assert.deepEqual(await found("nothing"), []);
    },
  ],
  [
    "a document is read with the text and chunks that are seen, while another version is on its way",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a/ñ?", "one two"]]);
      await scenario.accept(made, [["a/ñ?", "three four"]]);
      const claimed = await scenario.claim();
      await commit(store, claimed, { count: 1 });
      const content = await store.readDocument({ projectId, sourceDocId: "a/ñ?" });
      assert.equal(content?.text, "one two");
      assert.deepEqual(listSpans(content?.chunks ?? NO_SPANS), [
        { versionId: 1, position: 0, start: 0, end: 3, page: null },
        { versionId: 1, position: 1, start: 10, end: 13, page: null },
      ]);
      assert.equal(content?.document.job?.status, "running");
      await commit(store, claimed, { from: 1 });
      const replaced = await store.readDocument({ projectId, sourceDocId: "a/ñ?" });
      assert.deepEqual([replaced?.text, replaced?.chunks.count], ["three four", 2]);
      assert.equal(await store.readDocument({ projectId, sourceDocId: "a" }), null);
      const other = await scenario.project();
      assert.equal(await store.readDocument({ projectId: other.projectId, sourceDocId: "a/ñ?" }), null);
    },
  ],
  [
    "a deleted document is gone at once with all its versions and jobs, and what it counted for is given back",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      const { jobIds } = await scenario.accept(made, [
        ["a", "four five"],
        ["a", "six"],
      ]);
      const claimed = await scenario.claim();
      await commit(store, claimed, { count: 1 });
      const before = await store.readIndexState({ projectId });
      assert.equal(await store.deleteDocument({ projectId, sourceDocId: "a", ...deletion }), "deleted");
      assert.deepEqual(await visibleWords(store, projectId), { b: ["three"] });
      assert.ok(
        ((await store.readIndexState({ projectId }))?.indexVersion ?? 0) > (before?.indexVersion ?? 0),
      );
      assert.deepEqual(await listed(scenario, projectId), ["b completed 1"]);
      assert.equal(await commit(store, claimed, { from: 1 }), "lease_lost");
      for (const jobId of jobIds) {
        const job = await store.findJob({ projectId, jobId });
        assert.deepEqual([job?.status, job?.errorMessage, job?.completedAt], ["failed", "deleted", 9_000]);
      }
      assert.deepEqual((await scenario.claim({ now: 1e9 })).jobs, []);
      assert.equal(await store.deleteDocument({ projectId, sourceDocId: "a", ...deletion }), "not_found");
      const limits = { maxPendingJobs: 1, maxStoredBytes: rowBytes("a", "b") + 8 };
      assert.equal((await scenario.accept(made, [["a", "new"]], limits)).outcome.kind, "accepted");
    },
  ],
  [
    "a document counts for itself as long as it is listed, also where its only job was cancelled",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      const stored = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      const long = "\u{1F600}".repeat(500);
      assert.ok(rowBytes(long) > 10 * Buffer.byteLength(long));
      const accept = async (maxStoredBytes: number | null) => {
        const twice = [long, "b", long].map((id) => [id, "one"] as const);
        return scenario.accept(made, twice, { maxStoredBytes });
      };
      const rows = rowBytes(long, "b");
      assert.equal((await accept(rows + 8)).outcome.kind, "too_many_bytes");
      const { outcome, jobIds } = await accept(rows + 9);
      assert.equal(outcome.kind, "accepted");
      assert.equal(await stored(), rows + 9);
      for (const jobId of jobIds) await store.cancelJob({ projectId, jobId, now: 5_000 });
      assert.equal((await listed(scenario, projectId)).length, 2);
      assert.equal(await stored(), rows);
      // What is listed already does not count again.
      assert.equal((await accept(rows + 9)).outcome.kind, "accepted");
      for (const sourceDocId of [long, "b"])
        assert.equal(await store.deleteDocument({ projectId, sourceDocId, ...deletion }), "deleted");
      assert.equal(await stored(), 0);
    },
  ],
  [
    "a deletion ends a bounded number of jobs at a time, the last ones first, and then the document",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const texts = Array.from({ length: 45 }, (_, at) => ["a", `word ${at}`] as const);
      const { jobIds } = await scenario.accept(made, texts);
      const statuses = async () => {
        const jobs = await Promise.all(jobIds.map((jobId) => store.findJob({ projectId, jobId })));
        return jobs.map((job) => job?.status);
      };
      const steps: string[] = [];
      const failed: number[] = [];
      for (let last = ""; last !== "deleted" && steps.length < 9; ) {
        last = await store.deleteDocument({ projectId, sourceDocId: "a", ...deletion });
        steps.push(last);
        const all = await statuses();
        failed.push(all.filter((status) => status === "failed").length);
        assert.equal(all.indexOf("failed"), 45 - (failed.at(-1) ?? 0));
        assert.deepEqual(await listed(scenario, projectId), last === "deleted" ? [] : ["a failed -"]);
      }
      assert.deepEqual(steps, ["more", "more", "deleted"]);
      assert.deepEqual(failed, [20, 40, 45]);
    },
  ],
  [
    "a document that is ingested again after its deletion is a new one",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "one"]]);
      await store.deleteDocument({ projectId, sourceDocId: "a", ...deletion });
      await scenario.accept(made, [["a", "one"]], { now: 20_000 });
      assert.equal(await commit(store, await scenario.claim({ now: 21_000 }), { now: 22_000 }), "committed");
      const [document] = (await listDocuments(store, projectId, all)).documents;
      assert.deepEqual([document?.createdAt, document?.updatedAt], [20_000, 22_000]);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });
    },
  ],
  [
    "what of the graph rests on a deleted document alone goes with it",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const texts = [
        ["a", "Ada>knows>Bob Cid"],
        ["b", "Ada>knows>Bob Dan!x"],
      ] as const;
      await ingest(scenario, made, texts, { graphOf });
      await store.deleteDocument({ projectId, sourceDocId: "a", ...deletion });
      const page = { limit: 10, offset: 0 };
      const { entities } = await store.listEntities({ projectId, page });
      assert.deepEqual(
        entities.map(({ key }) => key),
        ["ada", "bob"],
      );
      const { relationships } = await searchRelationships(store, {
        ...{ projectId, page },
        type: null,
        entityId: null,
      });
      assert.deepEqual(
        relationships.map(({ chunks }) => chunks),
        [1],
      );
      await store.deleteDocument({ projectId, sourceDocId: "b", ...deletion });
      assert.deepEqual(await store.readGraphTypes({ projectId }), { entities: [], relationships: [] });
    },
  ],
  [
    "a chunk is read with the texts beside it, only where it is seen",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "one two three"]]);
      await scenario.accept(made, [["a", "four five"]]);
      await commit(store, await scenario.claim(), { count: 1 });
      const at = (versionId: number, position: number) =>
        store.readChunkContext({ projectId, versionId, position });
      assert.deepEqual(await at(1, 1), {
        ...{ versionId: 1, position: 1, sourceDocId: "a" },
        ...{ start: 10, end: 13, text: "two", before: "one", after: "three" },
      });
      assert.equal((await at(1, 0))?.before, null);
      assert.equal((await at(1, 2))?.after, null);
      assert.equal(await at(1, 3), null);
      assert.equal(await at(2, 0), null);
      const other = await scenario.project();
      const foreign = { projectId: other.projectId, versionId: 1, position: 0 };
      assert.equal(await store.readChunkContext(foreign), null);
    },
  ],
];
