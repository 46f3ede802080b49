import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, loadConfig } from "./config.ts";

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
}

test("without any of its settings the bundled model embeds alone", () => {
  assert.equal(loadConfig({ KCS_EMBEDDING_MODEL: " " }).embedding, null);
});

test("an address, a model and its dimensions are enough for a server that speaks the OpenAI protocol", () => {
  const { embedding } = loadConfig({
    KCS_EMBEDDING_BASE_URL: "http://127.0.0.1:8000/v1/",
    KCS_EMBEDDING_MODEL: "org/vectors-1",
    KCS_EMBEDDING_DIMENSIONS: "768",
    KCS_EMBEDDING_PRICE: "0.02",
  });
  assert.deepEqual(embedding, {
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKey: null,
    model: "org/vectors-1",
    dimensions: 768,
    price: 0.02,
    tryTimeoutMs: 30_000,
    maxConcurrent: 8,
  });
});

test("all missing and wrong settings are reported together, without the key", () => {
  const faults = faultsOf({ KCS_EMBEDDING_PROVIDER: "openai", KCS_EMBEDDING_PRICE: "much" });
  assert.deepEqual(
    faults.map((fault) => fault.split(":")[0]),
    ["KCS_EMBEDDING_MODEL", "KCS_EMBEDDING_DIMENSIONS", "KCS_EMBEDDING_PRICE", "KCS_EMBEDDING_API_KEY"],
  );
  const wrong = faultsOf({
    KCS_EMBEDDING_PROVIDER: "anthropic",
    KCS_EMBEDDING_API_KEY: "a secret key",
    KCS_EMBEDDING_MODEL: "model",
    KCS_EMBEDDING_DIMENSIONS: "9000",
  });
  assert.match(wrong.join("\n"), /expected openai-compatible or openai or google or ollama/);
  assert.match(wrong.join("\n"), /KCS_EMBEDDING_DIMENSIONS: got "9000"/);
  assert.doesNotMatch(wrong.join("\n"), /secret/);
});

test("a local model needs its name alone, and may stand beside another one", () => {
  const local = { KCS_EMBEDDING_PROVIDER: "local", KCS_EMBEDDING_MODEL: "BAAI/bge-small-en-v1.5" };
  const rerank = { KCS_RERANK_PROVIDER: "local", KCS_RERANK_MODEL: "mine" };
  const answer = { KCS_ANSWER_PROVIDER: "local", KCS_ANSWER_MODEL: "deepset/mine", KCS_ANSWER_MS: "80" };
  const config = loadConfig({ ...local, ...rerank, ...answer });
  assert.deepEqual(config.embedding, { provider: "local", model: "BAAI/bge-small-en-v1.5", files: null });
  assert.deepEqual([config.rerank?.model, config.rerankMs], ["mine", 150]);
  assert.deepEqual([config.answer?.model, config.answerMs], ["deepset/mine", 80]);
  assert.deepEqual([loadConfig(local).answer, loadConfig(local).answerMs], [null, 300]);
  const previous = {
    KCS_EMBEDDING_PREVIOUS_PROVIDER: "local",
    KCS_EMBEDDING_PREVIOUS_MODEL: "BAAI/bge-small-en-v1.5",
  };
  assert.match(faultsOf({ ...local, ...previous }).join(), /is the model that KCS_EMBEDDING_MODEL names/);
  assert.deepEqual(faultsOf({ ...local, ...previous, KCS_EMBEDDING_PREVIOUS_MODEL: "other" }), []);
  assert.match(
    faultsOf({ KCS_EMBEDDING_PROVIDER: "local", KCS_EMBEDDING_API_KEY: "key" }).join("\n"),
    /KCS_EMBEDDING_API_KEY: not used with local\nKCS_EMBEDDING_MODEL: needed with local/,
  );
  assert.match(
    faultsOf({ KCS_RERANK_MODEL: "../mine" }).join("\n"),
    /KCS_RERANK_PROVIDER: needed .*\nKCS_RERANK_MODEL: got "..\/mine", expected OWNER\/NAME/,
  );
  assert.match(
    faultsOf({ KCS_ANSWER_PROVIDER: "openai", KCS_ANSWER_MS: "0" }).join("\n"),
    /KCS_ANSWER_PROVIDER: got "openai", expected local\nKCS_ANSWER_MODEL: needed with local.*\nKCS_ANSWER_MS: /,
  );
});
