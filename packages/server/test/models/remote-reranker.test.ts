import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createRemoteReranker } from "../../src/adapters/models/rerank/create-remote-reranker.ts";
import type { RerankProviderName } from "../../src/adapters/models/rerank/settings.ts";
import type { EmbeddingActivity } from "../../src/ports/embedding-activity.ts";
import { RerankError } from "../../src/ports/reranker.ts";
import { type Behaviour, drop, hang, refuse, tooMany } from "../support/model-server/behaviour.ts";
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "../support/model-server/model-server.ts";
import type { RerankRequest } from "../support/model-server/request.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createMemoryModelStore } from "./scene.ts";

const METER = { accountId: "account-1", projectId: "project-1" };
const KEY = "key-of-the-operator";
const QUESTION = "Who lit the lamp?";
const PASSAGES = ["A ferry sails.", "Tove lit the lamp.", "The lamp is red."];
const babble = (value: unknown): Behaviour => ({
  kind: "babble",
  body: typeof value === "string" ? value : JSON.stringify(value),
  contentType: "application/json",
});

async function createScene(
  context: TestContext,
  options: ModelServerOptions & {
    provider?: RerankProviderName;
    limitMs?: number;
    baseUrl?: string;
    maxConcurrent?: number;
  } = {},
) {
  const server = await startModelServer(options);
  context.after(() => server.close());
  const store = createMemoryModelStore();
  const clock = createFakeClock();
  const warnings: unknown[] = [];
  const activities: EmbeddingActivity[] = [];
  const ignore = () => undefined;
  const warn = (event: string, fields?: object) => void warnings.push({ event, ...fields });
  const reranker = createRemoteReranker(
    {
      provider: options.provider ?? "openai-compatible",
      baseUrl: options.baseUrl ?? server.baseUrl,
      apiKey: KEY,
      model: "cross",
      maxConcurrent: options.maxConcurrent ?? 8,
    },
    {
      limitMs: options.limitMs ?? 5_000,
      store,
      clock,
      log: { debug: ignore, info: ignore, warn, error: warn },
      onActivity: (activity) => void activities.push(activity),
    },
  );
  const score = (passages: readonly string[] = PASSAGES, accountId = METER.accountId) =>
    reranker.score(QUESTION, passages, { meter: { ...METER, accountId }, signal: null });
  return { server, store, clock, score, reranker, warnings, activities };
}

function failsWith(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof RerankError, String(error));
    assert.match(error.message, pattern);
    assert.ok(!error.message.includes(KEY));
    return true;
  };
}

test("scores come in the order of the passages, and the call is metered and charged", async (context) => {
  const { server, store, score, activities } = await createScene(context, { apiKey: KEY });
  assert.deepEqual(await score(), [0, 0.75, 0.5]);
  const [request] = server.rerankRequests;
  assert.deepEqual(request?.body, { model: "cross", query: QUESTION, documents: PASSAGES, top_n: 3 });
  const [use] = store.uses;
  assert.deepEqual([use?.task, use?.model, use?.calls], ["reranking", "openai-compatible/cross", 1]);
  assert.ok((use?.inputTokens ?? 0) > 0);
  assert.deepEqual(
    activities.map(({ kind, outcome, tokens }) => [kind, outcome, tokens]),
    [["rerank", "answered", use?.inputTokens]],
  );
});

for (const [provider, extra] of [
  ["cohere", {}],
  ["jina", { return_documents: false }],
] as const) {
  test(`a request to ${provider} has what it wants`, async (context) => {
    const { server, score } = await createScene(context, { provider, apiKey: KEY });
    assert.deepEqual(await score(), [0, 0.75, 0.5]);
    const body = { model: "cross", query: QUESTION, documents: PASSAGES, top_n: 3, ...extra };
    assert.deepEqual(server.rerankRequests[0]?.body, body);
  });
}

const ITEMS = [
  { index: 2, relevance_score: -1.5, document: { text: PASSAGES[2] } },
  { index: 0, relevance_score: 0.25, document: PASSAGES[0] },
  { index: 1, relevance_score: 8 },
];
const asScores = ITEMS.map(({ index, relevance_score: score }) => ({ index, score }));
for (const [form, reply] of Object.entries({
  results: { results: ITEMS },
  data: { object: "list", data: ITEMS },
  "results with score": { results: asScores },
  "a bare list with score": asScores,
  "units of another bill": { results: ITEMS, meta: { billed_units: { search_units: 1 } } },
})) {
  test(`a reply in the form "${form}" is read, whatever its order, with tokens that are estimated`, async (context) => {
    const { score, store } = await createScene(context, { rerank: () => babble(reply) });
    assert.deepEqual(await score(), [0.25, 8, -1.5]);
    assert.equal(store.uses[0]?.inputTokens, 18);
  });
}

test("a server that knows texts alone is asked with them from then on, and may cut them", async (context) => {
  const { server, score } = await createScene(context, { rerank: textsAlone });
  for (const _ of [1, 2]) assert.deepEqual(await score(), [0, 0.75, 0.5]);
  assert.deepEqual(membersOf(server), ["documents", "texts", "texts"]);
  const body = { model: "cross", query: QUESTION, texts: PASSAGES, truncate: true, top_n: 3 };
  assert.deepEqual(server.rerankRequests[2]?.body, body);
});

test("a server that refuses both is asked with documents again, and a provider that takes no texts with nothing else", async (context) => {
  const { server, score } = await createScene(context, { rerank: () => refuse(400) });
  for (const _ of [1, 2]) await assert.rejects(score(), failsWith(/gave no scores: it answered 400\.$/));
  assert.deepEqual(membersOf(server), ["documents", "texts", "documents", "texts"]);
  const cohere = await createScene(context, { provider: "cohere", rerank: textsAlone });
  await assert.rejects(cohere.score(), failsWith(/it answered 422/));
  assert.deepEqual(membersOf(cohere.server), ["documents"]);
});

const textsAlone = ({ member }: RerankRequest) => (member === "texts" ? null : refuse(422));
const membersOf = ({ rerankRequests }: ModelServer) => rerankRequests.map(({ member }) => member);

const without = (at: number) => ITEMS.filter((_, place) => place !== at);
for (const [fault, reply, told] of [
  ["too few scores", { results: without(0) }, /2 scores for 3 passages/],
  ["too many scores", { results: [...ITEMS, { index: 0, relevance_score: 1 }] }, /4 scores for 3 passages/],
  ["none", { results: [] }, /0 scores for 3 passages/],
  ["a place that was not sent", { results: [...without(0), { index: 3, relevance_score: 1 }] }, /not asked/],
  ["a place below the first", { results: [...without(0), { index: -1, relevance_score: 1 }] }, /not asked/],
  [
    "a place between two",
    { results: [...without(0), { index: 0.5, relevance_score: 1 }] },
    /without a place/,
  ],
  ["no place", { results: [...without(0), { relevance_score: 1 }] }, /without a place/],
  ["a place twice", { results: [...without(0), ITEMS[1]] }, /two scores for one passage/],
  ["NaN", '{"results": [{"index": 0, "relevance_score": NaN}]}', /not JSON/],
  ["a score beyond all numbers", JSON.stringify(ITEMS).replace("8", "1e999"), /no number/],
  ["a score that is a text", { results: [...without(0), { index: 2, relevance_score: "1" }] }, /no number/],
  ["a score that is null", { results: [...without(0), { index: 2, relevance_score: null }] }, /no number/],
  ["items that are no objects", [1, 2, 3], /without a place/],
  ["no list", { message: `no scores for ${KEY}` }, /no list of scores/],
  ["prose", `Sorry, no. ${KEY}`, /not JSON/],
] as const) {
  test(`a reply with ${fault} is tried once more and then told, without what it says`, async (context) => {
    const { server, score, store, warnings, activities } = await createScene(context, {
      rerank: () => babble(reply),
    });
    await assert.rejects(score(), failsWith(told));
    assert.equal(server.rerankRequests.length, 2);
    assert.equal(store.uses.length, 0);
    assert.equal(activities[0]?.outcome, "unavailable");
    assert.ok(!JSON.stringify([warnings, activities]).includes(KEY));
  });
}

test("a reply longer than allowed is dropped, and not asked for again", async (context) => {
  const reply = JSON.stringify({ results: ITEMS, padding: "x".repeat(4 * 1024 * 1024) });
  const { server, score } = await createScene(context, { rerank: () => babble(reply) });
  await assert.rejects(score(), failsWith(/longer than 1048576 bytes/));
  assert.equal(server.rerankRequests.length, 1);
});

test("a 429, a dropped connection and a server error are tried once more, as late as is asked for", async (context) => {
  for (const failure of [tooMany(2), drop(), drop(40), refuse(503)]) {
    const { clock, score, server } = await createScene(context, {
      rerank: ({ index }) => (index === 0 ? failure : null),
    });
    assert.deepEqual(await score(), [0, 0.75, 0.5]);
    assert.equal(server.rerankRequests.length, 2);
    assert.equal(clock.pauses.length, 1);
    assert.ok((clock.pauses[0] ?? 0) >= (failure.kind === "refuse" && failure.status === 429 ? 2_000 : 1));
  }
});

test("no wait begins that the time of the call does not cover", async (context) => {
  const { score, server, clock } = await createScene(context, { rerank: () => tooMany(6), limitMs: 5_000 });
  await assert.rejects(score(), failsWith(/it answered 429/));
  assert.deepEqual([server.rerankRequests.length, clock.pauses.length], [1, 0]);
});

test("an answer that never comes ends with the time of the call", async (context) => {
  const { score, activities } = await createScene(context, { rerank: () => hang, limitMs: 50 });
  await assert.rejects(score(), failsWith(/gave no scores in time/));
  assert.equal(activities[0]?.outcome, "unavailable");
});

test("a caller that leaves ends the call with its own reason", async (context) => {
  const leaving = new AbortController();
  const { reranker, activities } = await createScene(context, {
    rerank() {
      leaving.abort(new Error("left"));
      return hang;
    },
  });
  const options = { meter: METER, signal: leaving.signal };
  await assert.rejects(reranker.score(QUESTION, PASSAGES, options), /^Error: left$/);
  assert.equal(activities[0]?.outcome, "aborted");
});

test("a wrong key is told without the key and without what the provider wrote, and not tried again", async (context) => {
  const { score, warnings, server } = await createScene(context, { apiKey: "another" });
  await assert.rejects(score(), failsWith(/it answered 401\.$/));
  assert.ok(!/key-of-the-operator|Incorrect/.test(JSON.stringify(warnings)));
  assert.equal(server.rerankRequests.length, 0);
  assert.match(JSON.stringify(warnings), /rerank_failed/);
});

test("a redirect is not followed, so the key goes to the configured address alone", async (context) => {
  const target = await startModelServer();
  context.after(() => target.close());
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `${target.baseUrl}/rerank` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  context.after(() => redirecting.close());
  const { port } = redirecting.address() as AddressInfo; // It listens on a port.
  const { score } = await createScene(context, { baseUrl: `http://127.0.0.1:${port}/v1` });
  await assert.rejects(score(), failsWith(/it answered 307, a redirect, which is not followed/));
  assert.equal(target.rerankRequests.length, 0);
});

test("a provider that is down is left alone for a while after three calls, then asked once", async (context) => {
  let isDown = true;
  const { clock, score, server, activities } = await createScene(context, {
    rerank: () => (isDown ? refuse(500) : null),
  });
  for (let call = 0; call < 3; call++)
    await assert.rejects(score(), failsWith(/after 1 retry: it answered 500/));
  const before = server.rerankRequests.length;
  await assert.rejects(score(), failsWith(/not called for a while/));
  assert.equal(server.rerankRequests.length, before);
  assert.equal(activities.at(-1)?.outcome, "kept_out");
  isDown = false;
  clock.advance(60_000);
  assert.deepEqual(await score(), [0, 0.75, 0.5]);
});

test("accounts take turns at the calls that may run at once", async (context) => {
  const gate = Promise.withResolvers<null>();
  const order: string[] = [];
  const { score } = await createScene(context, {
    maxConcurrent: 1,
    rerank({ index, passages }) {
      order.push(passages[0] ?? "");
      return index === 0 ? gate.promise : null;
    },
  });
  const calls = [
    ["first", "a"],
    ["second of a", "a"],
    ["third of a", "a"],
    ["first of b", "b"],
  ].map(([text = "", account = ""]) => score([text], account));
  gate.resolve(null);
  await Promise.all(calls);
  assert.deepEqual(order, ["first", "second of a", "first of b", "third of a"]);
});
