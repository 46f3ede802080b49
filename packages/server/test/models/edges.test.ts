/** Edges of the client that a well-behaved server and store never show. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMeter } from "../../src/adapters/models/language/meter.ts";
import { ProviderFault } from "../../src/adapters/models/language/provider-fault.ts";
import { createProviderFetch } from "../../src/adapters/models/language/provider-fetch.ts";
import { createReplyCache } from "../../src/adapters/models/language/reply-cache.ts";
import type { ModelReply } from "../../src/ports/language-model.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import type { Behaviour } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import { createMemoryModelStore, createScene, failsWith, request } from "./scene.ts";

const HOUR_MS = 3_600_000;

test("an answer that is longer than any reply is given up, and not tried again", async (context) => {
  const server = await startModelServer({
    chat: () => ({ kind: "babble", body: "x".repeat(5_000), contentType: "application/json" }),
  });
  context.after(() => server.close());
  const ask = (maxReplyBytes: number) =>
    createProviderFetch({ maxReplyBytes, maxReplyValues: 100, now: Date.now })(
      `${server.baseUrl}/chat/completions`,
      {
        method: "POST",
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello?" }] }),
      },
    );
  assert.equal((await (await ask(5_000)).text()).length, 5_000);
  await assert.rejects(ask(4_999), (error) => error instanceof ProviderFault && error.kind === "refused");
});

test("an answer that would take long to parse is given up before it is parsed", async (context) => {
  for (const [body, isRefused] of [
    [JSON.stringify({ text: "[,:".repeat(1_000) }), false],
    [JSON.stringify(new Array(101).fill(1)), true],
    ["[".repeat(65), true],
  ] as const) {
    const server = await startModelServer({
      chat: () => ({ kind: "babble", body, contentType: "application/json" }),
    });
    context.after(() => server.close());
    const asked = createProviderFetch({ maxReplyBytes: 10_000, maxReplyValues: 100, now: Date.now })(
      `${server.baseUrl}/chat/completions`,
      {
        method: "POST",
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello?" }] }),
      },
    );
    if (isRefused)
      await assert.rejects(asked, (error) => error instanceof ProviderFault && error.kind === "refused");
    else assert.equal(await (await asked).text(), body);
  }
});

test("a stream of events that nobody asked for is bounded like any other answer", async (context) => {
  const server = await startModelServer({
    chat: () => ({ kind: "babble", body: "[".repeat(65), contentType: "text/event-stream" }),
  });
  context.after(() => server.close());
  const ask = (events?: { eventBytes: number; eventValues: number }) =>
    createProviderFetch({
      maxReplyBytes: 10_000,
      maxReplyValues: 100,
      ...(events && { events }),
      now: Date.now,
    })(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello?" }] }),
    });
  assert.equal((await ask({ eventBytes: 100, eventValues: 100 })).status, 200);
  await assert.rejects(ask(), (error) => error instanceof ProviderFault && error.kind === "refused");
});

test("a streamed reply that would take long to read is given up, and not asked for again", async (context) => {
  const choice = { index: 0, delta: { content: "A lamp." }, finish_reason: "stop" };
  const eventOf = (extra: object) => `data: ${JSON.stringify({ choices: [choice], ...extra })}\n\n`;
  const asked = async (behaviour: Behaviour) => {
    const { model, server } = await createScene(context, { chat: () => behaviour });
    const reply = await model
      .generate({ ...request, schema: null, onText: () => undefined })
      .catch((error: unknown) => error);
    assert.equal(server.requests.length, 1);
    return reply;
  };
  const stream = (extra: object): Behaviour => ({
    kind: "babble",
    body: eventOf(extra),
    contentType: "text/event-stream",
  });
  const isRefused = failsWith({ failure: "refused" });
  assert.ok(isRefused(await asked(stream({ more: "x".repeat(70_000) }))));
  assert.ok(isRefused(await asked(stream({ more: new Array(3_000).fill({}) }))));
  assert.ok(isRefused(await asked({ kind: "call_tool", name: "look", arguments: "{}" })));
  assert.equal(((await asked(stream({ more: "x".repeat(60_000) }))) as ModelReply).text, "A lamp."); // Not an error.
});

describe("the meter", () => {
  const answered = { text: "{}", inputTokens: 3, outputTokens: 2 };
  const meterWith = (fault: Error) => {
    const store = createMemoryModelStore();
    const recordModelUse: typeof store.recordModelUse = async (input) => {
      if (input.reply !== null) throw fault;
      return store.recordModelUse(input);
    };
    const meter = createMeter({
      store: { ...store, recordModelUse },
      prices: null,
      tokenLimit: null,
      now: Date.now,
    });
    return { store, record: () => meter.record({ request, model: "test/large", answered, replyKey: "key" }) };
  };

  test("records what was paid while the project is being deleted, and keeps no reply of it", async () => {
    const { store, record } = meterWith(new StoreUnavailableError("busy", "The row is held", null));
    assert.equal(await record(), false);
    assert.deepEqual([store.uses.length, store.replies.size], [1, 0]);
  });

  test("lets a database that is away be known", async () => {
    const { store, record } = meterWith(new StoreUnavailableError("connection_lost", "Gone", null));
    await assert.rejects(record(), StoreUnavailableError);
    assert.equal(store.uses.length, 0);
  });
});

test("the use of a kept reply is written down once a day", async () => {
  let now = Date.UTC(2031, 3, 21);
  let usedAt = now;
  let touches = 0;
  const store = {
    ...createMemoryModelStore(),
    findModelReply: async () => ({ text: "{}", usedAt }),
    async touchModelReply(input: { now: number }) {
      usedAt = input.now;
      touches += 1;
    },
  };
  const replies = createReplyCache(store, () => now);
  for (let hour = 0; hour < 60; hour++) {
    assert.equal(await replies.find({ accountId: "account-1", key: "key" }), "{}");
    now += HOUR_MS;
  }
  assert.equal(touches, 2);
});
