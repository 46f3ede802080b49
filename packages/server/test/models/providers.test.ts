/** Each provider's own protocol: what is sent where, and how its answers are read. */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createLanguageModel } from "../../src/adapters/models/language/create-language-model.ts";
import type { ModelProvider } from "../../src/adapters/models/language/settings.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createMemoryModelStore, failsWith, request, schema, settingsFor } from "./scene.ts";

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // Looked at by the assertions only.
  readonly body: Record<string, unknown>;
}

/** A server that answers each request with the next of these, and the last one for ever. */
async function ask(
  context: TestContext,
  provider: ModelProvider,
  answers: readonly { readonly status?: number; readonly body: unknown }[],
) {
  const asked: Asked[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push({ path: incoming.url ?? "", headers: incoming.headers, body });
    response.writeHead(answer?.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  const ignore = () => undefined;
  const model = createLanguageModel(settingsFor(baseUrl, { provider }), {
    store: createMemoryModelStore(),
    clock: createFakeClock(),
    tokenLimit: null,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  return { model, asked };
}

const facts = { facts: ["the lamp is lit"] };
const text = JSON.stringify(facts);
const badRequest = (message: string) => ({
  status: 400,
  body: {
    type: "error",
    error: { type: "invalid_request_error", message, code: 400, status: "INVALID_ARGUMENT" },
  },
});

const openai = {
  body: {
    id: "c1",
    model: "large",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 },
  },
};
const anthropicSays = (content: readonly object[]) => ({
  body: {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "large",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 40, output_tokens: 9 },
  },
});
const google = {
  body: {
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9, totalTokenCount: 49 },
  },
};

describe("OpenAI", () => {
  test("is sent the limit under its newer name, the schema as strict, and the key", async (context) => {
    const { model, asked } = await ask(context, "openai", [openai]);
    const reply = await model.generate(request);
    assert.deepEqual([reply.value, reply.inputTokens, reply.outputTokens], [facts, 40, 9]);
    const { path, headers, body } = asked[0] as Asked;
    assert.deepEqual([path, headers.authorization], ["/base/chat/completions", "Bearer key-of-the-operator"]);
    assert.deepEqual([body["max_completion_tokens"], body["max_tokens"]], [500, undefined]);
    assert.deepEqual(body["response_format"], {
      type: "json_schema",
      json_schema: { name: "reply", strict: true, schema },
    });
  });
});

describe("Ollama", () => {
  test("is asked in OpenAI's protocol, under the older name of the limit", async (context) => {
    const { model, asked } = await ask(context, "ollama", [openai]);
    assert.deepEqual((await model.generate(request)).value, facts);
    assert.equal(asked[0]?.body["max_tokens"], 500);
    assert.equal(model.nameOf("answering"), "ollama/large");
  });
});

describe("Anthropic", () => {
  test("is sent the system text apart, and a locked reply is read", async (context) => {
    for (const content of [
      [{ type: "text", text }],
      [{ type: "tool_use", id: "t1", name: "json", input: facts }],
    ]) {
      const { model, asked } = await ask(context, "anthropic", [anthropicSays(content)]);
      const reply = await model.generate(request);
      assert.deepEqual([reply.value, reply.inputTokens, reply.outputTokens], [facts, 40, 9]);
      const { path, headers, body } = asked[0] as Asked;
      assert.deepEqual([path, headers["x-api-key"]], ["/base/messages", "key-of-the-operator"]);
      assert.equal(body["max_tokens"], 500);
      assert.match(JSON.stringify(body["system"]), /You list facts/);
      assert.match(JSON.stringify(body), /"facts"/);
    }
  });

  test("is asked in the prompt where it refuses the lock", async (context) => {
    const { model, asked } = await ask(context, "anthropic", [
      badRequest("output_config.format: Extra inputs are not permitted"),
      anthropicSays([{ type: "text", text: `Here:\n${text}` }]),
    ]);
    assert.deepEqual((await model.generate(request)).value, facts);
    assert.equal(asked.length, 2);
    assert.match(JSON.stringify(asked[1]?.body["system"]), /JSON Schema/);
  });
});

describe("Google", () => {
  test("is sent the schema in its own form, and its reply is read", async (context) => {
    const { model, asked } = await ask(context, "google", [google]);
    const reply = await model.generate(request);
    assert.deepEqual([reply.value, reply.inputTokens, reply.outputTokens], [facts, 40, 9]);
    const { path, headers, body } = asked[0] as Asked;
    assert.equal(path, "/base/models/large:generateContent");
    assert.equal(headers["x-goog-api-key"], "key-of-the-operator");
    const config = body["generationConfig"] as Record<string, unknown>;
    assert.deepEqual([config["maxOutputTokens"], config["temperature"]], [500, 0]);
    assert.equal(config["responseMimeType"], "application/json");
  });
});

test("every provider's refusals and failures are told apart alike", async (context) => {
  for (const provider of ["openai", "anthropic", "google", "ollama"] as const) {
    const refused = await ask(context, provider, [{ status: 401, body: { error: { message: "bad key" } } }]);
    await assert.rejects(refused.model.generate(request), failsWith({ failure: "refused" }));
    assert.equal(refused.asked.length, 1, provider);
    const limited = await ask(context, provider, [
      { status: 429, body: { error: { message: "slow down" } } },
    ]);
    await assert.rejects(limited.model.generate(request), failsWith({ failure: "rate_limited" }));
    assert.equal(limited.asked.length, 4, provider);
    const overloaded = await ask(context, provider, [{ status: 503, body: "not even JSON" }]);
    await assert.rejects(overloaded.model.generate(request), failsWith({ failure: "unavailable" }));
    assert.equal(overloaded.asked.length, 4, provider);
  }
});
