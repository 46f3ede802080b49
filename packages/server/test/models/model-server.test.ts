/** The test server itself: that it speaks the protocol, and misbehaves as its scripts say. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { drop, hang, refuse, say, slow, tooMany } from "../support/model-server/behaviour.ts";
import { vectorOf } from "../support/model-server/embeddings.ts";
import { type ModelServerOptions, startModelServer } from "../support/model-server/model-server.ts";

const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Hello?" }] },
];

async function serve(context: TestContext, options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  context.after(() => server.close());
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(`${server.baseUrl}${path}`, { method: "POST", body: JSON.stringify(body), ...init });
  const chat = (body: object = {}, init: RequestInit = {}) =>
    post("/chat/completions", { model: "m", messages, ...body }, init);
  return { server, post, chat };
}

/** A member of what was parsed, however deep. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const step of path) inner = (inner as Record<string | number, unknown> | undefined)?.[step]; // undefined where it is not.
  return inner;
}

describe("the model server", () => {
  test("answers a chat, whole and as a stream with usage", async (context) => {
    const { server, chat } = await serve(context, { chat: () => say("Hello, this is a longer answer.") });
    const whole = await (await chat()).json();
    assert.deepEqual(whole, {
      id: "chatcmpl-0",
      object: "chat.completion",
      created: 1_900_000_000,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello, this is a longer answer.", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 4, completion_tokens: 8, total_tokens: 12 },
    });
    const streamed = await (await chat({ stream: true, stream_options: { include_usage: true } })).text();
    const events = streamed.split("\n\n").filter((event) => event !== "");
    assert.equal(events.at(-1), "data: [DONE]");
    const parsed = events.slice(0, -1).map((event): unknown => JSON.parse(event.slice("data: ".length)));
    const text = parsed.map((event) => at(event, "choices", 0, "delta", "content") ?? "").join("");
    assert.equal(text, "Hello, this is a longer answer.");
    assert.deepEqual(at(parsed.at(-1), "usage"), at(whole, "usage"));
    assert.deepEqual([server.requests[0]?.system, server.requests[0]?.prompt], ["Be brief.", "Hello?"]);
  });

  test("calls tools, whole and as a stream", async (context) => {
    const { chat } = await serve(context, {
      chat: ({ tools }) => ({ kind: "call_tool", name: tools[0] ?? "none", arguments: '{"city":"Quenby"}' }),
    });
    const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
    const whole = await (await chat({ tools })).json();
    assert.deepEqual(at(whole, "choices", 0, "message", "tool_calls", 0, "function"), {
      name: "weather",
      arguments: '{"city":"Quenby"}',
    });
    assert.equal(at(whole, "choices", 0, "finish_reason"), "tool_calls");
    assert.match(
      await (await chat({ tools, stream: true })).text(),
      /"tool_calls":\[\{"index":0,"id":"call_0"/,
    );
  });

  test("answers a schema with a value that fits it, when there is no script", async (context) => {
    const { chat } = await serve(context);
    const schema = {
      type: "object",
      properties: {
        kind: { enum: ["one", "two"] },
        items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
        either: { anyOf: [{ type: "null" }, { type: "string" }] },
      },
    };
    const format = { type: "json_schema", json_schema: { name: "reply", strict: true, schema } };
    const reply = await (await chat({ response_format: format })).json();
    assert.deepEqual(JSON.parse(String(at(reply, "choices", 0, "message", "content"))), {
      kind: "one",
      items: [{ n: 1 }],
      either: null,
    });
  });

  test("refuses what a real server refuses", async (context) => {
    const { server, chat, post } = await serve(context, { apiKey: "right" });
    const headers = { authorization: "Bearer right" };
    const statusOf = async (reply: Promise<Response>) => (await reply).status;
    assert.equal(await statusOf(chat()), 401);
    assert.equal(await statusOf(chat({ messages: [] }, { headers })), 400);
    assert.equal(await statusOf(chat({ model: "" }, { headers })), 400);
    assert.equal(await statusOf(chat({ response_format: { type: "json_schema" } }, { headers })), 400);
    assert.equal(await statusOf(chat({ response_format: { type: "yaml" } }, { headers })), 400);
    assert.equal(await statusOf(chat({}, { headers, body: "{" })), 400);
    assert.equal(await statusOf(post("/completions", {}, { headers })), 404);
    assert.equal(server.requests.length, 0);
    assert.equal(await statusOf(chat({}, { headers })), 200);
  });

  test("misbehaves as the script says", async (context) => {
    const givingUp = new AbortController();
    const { chat, server } = await serve(context, {
      chat({ index }) {
        if (index === 5) givingUp.abort(new Error("given up"));
        return [slow(30, "late"), tooMany(7), refuse(500), drop(), drop(10), hang][index] ?? say("");
      },
    });
    const began = performance.now();
    assert.equal((await chat()).status, 200);
    assert(performance.now() - began >= 29);
    const limited = await chat();
    assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "7"]);
    const broken = await chat();
    assert.equal(broken.status, 500);
    assert.equal(at(await broken.json(), "error", "type"), "server_error");
    await assert.rejects(chat());
    await assert.rejects((await chat()).text());
    await assert.rejects(chat({}, { signal: givingUp.signal }), /given up/);
    assert.equal(server.requests.length, 6);
  });

  test("gives a text the same unit vector each time, near those of texts that share its words", async (context) => {
    const { post } = await serve(context);
    const embed = async (body: object) => {
      const reply = await (await post("/embeddings", { model: "e", ...body })).json();
      return [0, 1, 2].map((index) => at(reply, "data", index, "embedding"));
    };
    const input = ["the lamp is lit", "the lamp is out", "beetles eat leaves"];
    const vectors = (await embed({ input, dimensions: 32 })) as readonly (readonly number[])[]; // Compared below.
    assert.deepEqual(vectors[0], vectorOf("the lamp is lit", 32));
    const dot = (a = 0, b = 0) =>
      (vectors[a] ?? []).reduce((sum, value, at) => sum + value * (vectors[b]?.[at] ?? 0), 0);
    assert(Math.abs(dot(0, 0) - 1) < 1e-9);
    assert(dot(0, 1) > dot(0, 2) + 0.2);
    const [coded] = await embed({ input: input[0], dimensions: 32, encoding_format: "base64" });
    const bytes = Buffer.from(String(coded), "base64");
    assert.equal(bytes.length, 32 * 4);
    assert(Math.abs(bytes.readFloatLE(0) - (vectors[0]?.[0] ?? 0)) < 1e-6);
  });

  test("lists its models", async (context) => {
    const { server } = await serve(context, { models: ["a", "b"] });
    const listed = await (await fetch(`${server.baseUrl}/models`)).json();
    assert.deepEqual([at(listed, "data", 0, "id"), at(listed, "data", 1, "id")], ["a", "b"]);
  });
});
