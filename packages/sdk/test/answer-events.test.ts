import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, addToAnswer, ConnectionError, createClient, emptyAnswer } from "../src/index.ts";
import { type Answer, fakeFetch, fault, own } from "./fake-fetch.ts";

function clientOf(answer: Answer) {
  const { fetch, sent } = fakeFetch(answer);
  return { client: createClient({ apiKey: "kcs_x", fetch, retry: { minDelayMs: 0, maxDelayMs: 0 } }), sent };
}

const event = (type: string, value: unknown) => `event: ${type}\ndata: ${JSON.stringify(value)}\n\n`;

function events(...parts: readonly string[]): Response {
  return new Response(parts.join(""), { headers: own.events });
}

const PARTS = [
  "retry: 2000\n",
  event("chunks", { chunks: [{ text: "It stands.", similarity: 0.5 }] }),
  event("summary", { text: "It stands." }),
  ": heartbeat\n",
  event("summary", { text: " Still." }),
  event("entities", { entities: [{ type: "Thing", name: "Tower", properties: {} }] }),
  event("relationships", { relationships: [] }),
  event("steps", { steps: [{ query: "?", name: null, from: null, chunk_ids: ["1-0"] }] }),
  event("later", { of: "a later version" }),
];
const DONE = event("done", { id: "req_1", query: "?", strategy_used: "hybrid" });

test("the events of an answer come one by one, and make the answer of a query", async () => {
  const { client, sent } = clientOf(() => events(...PARTS, DONE));
  const types: string[] = [];
  let answer = emptyAnswer;
  for await (const part of client.streamQuery("p", { query: "?" })) {
    types.push(part.type);
    answer = addToAnswer(answer, part);
  }
  assert.deepEqual(types, ["chunks", "summary", "summary", "entities", "relationships", "steps", "done"]);
  assert.deepEqual(answer, {
    query: "?",
    strategy_used: "hybrid",
    results: {
      summary: "It stands. Still.",
      entities: [{ type: "Thing", name: "Tower", properties: {} }],
      relationships: [],
      chunks: [{ text: "It stands.", similarity: 0.5 }],
    },
    steps: [{ query: "?", name: null, from: null, chunk_ids: ["1-0"] }],
  });
  assert.equal(sent[0]?.headers.get("accept"), "text/event-stream");
  assert.deepEqual([sent[0]?.method, sent[0]?.body], ["POST", { query: "?" }]);
});

test("a fault in the stream is an error like that of a response, and an end before the answer's is one, too", async () => {
  const told = clientOf(() => events(...PARTS, event("error", { status: 503, detail: "Not now." })));
  await assert.rejects(Array.fromAsync(told.client.streamQuery("p", { query: "?" })), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.detail, error.requestId], [503, "Not now.", "req_1"]);
    return true;
  });
  const cut = clientOf(() => events(...PARTS));
  await assert.rejects(Array.fromAsync(cut.client.streamQuery("p", { query: "?" })), ConnectionError);
  assert.equal(cut.sent.length, 1, "not repeated");
  const refused = clientOf(fault(404, "Project p not found"));
  await assert.rejects(Array.fromAsync(refused.client.streamQuery("p", { query: "?" })), /not found/);
});

test("leaving the loop and aborting end the stream", async () => {
  let cancelled = 0;
  const endless = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(PARTS.join(""))),
        cancel: () => void cancelled++,
      }),
      { headers: own.events },
    );
  const { client } = clientOf(endless);
  for await (const part of client.streamQuery("p", { query: "?" })) if (part.type === "chunks") break;
  assert.equal(cancelled, 1);
  const stop = new AbortController();
  const reason = new Error("enough");
  const { client: other } = clientOf((_, signal) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(PARTS.join("")));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: own.events });
  });
  const reading = (async () => {
    for await (const part of other.streamQuery("p", { query: "?" }, { signal: stop.signal }))
      if (part.type === "entities") stop.abort(reason);
  })();
  await assert.rejects(reading, reason);
});

test("an event that is no JSON is told as a broken connection", async () => {
  const { client } = clientOf(() => events("event: chunks\ndata: {\n\n"));
  await assert.rejects(Array.fromAsync(client.streamQuery("p", { query: "?" })), ConnectionError);
});
