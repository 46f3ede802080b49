import assert from "node:assert/strict";
import { listSpans, NO_SPANS } from "../../../src/domain/chunk-spans.ts";
import { type Behaviour, commit, ingest, month, rowBytes, visibleWords } from "../scenario.ts";
import {
  claimFile,
  convert,
  encode,
  readFile,
  receive,
  sendFiles,
  storedBytes,
  upkeep,
} from "./file-scene.ts";

const HOUR = 60 * 60_000;
/** The number of a page and its start. */
const PAGE_BYTES = 8;

export const fileBehaviours: readonly Behaviour[] = [
  [
    "a file becomes a document with its text, its pages and its original in pieces",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["a", ["one ", "two three"], { year: 1994 }]]);
      assert.deepEqual((await scenario.claim()).jobs, []);
      const unread = await store.readDocument({ projectId, sourceDocId: "a" });
      assert.equal(unread?.text, null);
      assert.deepEqual(unread?.document.file, { name: "a.txt", mediaType: null, byteLength: 13 });

      const held = await claimFile(scenario);
      assert.deepEqual(
        { ...held.job, contentId: null },
        {
          jobId,
          projectId,
          accountId: made.accountId,
          sourceDocId: "a",
          metadata: { year: 1994 },
          contentId: null,
          name: "a.txt",
          byteLength: 13,
          isMember: false,
          isAddress: false,
          attempts: 0,
          startedAt: 2_000,
        },
      );
      const pages = [
        { page: 1, start: 5 },
        { page: 3, start: 10 },
      ];
      assert.equal(await convert(scenario, held, pages), "stored");
      assert.equal(await commit(store, await scenario.claim()), "committed");
      assert.equal((await store.findJob({ projectId, jobId }))?.status, "completed");
      const content = await store.readDocument({ projectId, sourceDocId: "a" });
      assert.equal(content?.text, "one two three");
      assert.deepEqual(
        listSpans(content?.chunks ?? NO_SPANS).map(({ start, page }) => [start, page]),
        [
          [0, null],
          [10, 3],
          [20, 3],
        ],
      );
      assert.deepEqual(content?.document.file, { name: "a.txt", mediaType: "text/plain", byteLength: 13 });
      const file = await store.findFile({ projectId, sourceDocId: "a" });
      assert.equal(await readFile(store, projectId, file?.contentId ?? ""), "one two three");
      const keys = [0, 1].map((position) => ({ versionId: 1, position }));
      const chunks = await store.readChunks({ projectId, keys });
      assert.deepEqual(
        chunks.map((chunk) => chunk?.place),
        [
          { page: null, section: "Section of one" },
          { page: 3, section: "Section of two" },
        ],
      );
      const context = await store.readChunkContext({ projectId, versionId: 1, position: 1 });
      assert.deepEqual(context?.place, { page: 3, section: "Section of two" });
    },
  ],
  [
    "a content is stored once in a project, and counted until its last document is gone",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await sendFiles(scenario, made, [
        ["a", ["one ", "two"]],
        ["b", ["one two"]],
      ]);
      await sendFiles(scenario, made, [["c", ["one two"]]]);
      assert.equal(await storedBytes(scenario, made), 7);
      for (let files = 0; files < 3; files++) await convert(scenario, await claimFile(scenario));
      const held = await scenario.claim({ maxJobs: 3 });
      for (const job of held.jobs) await commit(store, held, { job });
      assert.deepEqual(await visibleWords(store, projectId), {
        a: ["one", "two"],
        b: ["one", "two"],
        c: ["one", "two"],
      });
      assert.equal(await storedBytes(scenario, made), 7 + 3 * 7);
      const { contentId = "" } = (await store.findFile({ projectId, sourceDocId: "c" })) ?? {};
      const remove = (sourceDocId: string) =>
        store.deleteDocument({ projectId, sourceDocId, now: 5_000, errorMessage: "deleted" });
      await remove("a");
      await ingest(scenario, made, [["b", "three"]]);
      await upkeep(scenario, 6_000);
      assert.equal(await readFile(store, projectId, contentId), "one two");
      assert.equal(await storedBytes(scenario, made), 7 + 5 + 7);
      await remove("c");
      assert.equal(await storedBytes(scenario, made), 5);
      await upkeep(scenario, 6_000);
      assert.equal(await readFile(store, projectId, contentId), "");
      // The same content again is a new one.
      await sendFiles(scenario, made, [["d", ["one two"]]]);
      assert.equal(await storedBytes(scenario, made), 5 + 7);
    },
  ],
  [
    "a content that no document got is removed after an hour, or at once when it is discarded",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const left = await receive(scenario, made, { pieces: ["1", "2", "3", "4", "5", "6"], now: 1_000 });
      const refused = await receive(scenario, made, { pieces: ["refused"], now: 1_000 });
      await sendFiles(scenario, made, [["a", ["kept"]]]);
      assert.equal(await storedBytes(scenario, made), 6 + 7 + 4);
      await upkeep(scenario, 2_000);
      const isDue = async (now: number) => (await store.nextUpkeep({ now, minSegments: 1_000 })).readyNow;
      assert.deepEqual([await isDue(2_000), await isDue(HOUR + 1_000)], [false, true]);
      assert.equal(await store.discardContents({ projectId, contentIds: [refused.contentId] }), false);
      assert.equal(await readFile(store, projectId, refused.contentId), "");
      assert.equal(await isDue(2_000), false, "nothing is left for upkeep");
      assert.equal(await storedBytes(scenario, made), 6 + 4);
      await upkeep(scenario, HOUR);
      assert.equal(await readFile(store, projectId, left.contentId), "123456");
      await upkeep(scenario, HOUR + 1_000);
      assert.equal(await readFile(store, projectId, left.contentId), "");
      assert.equal(await storedBytes(scenario, made), 4);
      const { contentId = "" } = (await store.findFile({ projectId, sourceDocId: "a" })) ?? {};
      await store.discardContents({ projectId, contentIds: [contentId] });
      await upkeep(scenario, 9 * HOUR);
      assert.equal(await readFile(store, projectId, contentId), "kept");
    },
  ],
  [
    "discarding takes the pieces of all contents, some in each step",
    async (scenario) => {
      const made = await scenario.project();
      const [pieces, { projectId }] = [["1", "2", "3", "4", "5", "6"], made];
      const first = await receive(scenario, made, { pieces });
      const second = await receive(scenario, made, { pieces });
      const contentIds = [first.contentId, second.contentId];
      const discard = () => scenario.store.discardContents({ projectId, contentIds });
      assert.equal(await discard(), true);
      assert.equal(await storedBytes(scenario, made), 0);
      assert.equal(await discard(), true);
      for (const left of [true, false, false]) assert.equal(await discard(), left);
      const isLeft = (await scenario.store.nextUpkeep({ now: 2_000, minSegments: 1_000 })).readyNow;
      assert.equal(isLeft, false);
    },
  ],
  [
    "pieces over the account's limit of bytes, or for a project that is gone, are refused",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      const piece = { projectId, accountId, contentId: scenario.id("content"), now: 1_000 };
      const append = (position: number, text: string) =>
        store.appendFilePiece({ ...piece, position, bytes: encode(text), maxStoredBytes: 10 });
      assert.equal(await append(0, "12345678"), "appended");
      assert.equal(await append(1, "901"), "too_many_bytes");
      assert.equal(await append(1, "90"), "appended");
      assert.equal(await storedBytes(scenario, made), 10);
      const limits = { requestsPerMinute: null, tokenLimit: null, month, maxPendingJobs: 0, now: 1_000 };
      const room = await store.checkRoom({ ...limits, projectId, accountId, maxStoredBytes: null });
      assert.equal(room.kind, "too_many_pending");
      const stranger = { ...piece, accountId: scenario.id("account"), position: 2, bytes: encode("x") };
      assert.equal(await store.appendFilePiece({ ...stranger, maxStoredBytes: null }), "project_gone");
      await store.deleteProject({ projectId });
      assert.equal(await append(2, "x"), "project_gone");
    },
  ],
  [
    "a deleted project leaves no file and no bytes",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await sendFiles(scenario, made, [
        ["a", ["1", "2", "3", "4", "5", "6"]],
        ["b", ["one"]],
      ]);
      await convert(scenario, await claimFile(scenario));
      const { contentId = "" } = (await store.findFile({ projectId, sourceDocId: "a" })) ?? {};
      await receive(scenario, made, { pieces: ["left"] });
      await store.deleteProject({ projectId });
      await upkeep(scenario, 6_000);
      assert.equal(await readFile(store, projectId, contentId), "");
      assert.equal(await storedBytes(scenario, made), 0);
    },
  ],
  [
    "the file that was sent last is the document's, also where its text is the same",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const send = async (name: string) => {
        await sendFiles(scenario, made, [["a", [name]]]);
        const { job, leaseToken } = await claimFile(scenario);
        const ids = { projectId, jobId: job.jobId, leaseToken, now: 2_500, metadata: {}, pages: [] };
        await store.storeConversion({ ...ids, text: "one two", mediaType: name, maxStoredBytes: null });
        return scenario.claim();
      };
      const found = async () => {
        const file = await store.findFile({ projectId, sourceDocId: "a" });
        return file && [file.mediaType, await readFile(store, projectId, file.contentId)];
      };
      await commit(store, await send("first"));
      assert.deepEqual(await found(), ["first", "first"]);
      assert.deepEqual((await send("second")).jobs, []);
      assert.deepEqual(await found(), ["second", "second"]);
      assert.equal(await storedBytes(scenario, made), 7 + 6);
      // Sent as a text, it has no file.
      await scenario.accept(made, [["a", "one two"]]);
      assert.deepEqual((await scenario.claim()).jobs, []);
      assert.equal(await found(), null);
      assert.equal(await storedBytes(scenario, made), 7);
    },
  ],
  [
    "a document that is read again keeps its file and its pages",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      await sendFiles(scenario, made, [["a", ["one two"]]]);
      await convert(scenario, await claimFile(scenario), [{ page: 7, start: 0 }]);
      await commit(store, await scenario.claim());
      const limits = { requestsPerMinute: null, tokenLimit: null, month, maxPendingJobs: null };
      await store.startReread({ ...limits, projectId, accountId, maxStoredBytes: null, now: 4_000 });
      await commit(store, await scenario.claim({ now: 4_000 }));
      await upkeep(scenario, 6_000);
      const file = await store.findFile({ projectId, sourceDocId: "a" });
      assert.equal(await readFile(store, projectId, file?.contentId ?? ""), "one two");
      const content = await store.readDocument({ projectId, sourceDocId: "a" });
      assert.deepEqual(
        listSpans(content?.chunks ?? NO_SPANS).map(({ versionId, page }) => [versionId, page]),
        [
          [2, 7],
          [2, 7],
        ],
      );
      assert.equal(await storedBytes(scenario, made), 14 + PAGE_BYTES);
    },
  ],
  [
    "the pages of a file count as stored bytes with its text, go with the file, and do not exceed the limit",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const pages = Array.from({ length: 3 }, (_, at) => ({ page: at + 1, start: at }));
      await sendFiles(scenario, made, [["a", ["one two"]]]);
      const first = await claimFile(scenario);
      const { jobId } = first.job;
      const text = { text: "one two", mediaType: "text/plain", metadata: {}, pages };
      const ids = { projectId, jobId, leaseToken: first.leaseToken, now: 2_500 };
      const all = 7 + 7 + 3 * PAGE_BYTES;
      const limit = rowBytes("a") + all;
      assert.equal(
        await store.storeConversion({ ...ids, ...text, maxStoredBytes: limit - 1 }),
        "too_many_bytes",
      );
      assert.equal(await store.storeConversion({ ...ids, ...text, maxStoredBytes: limit }), "stored");
      assert.equal(await storedBytes(scenario, made), all);
      await commit(store, await scenario.claim());
      // Another file of the same text, with a page less.
      await sendFiles(scenario, made, [["a", ["one two"]]]);
      await convert(scenario, await claimFile(scenario), pages.slice(1));
      assert.deepEqual((await scenario.claim()).jobs, []);
      assert.equal(await storedBytes(scenario, made), all - PAGE_BYTES);
      // A job that failed is retried with the pages of its file.
      await sendFiles(scenario, made, [["b", ["three"]]]);
      await convert(scenario, await claimFile(scenario), pages);
      const held = await scenario.claim();
      const failedJobId = held.jobs[0]?.jobId ?? "";
      const failure = { projectId, leaseToken: held.leaseToken, now: 3_000, errorMessage: "broken" };
      await store.failJobs({ ...failure, jobIds: [failedJobId], retryAt: null });
      const limits = { requestsPerMinute: null, tokenLimit: null, month, maxPendingJobs: null };
      const retry = {
        ...limits,
        projectId,
        accountId: made.accountId,
        failedJobId,
        jobId: scenario.id("job"),
      };
      assert.equal((await store.retryJob({ ...retry, maxStoredBytes: null, now: 4_000 })).kind, "accepted");
      await commit(store, await scenario.claim({ now: 4_000 }));
      await upkeep(scenario, 5_000);
      assert.equal(await storedBytes(scenario, made), all - PAGE_BYTES + 5 + 5 + 3 * PAGE_BYTES);
      // Sent as texts, they have no pages.
      await ingest(scenario, made, [
        ["a", "one two"],
        ["b", "four"],
      ]);
      await upkeep(scenario, 6_000);
      assert.equal(await storedBytes(scenario, made), 7 + 4);
    },
  ],
  [
    "a content that is removed, or that a document has, takes no more pieces",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      const append = (contentId: string) => {
        const piece = { projectId, accountId, contentId, position: 1, bytes: encode("more") };
        return store.appendFilePiece({ ...piece, maxStoredBytes: null, now: 1_000 });
      };
      const { contentId } = await receive(scenario, made, { pieces: ["left"] });
      await store.discardContents({ projectId, contentIds: [contentId] });
      assert.equal(await append(contentId), "project_gone");
      assert.equal(await storedBytes(scenario, made), 0);
      await sendFiles(scenario, made, [["a", ["kept"]]]);
      const file = await store.findFile({ projectId, sourceDocId: "a" });
      assert.ok(file);
      assert.equal(await append(file.contentId), "project_gone");
      assert.equal(await readFile(store, projectId, file.contentId), "kept");
      assert.equal(await storedBytes(scenario, made), 4);
    },
  ],
];
