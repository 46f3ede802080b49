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
