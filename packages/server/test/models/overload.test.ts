/** Many calls at once, and a provider that is down: the limiter and the breaker in the client. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelError } from "../../src/ports/language-model.ts";
import { hang, refuse, say, slow, tooMany } from "../support/model-server/behaviour.ts";
import { createScene, failsWith, request, type Scene } from "./scene.ts";

const facts = { facts: ["the lamp is lit"] };
const prompts = (count: number) => Array.from({ length: count }, (_, index) => `prompt ${index}`);

const askAll = ({ model }: Pick<Scene, "model">, count: number) =>
  Promise.allSettled(prompts(count).map((prompt) => model.generate({ ...request, prompt })));

describe("calls at once", () => {
  test("share one limit, whatever they are for, which the operator can lower", async (context) => {
    for (const maxConcurrent of [2, 16]) {
      const { model, server } = await createScene(context, {
        chat: () => slow(5, facts),
        settings: { maxConcurrent },
      });
      const tasks = ["extraction", "suggestion", "planning", "answering"] as const;
      await Promise.all(
        prompts(12).map((prompt, index) =>
          model.generate({ ...request, prompt, task: tasks[index % 4] ?? "planning" }),
        ),
      );
      // Four at first, one more with each success: when eight are under way, all of the twelve have begun.
      assert(server.mostAtOnce <= Math.min(maxConcurrent, 8), `${server.mostAtOnce} at once`);
      assert(server.mostAtOnce >= 2);
    }
  });

  test("become fewer while the provider refuses, and more again when it does not", async (context) => {
    let refusals = 8;
    const scene = await createScene(context, {
      chat: () => (refusals-- > 0 ? tooMany() : say(facts)),
    });
    const outcomes = await askAll(scene, 40);
    assert(outcomes.every(({ status }) => status === "fulfilled"));
    const limits = scene.activities.map(({ load }) => load.limit);
    assert(Math.min(...limits) < 4, `limits ${limits}`);
    assert((limits.at(-1) ?? 0) > Math.min(...limits));
  });

  test("wait together when the provider asks one of them to", async (context) => {
    const scene = await createScene(context, {
      chat: ({ index }) => (index === 0 ? tooMany(30) : say(facts)),
      settings: { maxConcurrent: 1 },
    });
    await askAll(scene, 3);
    assert.equal(scene.server.requests.length, 4);
    // The limiter's own pause, beside that of the call which was refused, with chance on top.
    assert.deepEqual(scene.clock.pauses.toSorted(), [30_000, 30_125]);
  });
});

test("a provider that asks for a longer wait than a call has time is not waited for", async (context) => {
  const { model, server, clock } = await createScene(context, { chat: () => tooMany(30) });
  const limited = { ...request, deadlineMs: 8_000 };
  await assert.rejects(model.generate(limited), failsWith({ failure: "rate_limited" }));
  const { now } = clock;
  await assert.rejects(model.generate({ ...limited, prompt: "another" }), (error) => {
    assert(error instanceof ModelError);
    assert.deepEqual([error.failure, error.retryAt], ["rate_limited", now() + 30_000]);
    return true;
  });
  assert.deepEqual([server.requests.length, clock.pauses], [1, []]);
});

describe("a provider that is down", () => {
  const down = async (context: Parameters<typeof createScene>[0]) => {
    const state = { isDown: true };
    const scene = await createScene(context, { chat: () => (state.isDown ? refuse(500) : say(facts)) });
    for (const prompt of prompts(3)) {
      await assert.rejects(
        scene.model.generate({ ...request, prompt }),
        failsWith({ failure: "unavailable" }),
      );
    }
    return { ...scene, state };
  };

  test("is left alone after three calls in a row have failed; who asks learns when to come again", async (context) => {
    const { model, server, clock, activities, warnings } = await down(context);
    assert.equal(server.requests.length, 12);
    await assert.rejects(model.generate(request), (error) => {
      assert(error instanceof ModelError);
      assert.deepEqual([error.failure, error.retryAt], ["unavailable", clock.now() + 15_000]);
      return true;
    });
    assert.equal(server.requests.length, 12);
    assert.deepEqual([activities.at(-1)?.outcome, activities.at(-1)?.load.breaker], ["kept_out", "open"]);
    assert.equal(warnings.length, 3);
  });

  test("is tried once when the time has come, and then left alone for longer", async (context) => {
    const { model, server, clock } = await down(context);
    clock.advance(15_000);
    await assert.rejects(model.generate(request), (error) => {
      assert(error instanceof ModelError);
      assert.equal(error.retryAt, clock.now() + 30_000);
      return true;
    });
    assert.equal(server.requests.length, 13);
  });

  test("is asked again by all once it has answered one", async (context) => {
    const { model, clock, state } = await down(context);
    state.isDown = false;
    clock.advance(15_000);
    const first = model.generate(request);
    await assert.rejects(
      model.generate({ ...request, prompt: "meanwhile" }),
      failsWith({ failure: "unavailable", retryAt: "set" }),
    );
    assert.deepEqual((await first).value, facts);
    assert.deepEqual((await model.generate({ ...request, prompt: "after" })).value, facts);
  });

  test("to one account alone is still asked by the others", async (context) => {
    for (const [behaviour, failure] of [
      [hang, "timeout"],
      [refuse(500), "unavailable"],
    ] as const) {
      const { model } = await createScene(context, {
        chat: ({ prompt }) => (prompt === "its own" ? behaviour : say(facts)),
        settings: { tryTimeoutMs: 20 },
      });
      const own = { ...request, prompt: "its own" };
      for (let count = 0; count < 3; count++)
        await assert.rejects(model.generate(own), failsWith({ failure }));
      await assert.rejects(model.generate(own), failsWith({ failure: "unavailable", retryAt: "set" }));
      const meter = { ...request.meter, accountId: "account-2" };
      assert.deepEqual((await model.generate({ ...request, meter })).value, facts);
    }
  });

  test("still answers from what is kept", async (context) => {
    const state = { isDown: false };
    const { model } = await createScene(context, { chat: () => (state.isDown ? refuse(500) : say(facts)) });
    await model.generate(request);
    state.isDown = true;
    for (const prompt of prompts(4)) await assert.rejects(model.generate({ ...request, prompt }));
    assert.equal((await model.generate(request)).isCached, true);
  });

  test("keeps out the retries of calls that began before it was found to be down", async (context) => {
    const scene = await createScene(context, { chat: () => refuse(500) });
    const outcomes = await askAll(scene, 20);
    const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    assert.equal(errors.length, 20);
    const keptOut = errors.filter((error) => error instanceof ModelError && error.retryAt !== null);
    assert(keptOut.length >= 10, `${keptOut.length} were kept out`);
    assert(scene.server.requests.length < 80);
  });

  test("that refuses requests is not down", async (context) => {
    const { model, server } = await createScene(context, { chat: () => refuse(401) });
    for (const prompt of prompts(6)) {
      await assert.rejects(model.generate({ ...request, prompt }), failsWith({ failure: "refused" }));
    }
    assert.equal(server.requests.length, 6);
  });
});
