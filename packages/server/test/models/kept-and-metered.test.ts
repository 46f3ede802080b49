/** What a call costs, and what is spared by replies that are kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { replyKey } from "../../src/adapters/models/language/reply-key.ts";
import type { ModelRequest } from "../../src/ports/language-model.ts";
import { empty, refuse, say } from "../support/model-server/behaviour.ts";
import { createScene, failsWith, request } from "./scene.ts";

const facts = { facts: ["the lamp is lit"] };
const usage = { inputTokens: 1_000, outputTokens: 200 };
const extraction: ModelRequest = {
  ...request,
  task: "extraction",
  meter: { accountId: "account-1", projectId: "project-1", jobId: "job-1" },
};

describe("a kept reply", () => {
  test("answers the same question again, without a call and for nothing", async (context) => {
    const { model, server, store, activities } = await createScene(context, {
      chat: () => say(facts, { usage }),
    });
    await model.generate(request);
    const again = await model.generate(request);
    assert.deepEqual(again, {
      text: JSON.stringify(facts),
      value: facts,
      isCached: true,
      repairs: 0,
      inputTokens: 0,
      outputTokens: 0,
    });
    assert.equal(server.requests.length, 1);
    assert.equal(store.uses.length, 1);
    assert.deepEqual(
      activities.map(({ outcome }) => outcome),
      ["answered", "cached"],
    );
  });

  test("answers no question that differs in anything, and no other account", async (context) => {
    const { model, server } = await createScene(context, { chat: () => say(facts) });
    const others: readonly Partial<ModelRequest>[] = [
      {},
      { prompt: "The lamp is out." },
      { system: "You count facts." },
      { promptVersion: 2 },
      { task: "planning" },
      { maxOutputTokens: 501 },
      { schema: { ...request.schema, title: "another" } },
      { schema: null },
      { meter: { ...request.meter, accountId: "account-2" } },
    ];
    for (const other of others) await model.generate({ ...request, ...other });
    assert.equal(server.requests.length, others.length);
    // Who asks on behalf of what makes no difference within an account.
    await model.generate({
      ...request,
      meter: { accountId: "account-1", projectId: "project-9", jobId: "job-9" },
    });
    assert.equal(server.requests.length, others.length);
  });

  test("has a key of its account's own", () => {
    const other = { ...request, meter: { ...request.meter, accountId: "account-2" } };
    assert.notEqual(replyKey(request, "test/large"), replyKey(other, "test/large"));
    assert.notEqual(replyKey(request, "test/large"), replyKey(request, "test/small"));
    assert.equal(replyKey(request, "test/large"), replyKey({ ...request }, "test/large"));
  });

  test("is of use only: what lacks required members, or is refused by whoever asked, is asked for anew", async (context) => {
    for (const reply of [say({ other: [] }), say({ facts: "none" }), say("no"), empty]) {
      const { model, server, store } = await createScene(context, { chat: () => reply });
      for (const _ of [1, 2]) await model.generate(request);
      assert.equal(server.requests.length, 2);
      assert.equal(store.uses.length, 2, "each is paid");
    }
    const { model, server } = await createScene(context, { chat: () => say(facts) });
    for (const _ of [1, 2]) await model.generate({ ...request, isUsable: () => false });
    assert.equal(server.requests.length, 2);
  });

  test("is of use as a text only if whoever asked can use it", async (context) => {
    const { model, server } = await createScene(context, { chat: () => say("The lamp is lit.") });
    const asked: unknown[] = [];
    const refuse = (text: unknown) => {
      asked.push(text);
      return false;
    };
    for (const _ of [1, 2]) await model.generate({ ...request, schema: null, isUsable: refuse });
    assert.deepEqual([server.requests.length, asked], [2, ["The lamp is lit.", "The lamp is lit."]]);
    for (const _ of [1, 2]) await model.generate({ ...request, schema: null });
    assert.equal(server.requests.length, 3);
  });

  test("is passed over, and replaced, where it has proved to be of no use", async (context) => {
    const { model, server } = await createScene(context, {
      chat: ({ index }) => say({ facts: [String(index)] }),
    });
    await model.generate(request);
    const fresh = await model.generate({ ...request, skipsCache: true });
    assert.deepEqual([fresh.value, fresh.isCached], [{ facts: ["1"] }, false]);
    assert.deepEqual((await model.generate(request)).value, { facts: ["1"] });
    assert.equal(server.requests.length, 2);
  });

  test("makes room for others now and then", async (context) => {
    const { model, store } = await createScene(context, { chat: () => say(facts) });
    for (let count = 0; count < 3; count++) await model.generate({ ...request, prompt: String(count) });
    assert.equal(store.trims, 1);
  });
});

describe("the meter", () => {
  test("records each answered call for its account, project, job, task, model and day, and its cost", async (context) => {
    const { model, store } = await createScene(context, {
      chat: () => say(facts, { usage }),
      settings: { prices: { input: 0.25, output: 2 } },
    });
    await model.generate(extraction);
    assert.deepEqual(store.uses, [
      {
        accountId: "account-1",
        projectId: "project-1",
        jobId: "job-1",
        task: "extraction",
        model: "openai-compatible/small",
        day: "2031-04-21",
        calls: 1,
        inputTokens: 1_000,
        outputTokens: 200,
        costMicros: 650,
      },
    ]);
  });

  test("records nothing of tries that were not answered", async (context) => {
    const { model, store } = await createScene(context, {
      chat: ({ index }) => (index < 2 ? refuse(500) : say(facts, { usage })),
    });
    await model.generate(request);
    assert.equal(store.uses.length, 1);
    const failing = await createScene(context, { chat: () => refuse(500) });
    await assert.rejects(failing.model.generate(request));
    assert.equal(failing.store.uses.length, 0);
  });

  test("counts for itself where the provider does not", async (context) => {
    const body = JSON.stringify({
      choices: [{ index: 0, message: { role: "assistant", content: "12345678" } }],
    });
    const { model, store } = await createScene(context, {
      chat: () => ({ kind: "babble", body, contentType: "application/json" }),
    });
    await model.generate({ ...request, schema: null, system: "1234", prompt: "12345678" });
    assert.deepEqual([store.uses[0]?.inputTokens, store.uses[0]?.outputTokens], [3, 2]);
  });

  test("counts for itself where what the provider tells is no number of tokens", async (context) => {
    const told = [
      { inputTokens: -5_000, outputTokens: 2 },
      { inputTokens: 3, outputTokens: 1.5 },
      { inputTokens: 1e300, outputTokens: 2 },
    ];
    const { model, store } = await createScene(context, {
      chat: () => say("12345678", { usage: told.shift() ?? usage }),
    });
    for (const prompt of ["12345678", "23456789", "34567890"]) {
      await model.generate({ ...request, schema: null, system: "1234", prompt });
    }
    assert.deepEqual(
      store.uses.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]),
      [
        [3, 2],
        [3, 2],
        [3, 2],
      ],
    );
  });

  test("refuses an extraction over the limit before it is asked, but not what is kept, nor another task", async (context) => {
    const { model, server, warnings } = await createScene(context, {
      chat: () => say(facts, { usage }),
      tokenLimit: 2_000,
      tokensUsed: 1_500,
    });
    await model.generate(extraction);
    await assert.rejects(
      model.generate({ ...extraction, prompt: "more" }),
      failsWith({ failure: "token_limit" }),
    );
    assert.equal(server.requests.length, 1);
    assert.equal((await model.generate(extraction)).isCached, true);
    for (const task of ["suggestion", "planning", "judging", "answering"] as const) {
      await model.generate({ ...request, task });
    }
    assert.equal(server.requests.length, 5);
    assert.deepEqual(warnings, []);
  });
});

test("extraction may have a model of its own; the names say which", async (context) => {
  const { model, server } = await createScene(context);
  await model.generate(extraction);
  await model.generate(request);
  assert.deepEqual(
    server.requests.map((asked) => asked.model),
    ["small", "large"],
  );
  assert.deepEqual(
    [model.nameOf("extraction"), model.nameOf("answering")],
    ["openai-compatible/small", "openai-compatible/large"],
  );
});
