/** What the language model's client promises, against a real server that misbehaves. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Behaviour,
  drop,
  empty,
  hang,
  prose,
  refuse,
  say,
  tooMany,
  truncated,
} from "../support/model-server/behaviour.ts";
import { sampleOf, unknownEnums, wrongTypes } from "../support/model-server/sample.ts";
import { createScene, failsWith, request, schema } from "./scene.ts";

const facts = { facts: ["the lamp is lit", "it is night"] };

/** One behaviour after the other; then the reply that was asked for. */
const then =
  (...behaviours: readonly Behaviour[]) =>
  ({ index }: { index: number }) =>
    behaviours[index] ?? say(facts);

describe("a structured reply", () => {
  test("is locked to the schema by the provider, at temperature 0, with the operator's key", async (context) => {
    const { model, server } = await createScene(context, {
      chat: then(say(facts, { usage: { inputTokens: 31, outputTokens: 7 } })),
      apiKey: "key-of-the-operator",
    });
    const reply = await model.generate(request);
    assert.deepEqual(reply, {
      text: JSON.stringify(facts),
      value: facts,
      isCached: false,
      repairs: 0,
      inputTokens: 31,
      outputTokens: 7,
    });
    const [asked] = server.requests;
    assert.deepEqual(asked?.schema, schema);
    assert.deepEqual(
      [asked?.model, asked?.system, asked?.prompt, asked?.maxTokens, asked?.temperature],
      ["large", "You list facts.", "The lamp is lit.", 500, 0],
    );
  });

  test("of a provider that refuses schemas is asked for in the prompt, and so from then on", async (context) => {
    const { model, server } = await createScene(context, {
      chat: ({ schema: asked }) =>
        asked === null ? prose(facts) : refuse(400, "response_format of type json_schema is not supported"),
    });
    const first = await model.generate(request);
    assert.deepEqual([first.value, first.repairs], [facts, 1]);
    await model.generate({ ...request, prompt: "another" });
    assert.deepEqual(
      server.requests.map((asked) => asked.schema !== null),
      [true, false, false],
    );
    assert(server.requests[2]?.system.includes(JSON.stringify(schema)));
    assert(server.requests[2]?.system.startsWith("You list facts."));
  });

  test("of a provider that takes schemas and ignores them is asked for both ways from then on", async (context) => {
    const { model, server } = await createScene(context, { chat: then(say("I would rather talk.")) });
    assert.equal((await model.generate(request)).value, null);
    assert.deepEqual((await model.generate(request)).value, facts);
    assert.deepEqual(server.requests[1]?.schema, schema);
    assert(server.requests[1]?.system.includes(JSON.stringify(schema)));
  });

  test("of a model that wants no temperature is asked for without one from then on", async (context) => {
    const { model, server } = await createScene(context, {
      chat: ({ temperature }) =>
        temperature === null
          ? say(facts)
          : refuse(400, "Unsupported value: 'temperature' does not support 0"),
    });
    await model.generate(request);
    await model.generate({ ...request, prompt: "another" });
    assert.deepEqual(
      server.requests.map(({ temperature }) => temperature),
      [0, null, null],
    );
    assert.deepEqual(server.requests[2]?.schema, schema);
  });

  test("that is cut off, wrapped, of the wrong types or empty is handed on as far as it can be read", async (context) => {
    const enumerated = { ...schema, properties: { facts: { type: "array", items: { enum: ["a", "b"] } } } };
    const cases: readonly (readonly [Behaviour, unknown, number])[] = [
      [truncated(facts), { facts: ["the lamp is lit"] }, 1],
      [prose(facts), facts, 1],
      [wrongTypes(schema), { facts: [7] }, 0],
      [unknownEnums(enumerated), { facts: ["NOT_IN_THE_LIST"] }, 0],
      [say(sampleOf(enumerated)), { facts: ["a"] }, 0],
      [empty, null, 0],
    ];
    for (const [behaviour, value, repairs] of cases) {
      const { model } = await createScene(context, { chat: () => behaviour });
      const reply = await model.generate(request);
      assert.deepEqual([reply.value, reply.repairs], [value, repairs], JSON.stringify(behaviour));
    }
  });

  test("plain text is handed on without a model's thoughts", async (context) => {
    const { model, server } = await createScene(context, {
      chat: () => say("<think>Hm.</think>\n It is lit. "),
    });
    const reply = await model.generate({ ...request, schema: null });
    assert.deepEqual([reply.text, reply.value], ["It is lit.", null]);
    assert.equal(server.requests[0]?.body["response_format"], undefined);
  });
});

describe("a call that fails", () => {
  const transient: readonly (readonly [string, Behaviour])[] = [
    ["408", refuse(408)],
    ["409", refuse(409)],
    ["429", tooMany()],
    ["500", refuse(500)],
    ["502", refuse(502)],
    ["503", refuse(503)],
    ["529", refuse(529)],
    ["a dropped connection", drop()],
    ["a connection dropped in the middle of the reply", drop(20)],
    ["a page of HTML", { kind: "babble", body: "<html>Bad gateway</html>" }],
    ["JSON of another protocol", { kind: "babble", body: '{"ok":true}', contentType: "application/json" }],
  ];
  for (const [name, behaviour] of transient) {
    test(`with ${name} is tried again`, async (context) => {
      const { model, server, clock } = await createScene(context, {
        chat: then(behaviour, behaviour, behaviour),
      });
      assert.deepEqual((await model.generate(request)).value, facts);
      assert.equal(server.requests.length, 4);
      assert.deepEqual(clock.pauses, [375, 750, 1_500]);
    });
  }

  for (const [name, behaviour, failure] of [
    ["429", tooMany(), "rate_limited"],
    ["500", refuse(500), "unavailable"],
    ["a dropped connection", drop(), "unavailable"],
  ] as const) {
    test(`with ${name} each time is given up after three retries`, async (context) => {
      const { model, server, warnings } = await createScene(context, { chat: () => behaviour });
      await assert.rejects(model.generate(request), failsWith({ failure }));
      assert.equal(server.requests.length, 4);
      assert.equal(warnings.length, 1);
    });
  }

  for (const status of [401, 403, 404, 413]) {
    test(`with ${status} is not tried again`, async (context) => {
      const { model, server } = await createScene(context, { chat: () => refuse(status) });
      await assert.rejects(model.generate(request), failsWith({ failure: "refused" }));
      assert.equal(server.requests.length, 1);
    });
  }

  test("with 400 is tried without the schema only, and what was learned is not kept", async (context) => {
    const { model, server } = await createScene(context, {
      chat: () => refuse(400, "context length exceeded"),
    });
    for (const _ of [1, 2]) await assert.rejects(model.generate(request), failsWith({ failure: "refused" }));
    assert.deepEqual(
      server.requests.map((asked) => asked.schema !== null),
      [true, false, true, false],
    );
  });

  test("waits as long as the provider asks, be it in seconds or until a date", async (context) => {
    const date = new Date(Date.UTC(2031, 3, 21, 12, 0, 40)).toUTCString();
    const { model, clock } = await createScene(context, { chat: then(tooMany(20), tooMany(date)) });
    await model.generate(request);
    // The second date is forty seconds after the beginning, of which twenty and a little have passed.
    assert.deepEqual(clock.pauses, [20_125, 19_875 + 125]);
  });

  test("by not answering in time counts as a timeout, and is tried again", async (context) => {
    const settings = { tryTimeoutMs: 40 };
    const { model, activities } = await createScene(context, { chat: () => hang, settings });
    await assert.rejects(model.generate(request), failsWith({ failure: "timeout" }));
    // Not counted by the server, which a short try need not have reached.
    assert.deepEqual([activities[0]?.outcome, activities[0]?.retries], ["timeout", 3]);
  });

  test("ends with its deadline, however many tries are left", async (context) => {
    const { model, clock } = await createScene(context, { chat: () => hang });
    await assert.rejects(model.generate({ ...request, deadlineMs: 40 }), failsWith({ failure: "timeout" }));
    assert.deepEqual(clock.pauses, []);
  });

  test("ends with the reason of whoever gives it up", async (context) => {
    const { model, activities } = await createScene(context, { chat: () => hang });
    const signal = AbortSignal.timeout(30);
    await assert.rejects(model.generate({ ...request, signal }), { name: "TimeoutError" });
    assert.equal(activities.at(-1)?.outcome, "aborted");
  });

  test("does not follow a redirect, which would take the key along", async (context) => {
    const other = await createScene(context);
    const redirect: Behaviour = {
      kind: "refuse",
      status: 307,
      message: "moved",
      headers: { location: `${other.server.baseUrl}/chat/completions` },
    };
    const { model } = await createScene(context, { chat: () => redirect });
    await assert.rejects(model.generate(request), failsWith({ failure: "refused" }));
    assert.equal(other.server.requests.length, 0);
  });

  test("leaves out of the log what the provider quotes of the request", async (context) => {
    const prompt = "Dorota Kvist renewed the certificate of the balancer in rack seven.";
    const { model, warnings } = await createScene(context, {
      chat: () => refuse(404, `[{'loc': 'messages', 'input': {'content': '${prompt}'}}]`),
    });
    await assert.rejects(model.generate({ ...request, prompt }));
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(JSON.stringify(warnings), /Kvist|balancer/);
  });

  test("shows what the provider wrote to the log alone, and the key to nobody", async (context) => {
    const { model, warnings } = await createScene(context, {
      chat: () => refuse(401, "Incorrect API key provided: key-of-the-operator. Organization org-77."),
    });
    await assert.rejects(model.generate(request), (error: Error) => !/key-of|org-77/.test(error.message));
    const logged = JSON.stringify(warnings);
    assert.match(logged, /org-77/);
    assert.doesNotMatch(logged, /key-of-the-operator/);
  });
});
