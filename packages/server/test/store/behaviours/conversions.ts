import assert from "node:assert/strict";
import type { RetryJob } from "../../../src/ports/event-store.ts";
import { type Behaviour, commit, leaseMs, month, rowBytes, visibleWords } from "../scenario.ts";
import {
  claimFile,
  convert,
  failFile,
  readFile,
  receive,
  sendFiles,
  storedBytes,
  upkeep,
} from "./file-scene.ts";

const limits = {
  requestsPerMinute: null,
  tokenLimit: null,
  month,
  maxPendingJobs: null,
  maxStoredBytes: null,
};

export const conversionBehaviours: readonly Behaviour[] = [
  [
    "a page that was fetched takes the place of its address, and a failed job is retried with what it has",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["a", ["https://a.example/"]]], {
        isAddress: true,
      });
      const claim = { leaseToken: scenario.id("lease"), now: 2_000, leaseUntil: 3_000 };
      assert.equal(await store.claimConversion({ ...claim, only: "files" }), null);
      const isReady = async (now: number, only: "files" | "pages") =>
        (await store.nextConversion({ now, only })).readyNow;
      assert.deepEqual([await isReady(2_000, "files"), await isReady(2_000, "pages")], [false, true]);
      const first = await claimFile(scenario);
      assert.equal(first.job.isAddress, true);
      await failFile(scenario, first);
      const retry: RetryJob = {
        ...limits,
        ...{ projectId, accountId, failedJobId: jobId, jobId: scenario.id("job"), now: 5_000 },
      };
      assert.equal((await store.retryJob(retry)).kind, "accepted");
      const held = await claimFile(scenario, 5_000);
      assert.equal(held.job.isAddress, true);
      const content = await receive(scenario, made, { pieces: ["the page"] });
      const page = { projectId, jobId: held.job.jobId, leaseToken: held.leaseToken, content, now: 6_000 };
      assert.equal(await store.storePage({ ...page, leaseToken: first.leaseToken }), "lease_lost");
      assert.equal(await store.storePage(page), "stored");
      await failFile(scenario, held);
      const last = { ...retry, failedJobId: held.job.jobId, jobId: scenario.id("job"), now: 7_000 };
      assert.equal((await store.retryJob(last)).kind, "accepted");
      assert.deepEqual([await isReady(7_000, "files"), await isReady(7_000, "pages")], [true, false]);
      assert.equal(await store.claimConversion({ ...claim, now: 7_000, only: "pages" }), null);
      const fetched = await claimFile(scenario, 7_000);
      assert.equal(fetched.job.isAddress, false);
      await convert(scenario, fetched);
      assert.equal(await commit(store, await scenario.claim({ now: 8_000 })), "committed");
      await upkeep(scenario, 9_000);
      const file = await store.findFile({ projectId, sourceDocId: "a" });
      assert.equal(await readFile(store, projectId, file?.contentId ?? ""), "the page");
      // The file and its text.
      assert.equal(await storedBytes(scenario, made), 2 * "the page".length);
    },
  ],
  [
    "a file is claimed behind any number of pages of its account, and a page behind any number of files",
    async (scenario) => {
      const { store } = scenario;
      const many = (prefix: string) =>
        Array.from({ length: 60 }, (_, at): [string, string[]] => [`${prefix}${at}`, [`${prefix} ${at}`]]);
      for (const isAddress of [true, false]) {
        const made = await scenario.project();
        const { projectId } = made;
        await sendFiles(scenario, made, many("first"), { isAddress });
        const [jobId] = await sendFiles(scenario, made, [["last", ["last"]]], { isAddress: !isAddress });
        const only = isAddress ? "files" : "pages";
        assert.equal((await store.nextConversion({ now: 2_000, only })).readyNow, true);
        const claim = { leaseToken: scenario.id("lease"), now: 2_000, leaseUntil: 3_000 };
        assert.equal((await store.claimConversion({ ...claim, only }))?.jobId, jobId);
        await store.deleteProject({ projectId });
        await upkeep(scenario, 3_000);
      }
    },
  ],
  [
    "a lease that ends gives the file to another worker, and the first one can store nothing",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      await sendFiles(scenario, made, [["a", ["one"]]]);
      const first = await claimFile(scenario, 2_000);
      const next = { leaseToken: scenario.id("lease"), leaseUntil: 9_000_000 };
      assert.equal(await store.claimConversion({ ...next, now: 2_000 + leaseMs - 1 }), null);
      const renewed = { leaseToken: first.leaseToken, leaseUntil: 2_000 + 2 * leaseMs };
      assert.equal(await store.renewConversion(renewed), true);
      assert.deepEqual(await store.nextConversion({ now: 2_000 + leaseMs }), { readyNow: false });
      assert.deepEqual(await store.nextConversion({ now: 2_000 + 2 * leaseMs }), { readyNow: true });
      const second = await claimFile(scenario, 2_000 + 2 * leaseMs);
      assert.equal(second.job.attempts, 1);
      assert.equal(await store.renewConversion(renewed), false);
      assert.equal(await convert(scenario, first), "lease_lost");
      assert.equal(await convert(scenario, second), "stored");
      assert.equal(await convert(scenario, second), "lease_lost");
      assert.equal(await commit(store, await scenario.claim()), "committed");
      assert.deepEqual(await visibleWords(store, made.projectId), { a: ["one"] });
    },
  ],
  [
    "a job that fails waits, or fails for good and can be retried with its file",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId, accountId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["a", ["one"], { year: 1994 }]]);
      const first = await claimFile(scenario);
      const failure = {
        projectId,
        jobId,
        now: 3_000,
        errorMessage: `The file\nis broken.\0${"x".repeat(5_000)}`,
      };
      const again = { ...failure, leaseToken: first.leaseToken, retryAt: 4_000, countAttempt: true };
      await store.failConversion(again);
      assert.deepEqual(await store.nextConversion({ now: 3_999 }), { readyNow: false });
      const second = await claimFile(scenario, 4_000);
      assert.equal(second.job.attempts, 1);
      await store.failConversion({
        ...failure,
        leaseToken: second.leaseToken,
        retryAt: null,
        countAttempt: true,
      });
      const failed = await store.findJob({ projectId, jobId });
      assert.deepEqual(
        [failed?.status, failed?.errorMessage],
        ["failed", `The file is broken. ${"x".repeat(1_979)}…`],
      );
      const retry: RetryJob = {
        ...limits,
        ...{ projectId, accountId, failedJobId: jobId, jobId: scenario.id("job"), now: 5_000 },
      };
      assert.equal((await store.retryJob(retry)).kind, "accepted");
      const third = await claimFile(scenario, 5_000);
      assert.deepEqual([third.job.metadata, third.job.name], [{ year: 1994 }, "a.txt"]);
      await convert(scenario, third);
      const held = await scenario.claim({ now: 6_000 });
      await store.failJobs({
        ...{ jobIds: [third.job.jobId], projectId, leaseToken: held.leaseToken, now: 6_000 },
        ...{ errorMessage: "broken", retryAt: null },
      });
      // With the text that was made of it.
      const last = { ...retry, failedJobId: third.job.jobId, jobId: scenario.id("job"), now: 7_000 };
      assert.equal((await store.retryJob(last)).kind, "accepted");
      assert.equal(await commit(store, await scenario.claim({ now: 7_000 })), "committed");
      const file = await store.findFile({ projectId, sourceDocId: "a" });
      assert.deepEqual([file?.name, file?.mediaType], ["a.txt", "text/plain"]);
      assert.equal(await readFile(store, projectId, file?.contentId ?? ""), "one");
      await upkeep(scenario, 8_000);
      assert.equal(await storedBytes(scenario, made), 3 + 3 + 13);
    },
  ],
  [
    "a job that is cancelled, or whose document or project is deleted, cannot store a text",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const other = await scenario.project({ accountId: made.accountId });
      const { projectId } = made;
      await sendFiles(scenario, made, [
        ["a", ["one"]],
        ["b", ["two"]],
      ]);
      await sendFiles(scenario, other, [["c", ["three"]]]);
      const held = [await claimFile(scenario), await claimFile(scenario), await claimFile(scenario)];
      const [a, b, c] = held;
      assert.ok(a && b && c);
      assert.equal(await store.cancelJob({ projectId, jobId: a.job.jobId, now: 3_000 }), "cancelled");
      const b2 = { projectId, sourceDocId: "b", now: 3_000, errorMessage: "deleted" };
      assert.equal(await store.deleteDocument(b2), "deleted");
      await store.deleteProject({ projectId: other.projectId });
      for (const one of held) assert.equal(await convert(scenario, one), "lease_lost");
      await upkeep(scenario, 4_000);
      assert.equal(await storedBytes(scenario, made), 0);
      assert.deepEqual(await store.nextConversion({ now: 9_000_000 }), { readyNow: false });
    },
  ],
  [
    "files of one document are read in the order in which they were sent, and accounts take turns",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const other = await scenario.project();
      await scenario.accept(made, [["a", "zero"]]);
      await sendFiles(scenario, made, [
        ["a", ["one"]],
        ["b", ["two"]],
        ["b", ["three"]],
        ["c", ["four"]],
      ]);
      await sendFiles(scenario, other, [["d", ["five"]]]);
      const taken: string[] = [];
      for (const _ of [1, 2, 3]) {
        const held = await claimFile(scenario);
        taken.push(held.job.sourceDocId);
        await convert(scenario, held);
      }
      assert.deepEqual(taken.toSorted(), ["b", "c", "d"]);
      assert.ok(taken.indexOf("d") < 2);
      assert.deepEqual(await store.nextConversion({ now: 2_000 }), { readyNow: false });
      for (let held = await scenario.claim(); held.jobs.length > 0; held = await scenario.claim())
        await commit(store, held);
      await convert(scenario, await claimFile(scenario));
      await convert(scenario, await claimFile(scenario));
      for (let held = await scenario.claim(); held.jobs.length > 0; held = await scenario.claim())
        await commit(store, held);
      const words = await visibleWords(store, made.projectId);
      assert.deepEqual(words, { a: ["one"], b: ["three"], c: ["four"] });
    },
  ],
  [
    "a text over the account's limit of bytes is not stored",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["a", ["1234"]]]);
      const { leaseToken } = await claimFile(scenario);
      const ids = { projectId, jobId, leaseToken, now: 2_500, metadata: {}, pages: [] };
      const store10 = (text: string) =>
        store.storeConversion({ ...ids, text, mediaType: "text/plain", maxStoredBytes: rowBytes("a") + 10 });
      assert.equal(await store10("1234567"), "too_many_bytes");
      assert.equal(await store10("123456"), "stored");
      assert.equal(await storedBytes(scenario, made), 10);
    },
  ],
  [
    "a start gives files that were being read back",
    async (scenario) => {
      const made = await scenario.project();
      await sendFiles(scenario, made, [["a", ["one"]]]);
      await claimFile(scenario, 2_000);
      await scenario.store.expireAllLeases({ now: 3_000 });
      assert.equal((await claimFile(scenario, 3_000)).job.attempts, 1);
    },
  ],
  [
    "of the files of a document that cannot be read, the last one is kept",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await sendFiles(scenario, made, [["a", ["one"]]]);
      await convert(scenario, await claimFile(scenario));
      await commit(store, await scenario.claim());
      await sendFiles(scenario, made, [
        ["a", ["first scan"]],
        ["a", ["second scan"]],
        ["a", ["waits"]],
        ["b", ["of another document"]],
      ]);
      const held = [await claimFile(scenario), await claimFile(scenario)];
      const count = 3 + 3 + 5 + 19;
      for (const one of held) await failFile(scenario, one);
      assert.equal(await storedBytes(scenario, made), count + 10 + 11);
      await failFile(scenario, await claimFile(scenario));
      assert.equal(await storedBytes(scenario, made), count + 11);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });
      await convert(scenario, await claimFile(scenario));
      assert.equal(await commit(store, await scenario.claim()), "committed");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["waits"] });
    },
  ],
  [
    "a job whose text is made waits again, and its start is that of its ingest",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["a", ["one"]]]);
      const state = async () => {
        const job = await store.findJob({ projectId, jobId });
        return [job?.status, job?.startedAt];
      };
      const held = await claimFile(scenario, 2_000);
      assert.deepEqual(await state(), ["running", 2_000]);
      await convert(scenario, held);
      assert.deepEqual(await state(), ["pending", null]);
      const claimed = await scenario.claim({ now: 9_000_000 });
      assert.equal(claimed.jobs[0]?.startedAt, 9_000_000);
      assert.deepEqual(await state(), ["running", 9_000_000]);
      assert.equal(await commit(store, claimed), "committed");
    },
  ],
];
