import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createBatchingEmbedder } from "../../src/adapters/models/embedding/batching-embedder.ts";
import { createRemoteEmbedder } from "../../src/adapters/models/embedding/create-remote-embedder.ts";
import { createQuestionVectors } from "../../src/adapters/models/embedding/question-vectors.ts";
import { EmbeddingError, type EmbeddingFailure } from "../../src/ports/embedder.ts";
import type { EmbeddingActivity } from "../../src/ports/embedding-activity.ts";
import { drop, hang, refuse, tooMany } from "../support/model-server/behaviour.ts";
import { type ModelServerOptions, startModelServer } from "../support/model-server/model-server.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createMemoryModelStore } from "./scene.ts";

const METER = { accountId: "account-1", projectId: "project-1" };
const ONCE = { meter: METER, deadlineMs: null };
const babble = (value: unknown) =>
  ({ kind: "babble", body: JSON.stringify(value), contentType: "application/json" }) as const;

async function createScene(
  context: TestContext,
  options: ModelServerOptions & { dimensions?: number; tryTimeoutMs?: number; onActivity?: () => void } = {},
) {
  const server = await startModelServer(options);
  context.after(() => server.close());
  const store = createMemoryModelStore();
  const clock = createFakeClock();
  const warnings: unknown[] = [];
  const ignore = () => undefined;
  const warn = (event: string, fields?: object) => void warnings.push({ event, ...fields });
  const activities: EmbeddingActivity[] = [];
  const embedder = createRemoteEmbedder(
    {
      provider: "openai-compatible",
      baseUrl: server.baseUrl,
      apiKey: "key-of-the-operator",
      model: "vectors",
      dimensions: options.dimensions ?? 24,
      price: 0.5,
      tryTimeoutMs: options.tryTimeoutMs ?? 5_000,
      maxConcurrent: 8,
    },
    {
      store,
      clock,
      log: { debug: ignore, info: ignore, warn, error: warn },
      onActivity(activity) {
        activities.push(activity);
        options.onActivity?.();
      },
    },
  );
  return { server, store, clock, embedder, warnings, activities };
}

function failsWith(failure: EmbeddingFailure, pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof EmbeddingError, String(error));
    assert.equal(error.failure, failure);
    assert.match(error.message, pattern);
    return true;
  };
}

test("texts become unit vectors of the configured length, in their order, metered but not charged", async (context) => {
  const { server, store, embedder } = await createScene(context);
  const [ferry, again, lamp] = await embedder.embed(["a ferry", "a ferry", "the lamp is lit"], ONCE);
  assert.ok(ferry && again && lamp);
  assert.equal(ferry.length, 24);
  assert.ok(Math.abs(Math.hypot(...ferry) - 1) < 1e-6);
  assert.deepEqual(ferry, again);
  assert.notDeepEqual(ferry, lamp);
  assert.equal(server.embeddingRequests.length, 1);
  const [use] = store.uses;
  assert.equal(use?.task, "embedding");
  assert.equal(use?.model, "openai-compatible/vectors");
  assert.equal(use?.inputTokens, 8);
  assert.equal(use?.costMicros, 4);
});

for (const told of [-1e9, 1.5, 1e300, 1e10, null]) {
  test(`tokens are estimated where the provider reports ${JSON.stringify(told)} of them`, async (context) => {
    const { store, embedder, activities } = await createScene(context, {
      dimensions: 2,
      embeddings: ({ inputs }) =>
        babble({ data: inputs.map(() => ({ embedding: [3, 4] })), usage: usageOf(told) }),
    });
    await embedder.embed(["12345", "12345678"], ONCE);
    assert.deepEqual([store.uses[0]?.inputTokens, store.uses[0]?.costMicros], [4, 2]);
    assert.deepEqual(
      activities.map(({ outcome, tokens }) => [outcome, tokens]),
      [["answered", 4]],
    );
  });
}

/** null: the reply has no usage. */
const usageOf = (told: number | null) =>
  told === null ? undefined : { prompt_tokens: told, total_tokens: told };

test("a call is answered, whatever the listener to its end throws", async (context) => {
  const { embedder, store, warnings } = await createScene(context, {
    onActivity() {
      throw new Error("not a number");
    },
  });
  assert.equal((await embedder.embed(["text"], ONCE)).length, 1);
  assert.equal(store.uses.length, 1);
  assert.match(JSON.stringify(warnings), /listener_failed/);
});

test("vectors that are not unit vectors are made so, and one without a direction is refused", async (context) => {
  const rows = [
    [3, 4],
    [0, 0],
  ];
  const { embedder } = await createScene(context, {
    dimensions: 2,
    embeddings: ({ inputs }) =>
      babble({ data: inputs.map((text) => ({ embedding: rows[text === "nil" ? 1 : 0] })) }),
  });
  assert.deepEqual((await embedder.embed(["long"], ONCE))[0], Float32Array.of(0.6, 0.8));
  await assert.rejects(embedder.embed(["nil"], ONCE), failsWith("refused", /without a direction/));
});

test("vectors of another length are refused at once, with the setting to look at", async (context) => {
  const { server, embedder } = await createScene(context, {
    embeddings: () => babble({ data: [{ embedding: [1, 0, 0] }] }),
  });
  await assert.rejects(
    embedder.embed(["text"], ONCE),
    failsWith("refused", /3 dimensions, but KCS_EMBEDDING_DIMENSIONS is 24/),
  );
  assert.equal(server.embeddingRequests.length, 1);
});

test("the reply to a question has room for its vector, that to a batch for all of its vectors", async (context) => {
  const { embedder, server } = await createScene(context, {
    dimensions: 2,
    embeddings: ({ inputs }) =>
      babble({ data: inputs.map(() => ({ embedding: [3, 4] })), ids: new Array(1_200).fill(1) }),
  });
  await assert.rejects(embedder.embed(["alone"], ONCE), failsWith("refused", /too many values/));
  assert.equal(server.embeddingRequests.length, 1);
  assert.equal((await embedder.embed(["one", "two"], ONCE)).length, 2);
});

test("each text gets the vector that is sent for its place, whatever the order of the list", async (context) => {
  const vectors = { one: [1, 0], two: [0, 1], three: [-1, 0] };
  const texts = Object.keys(vectors);
  let places: readonly unknown[] = [2, 0, 1];
  const { embedder } = await createScene(context, {
    dimensions: 2,
    embeddings({ inputs }) {
      const data = places.map((index, at) => {
        const text = inputs[typeof index === "number" ? index : at] ?? "one";
        return { index, embedding: vectors[text as keyof typeof vectors] };
      });
      return babble({ data });
    },
  });
  const expected = Object.values(vectors).map((vector) => Float32Array.from(vector));
  for (places of [
    [2, 0, 1],
    [undefined, undefined, undefined],
    [null, null, null],
  ])
    assert.deepEqual(await embedder.embed(texts, ONCE), expected);
  const faulty: readonly [readonly unknown[], RegExp][] = [
    [[0, 0, 1], /two vectors for one text/],
    [[1, 2, 3], /a text that it was not given/],
    [[0, 1, null], /a text that it was not given/],
    [[0, 1, 1.5], /a text that it was not given/],
  ];
  for (const [wrong, message] of faulty) {
    places = wrong;
    await assert.rejects(embedder.embed(texts, ONCE), failsWith("unavailable", message));
    // One that fails counts for the breaker, one that succeeds closes it.
    places = [0, 1, 2];
    await embedder.embed(texts, ONCE);
  }
});

test("texts with which one account makes the server fail keep only that account out", async (context) => {
  const { embedder } = await createScene(context, {
    embeddings: ({ inputs }) => (inputs.some((text) => text.includes("its own")) ? refuse(500) : null),
  });
  const other = { ...ONCE, meter: { ...METER, accountId: "account-2" } };
  for (let count = 0; count < 3; count++)
    await assert.rejects(embedder.embed(["its own"], ONCE), failsWith("unavailable", /it answered 500/));
  await assert.rejects(embedder.embed(["text"], ONCE), failsWith("unavailable", /not called for a while/));
  assert.equal((await embedder.embed(["text"], other)).length, 1);
});

test("a server that cannot be reached is called for no account for a while", async (context) => {
  const { embedder, server } = await createScene(context);
  await server.close();
  for (let count = 0; count < 3; count++)
    await assert.rejects(embedder.embed(["text"], ONCE), failsWith("unavailable", /the connection failed/));
  const other = { ...ONCE, meter: { ...METER, accountId: "account-2" } };
  await assert.rejects(embedder.embed(["text"], other), failsWith("unavailable", /not called for a while/));
});

test("a server that does not know the dimensions parameter is asked without it from then on", async (context) => {
  const { server, embedder } = await createScene(context, {
    dimensions: 64,
    embeddings: ({ dimensions }) => (dimensions === null ? null : refuse(400, "unknown field")),
  });
  for (const text of ["one", "two"]) assert.equal((await embedder.embed([text], ONCE))[0]?.length, 64);
  assert.deepEqual(
    server.embeddingRequests.map(({ dimensions }) => dimensions),
    [64, null, null],
  );
});

test("a 429, a dropped connection and too few vectors are tried again, as late as is asked for", async (context) => {
  const behaviours = [tooMany(7), drop(), babble({ data: [] }), null];
  const { clock, embedder, server } = await createScene(context, {
    embeddings: ({ index }) => behaviours[index] ?? null,
  });
  assert.equal((await embedder.embed(["text"], ONCE)).length, 1);
  assert.equal(server.embeddingRequests.length, 4);
  assert.ok(clock.pauses.some((ms) => ms >= 7_000));
});

test("a question whose time is over before the provider may be asked again is refused at once", async (context) => {
  const { clock, embedder, server, activities } = await createScene(context, {
    embeddings: () => tooMany(30),
  });
  const limited = { meter: METER, deadlineMs: 15_000 };
  await assert.rejects(embedder.embed(["one"], limited), failsWith("unavailable", /it answered 429/));
  await assert.rejects(embedder.embed(["two"], limited), (error: EmbeddingError) => {
    assert.equal(error.retryAt, clock.now() + 30_000);
    return failsWith("unavailable", /its provider asks to wait/)(error);
  });
  assert.deepEqual([server.embeddingRequests.length, clock.pauses], [1, []]);
  assert.deepEqual(activities.at(-1)?.outcome, "kept_out");
});

test("a wrong key is told without what the provider wrote, and not tried again", async (context) => {
  const { embedder, warnings, server } = await createScene(context, { apiKey: "another" });
  await assert.rejects(embedder.embed(["text"], ONCE), failsWith("refused", /it answered 401\.$/));
  assert.doesNotMatch(JSON.stringify(warnings), /key-of-the-operator|Incorrect/);
  assert.equal(server.embeddingRequests.length, 0);
});

test("a provider that is down is left alone for a while after three calls, then asked once", async (context) => {
  let isDown = true;
  const { clock, embedder, server } = await createScene(context, {
    embeddings: () => (isDown ? refuse(500) : null),
  });
  for (let call = 0; call < 3; call++)
    await assert.rejects(embedder.embed(["text"], ONCE), failsWith("unavailable", /after 3 retries/));
  const before = server.embeddingRequests.length;
  await assert.rejects(embedder.embed(["text"], ONCE), failsWith("unavailable", /not called for a while/));
  assert.equal(server.embeddingRequests.length, before);
  isDown = false;
  clock.advance(60_000);
  assert.equal((await embedder.embed(["text"], ONCE)).length, 1);
});

test("an answer that never comes ends with the deadline", async (context) => {
  const { embedder } = await createScene(context, { embeddings: () => hang });
  await assert.rejects(
    embedder.embed(["text"], { meter: METER, deadlineMs: 50 }),
    failsWith("unavailable", /no vectors in time/),
  );
});

test("chunks that are embedded together are sent together, at most 64 of them and no more text than fits", async (context) => {
  const { embedder, server } = await createScene(context);
  const batching = createBatchingEmbedder(embedder, {
    meter: METER,
    signal: new AbortController().signal,
    countTokens: () => 1,
  });
  const texts = Array.from({ length: 150 }, (_, at) => `chunk number ${at}`);
  const vectors = await Promise.all(texts.map((text) => batching.embed(text)));
  assert.deepEqual(vectors[149], (await embedder.embed(["chunk number 149"], ONCE))[0]);
  await Promise.all(["x", "y"].map((letter) => batching.embed(letter.repeat(60_000))));
  const sizes = server.embeddingRequests.map(({ inputs }) => inputs.length);
  assert.deepEqual(
    sizes.toSorted((one, other) => other - one),
    [64, 64, 22, 1, 1, 1],
  );
});

test("a question is embedded once for an account, asked at the same time or later; a failure is not remembered", async (context) => {
  const { embedder, server } = await createScene(context, {
    embeddings: ({ index }) => (index === 0 ? refuse(404) : null),
  });
  const vectorOf = createQuestionVectors(embedder);
  const ask = (query: string, accountId = "account-1") =>
    vectorOf({ accountId, projectId: "project-1", query }, embedder);
  await assert.rejects(ask("where?"), failsWith("refused", /404/));
  await Promise.all([ask("where?"), ask("where?"), ask("where?")]);
  await ask("where?");
  await ask("when?");
  await ask("when?", "account-2");
  assert.equal(server.embeddingRequests.length, 4);
});

test("a space that nothing is configured for is told with its model's name", async () => {
  const space = { model: "ollama/gone", dimensions: 7 };
  const question = { ...METER, query: "where?" };
  const told = /"ollama\/gone" with 7 dimensions, which is not configured.*KCS_EMBEDDING_MODEL/;
  const longer = { model: space.model, dimensions: 8, embed: () => Promise.reject(new Error("Not asked.")) };
  await assert.rejects(createQuestionVectors(longer)(question, space), failsWith("missing", told));
});

test("prose in place of vectors is no answer", async (context) => {
  const { embedder } = await createScene(context, {
    embeddings: () => ({ kind: "babble", body: "Sorry, no." }),
  });
  await assert.rejects(
    embedder.embed(["text"], ONCE),
    failsWith("unavailable", /did not follow the protocol/),
  );
});
