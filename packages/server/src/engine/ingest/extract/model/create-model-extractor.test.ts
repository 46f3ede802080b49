import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts } from "../../../../domain/graph.ts";
import { type LanguageModel, ModelError, type ModelRequest } from "../../../../ports/language-model.ts";
import { createModelExtractor, InvalidExtractionError } from "./create-model-extractor.ts";
import { chunkOf } from "./test-chunk.ts";

const NONE: ChunkFacts = {
  ...{ entities: [], relationships: [], properties: [], aliases: [], candidates: [], unfit: [] },
};
const ROWS = { facts: [["Ida Berg", "Person", "born in", "Oslo", "Location"]] };
const IN_FLIGHT = 4;
const never = new AbortController().signal;
const TEXT = "Ida Berg was born in Oslo.";

function scripted(reply: (request: ModelRequest, call: number) => unknown) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    nameOf: () => "test/model",
    async generate(request) {
      requests.push(request);
      const value = await reply(request, requests.length);
      const text = JSON.stringify(value) ?? "";
      return { text, value, isCached: false, repairs: 0, inputTokens: 1, outputTokens: 1 };
    },
  };
  const extractor = createModelExtractor({ model, inFlight: IN_FLIGHT });
  const ask = (text = TEXT, isWanted = () => true, { signal = never, accountId = "a" } = {}) =>
    extractor.ask({
      chunk: chunkOf(text),
      ontology: null,
      confidenceLimits: null,
      meter: { accountId, projectId: "p", jobId: "j" },
      ...{ isWanted, signal },
    });
  return { requests, ask };
}

test("a chunk is one call, locked to a schema, and what it gives joins what the built-in engine read", async () => {
  const { requests, ask } = scripted(() => ROWS);
  const said = await ask();
  assert.equal(requests.length, 1);
  assert.deepEqual([requests[0]?.task, requests[0]?.schema?.["type"]], ["extraction", "object"]);
  const builtIn = { type: "Location", key: "oslo", name: "Oslo", confidence: 0.5, start: 121, end: 125 };
  const { joined } = said.joinWith({ ...NONE, entities: [builtIn] });
  assert.deepEqual(
    joined.entities.map(({ type, key, confidence }) => [type, key, confidence]),
    [
      ["Person", "ida berg", 0.9],
      ["Location", "oslo", 0.9],
    ],
  );
  assert.equal(said.isPaid, true);
});

test("a reply without a usable structure is asked for once more, in other words so that no cache answers", async () => {
  const { requests, ask } = scripted((_, call) => (call === 1 ? { answer: 42 } : ROWS));
  assert.equal((await ask()).joinWith(NONE).joined.relationships.length, 1);
  assert.equal(requests.length, 2);
  assert.notEqual(requests[0]?.prompt, requests[1]?.prompt);
  assert.equal(requests[0]?.isUsable?.({ answer: 42 }), false);
  assert.equal(requests[0]?.isUsable?.({ facts: [] }), true);
});

test("a second reply without one is an invalid extraction", async () => {
  for (const value of [null, {}, { facts: "none" }, "sorry"]) {
    const { requests, ask } = scripted(() => value);
    await assert.rejects(ask(), InvalidExtractionError);
    assert.equal(requests.length, 2);
  }
});

test("a call whose tries are spent is not made again", async () => {
  const { requests, ask } = scripted(() => Promise.reject(new ModelError("timeout", "no answer")));
  await assert.rejects(ask(), ModelError);
  assert.equal(requests.length, 1);
});

test("only so many calls run at a time, and none is made for a chunk that is not needed any more", async () => {
  let running = 0;
  let most = 0;
  const { requests, ask } = scripted(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return ROWS;
  });
  const asked = Array.from({ length: 3 * IN_FLIGHT }, () => ask());
  const unwanted = ask(TEXT, () => false);
  await assert.rejects(unwanted, /not needed/);
  await Promise.all(asked);
  assert.deepEqual([most, requests.length], [IN_FLIGHT, 3 * IN_FLIGHT]);
});

test("of the calls that wait, accounts take turns, however many one of them has", async () => {
  const { requests, ask } = scripted(async () => {
    await new Promise(setImmediate);
    return ROWS;
  });
  const many = Array.from({ length: 10 * IN_FLIGHT }, () => ask());
  const one = ask(TEXT, () => true, { accountId: "b" });
  await Promise.all([...many, one]);
  const place = requests.findIndex(({ meter }) => meter.accountId === "b");
  assert.ok(place <= IN_FLIGHT + 1, `call ${place}`);
});

test("calls of an account that hang leave one to the others", async () => {
  const hanging = Promise.withResolvers<typeof ROWS>();
  const { ask } = scripted(({ meter }) => (meter.accountId === "a" ? hanging.promise : ROWS));
  const many = Array.from({ length: 2 * IN_FLIGHT }, () => ask());
  for (const _ of [1, 2, 3]) await ask(TEXT, () => true, { accountId: "b" });
  hanging.resolve(ROWS);
  await Promise.all(many);
});

test("a job that is gone ends its calls at once, and those that wait are never made", async () => {
  const job = new AbortController();
  const gone = new Error("gone");
  const { requests, ask } = scripted(
    ({ signal }) =>
      new Promise((resolve, reject) => {
        if (signal !== job.signal) resolve(ROWS);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  );
  const asked = Array.from({ length: 3 * IN_FLIGHT }, () => ask(TEXT, () => true, job));
  const other = ask();
  const settled = Promise.allSettled(asked);
  await new Promise(setImmediate);
  job.abort(gone);
  assert.ok((await settled).every((each) => each.status === "rejected" && each.reason === gone));
  await other;
  assert.equal(requests.length, IN_FLIGHT + 1);
  await assert.rejects(
    ask(TEXT, () => true, job),
    gone,
  );
});
