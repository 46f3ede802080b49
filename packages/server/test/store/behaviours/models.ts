import assert from "node:assert/strict";
import type { ModelUse } from "../../../src/ports/model-store.ts";
import { type Behaviour, hasUsed, type Scenario } from "../scenario.ts";

const now = Date.UTC(2031, 3, 21);
const page = { limit: 100, offset: 0 };

function useOf(accountId: string, over: Partial<ModelUse> = {}): ModelUse {
  return {
    accountId,
    projectId: null,
    jobId: null,
    task: "suggestion",
    model: "test/small",
    day: "2031-04-21",
    calls: 1,
    inputTokens: 10,
    outputTokens: 5,
    costMicros: 7,
    ...over,
  };
}

const keep = ({ store }: Scenario, use: ModelUse, [key, text]: readonly [string, string], at = now) =>
  store.recordModelUse({ use, reply: { key, text, now: at } });

export const modelBehaviours: readonly Behaviour[] = [
  [
    "calls are summed by account, project, job, task, model and day, and count among the month's tokens",
    async (scenario) => {
      const { store, id } = scenario;
      const made = await scenario.project();
      const { accountId, projectId } = made;
      const extraction = useOf(accountId, { projectId, jobId: "job-1", task: "extraction" });
      await Promise.all([1, 2, 3].map(() => store.recordModelUse({ use: extraction, reply: null })));
      const later = useOf(accountId, { day: "2031-05-01", model: "test/large" });
      await store.recordModelUse({ use: later, reply: null });
      await store.recordModelUse({ use: useOf(id("account")), reply: null });
      assert.deepEqual(await store.listModelUse({ accountId, page }), [
        later,
        { ...extraction, calls: 3, inputTokens: 30, outputTokens: 15, costMicros: 21 },
      ]);
      assert.equal(await store.readTokenUse({ accountId, month: "2031-04" }), 45);
      assert.equal(await store.readTokenUse({ accountId, month: "2031-05" }), 15);
      // The very meter that ingests are refused by.
      assert(await hasUsed(scenario, made, 45));
    },
  ],
  [
    "a kept reply is found by its account alone, and a later one takes its place",
    async (scenario) => {
      const { store, id } = scenario;
      const accountId = id("account");
      const key = id("key");
      assert.equal(await store.findModelReply({ accountId, key }), null);
      const long = `{"text":"${"a word \u0000 and more ".repeat(200)}"}`;
      await keep(scenario, useOf(accountId), [key, long]);
      assert.deepEqual(await store.findModelReply({ accountId, key }), { text: long, usedAt: now });
      assert.equal(await store.findModelReply({ accountId: id("account"), key }), null);
      await keep(scenario, useOf(accountId), [key, "short"], now + 1);
      assert.deepEqual(await store.findModelReply({ accountId, key }), { text: "short", usedAt: now + 1 });
    },
  ],
  [
    "kept replies go with their project, and none is kept for one that is gone, but its meter stays",
    async (scenario) => {
      const { store, id } = scenario;
      const { accountId, projectId } = await scenario.project();
      const key = id("key");
      const use = useOf(accountId, { projectId });
      await keep(scenario, use, [key, "reply"]);
      await store.deleteProject({ projectId });
      assert.equal(await store.findModelReply({ accountId, key }), null);
      await keep(scenario, use, [key, "late reply"]);
      assert.equal(await store.findModelReply({ accountId, key }), null);
      const [metered] = await store.listModelUse({ accountId, page });
      assert.equal(metered?.calls, 2);
    },
  ],
  [
    "trimming removes the replies used longest ago until bytes and entries are within their limits",
    async (scenario) => {
      const { store, id } = scenario;
      await store.trimModelReplies({ maxBytes: 0, maxEntries: 0 });
      const accountId = id("account");
      const texts = ["aaaa", "bbbb", "cccc", "dddd"];
      for (const [index, text] of texts.entries()) {
        await keep(scenario, useOf(accountId), [text, text], now + index);
      }
      await store.touchModelReply({ accountId, key: "aaaa", now: now + 10 });
      const left = async () => {
        const found = await Promise.all(texts.map((key) => store.findModelReply({ accountId, key })));
        return found.map((reply) => reply?.text).filter((text) => text !== undefined);
      };
      assert.equal(await store.trimModelReplies({ maxBytes: 12, maxEntries: 100 }), 1);
      assert.deepEqual(await left(), ["aaaa", "cccc", "dddd"]);
      assert.equal(await store.trimModelReplies({ maxBytes: 100, maxEntries: 2 }), 1);
      assert.deepEqual(await left(), ["aaaa", "dddd"]);
      assert.equal(await store.trimModelReplies({ maxBytes: 100, maxEntries: 2 }), 0);
    },
  ],
  [
    "trimming takes from the accounts that keep most, and nothing from one that is within its share",
    async (scenario) => {
      const { store, id } = scenario;
      await store.trimModelReplies({ maxBytes: 0, maxEntries: 0 });
      const [modest, greedy, greedier] = [id("account"), id("account"), id("account")];
      await keep(scenario, useOf(modest), ["old", "oldest"], now - 1_000);
      for (let at = 0; at < 4; at++) await keep(scenario, useOf(greedy), [`g${at}`, "text"], now + at);
      for (let at = 0; at < 9; at++) await keep(scenario, useOf(greedier), [`h${at}`, "text"], now + at);
      const left = async (accountId: string, keys: readonly string[]) => {
        const found = await Promise.all(keys.map((key) => store.findModelReply({ accountId, key })));
        return keys.filter((_, at) => found[at] !== null);
      };
      const keysOf = (letter: string, count: number) =>
        Array.from({ length: count }, (_, at) => `${letter}${at}`);
      assert.equal(await store.trimModelReplies({ maxBytes: 1e9, maxEntries: 14 }), 0);
      // One and four are within their share, and leave five to the last.
      assert.equal(await store.trimModelReplies({ maxBytes: 1e9, maxEntries: 10 }), 4);
      assert.deepEqual(await left(modest, ["old"]), ["old"]);
      assert.deepEqual(await left(greedy, keysOf("g", 4)), keysOf("g", 4));
      assert.deepEqual(await left(greedier, keysOf("h", 9)), ["h4", "h5", "h6", "h7", "h8"]);
      const bytes = Buffer.byteLength("oldest") + 6 * Buffer.byteLength("text");
      assert.equal(await store.trimModelReplies({ maxBytes: bytes, maxEntries: 100 }), 3);
      assert.deepEqual(await left(modest, ["old"]), ["old"]);
      assert.deepEqual(await left(greedy, keysOf("g", 4)), ["g1", "g2", "g3"]);
      assert.deepEqual(await left(greedier, keysOf("h", 9)), ["h6", "h7", "h8"]);
    },
  ],
  [
    "replies that nobody asked for in 90 days and meters older than 400 are cleared away",
    async (scenario) => {
      const { store, id } = scenario;
      const accountId = id("account");
      const key = id("key");
      await keep(scenario, useOf(accountId), [key, "reply"]);
      const day = 86_400_000;
      while (await store.reclaim({ now: now + 90 * day, maxPages: 1_000 }));
      assert.notEqual(await store.findModelReply({ accountId, key }), null);
      while (await store.reclaim({ now: now + 91 * day, maxPages: 1_000 }));
      assert.equal(await store.findModelReply({ accountId, key }), null);
      assert.equal((await store.listModelUse({ accountId, page })).length, 1);
      while (await store.reclaim({ now: now + 400 * day, maxPages: 1_000 }));
      assert.equal((await store.listModelUse({ accountId, page })).length, 1);
      while (await store.reclaim({ now: now + 401 * day, maxPages: 1_000 }));
      assert.deepEqual(await store.listModelUse({ accountId, page }), []);
    },
  ],
  [
    "meters of a day that are too old are cleared away in steps",
    async (scenario) => {
      const { store, id } = scenario;
      const accountId = id("account");
      const jobs = Array.from({ length: 1_001 }, (_, at) => ({ ...useOf(accountId), jobId: `job-${at}` }));
      for (const use of jobs) await store.recordModelUse({ use, reply: null });
      const clear = () => store.reclaim({ now: now + 500 * 86_400_000, maxPages: 1_000 });
      assert.equal(await clear(), true);
      assert.ok((await store.listModelUse({ accountId, page })).length > 0);
      while (await clear());
      assert.deepEqual(await store.listModelUse({ accountId, page }), []);
    },
  ],
];
