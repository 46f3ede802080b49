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

test("without any of its settings there is no language model", () => {
  assert.equal(loadConfig({ KCS_LLM_MODEL: " " }).languageModel, null);
});

test("a provider, a model and a key are enough where the provider's address is known", () => {
  const { languageModel } = loadConfig({
    KCS_LLM_PROVIDER: "anthropic",
    KCS_LLM_API_KEY: "sk-1",
    KCS_LLM_MODEL: "claude-x",
  });
  assert.deepEqual(languageModel, {
    provider: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    apiKey: "sk-1",
    model: "claude-x",
    extractionModel: "claude-x",
    prices: null,
    tryTimeoutMs: 120_000,
    maxConcurrent: 16,
  });
});

test("an address alone means a server that speaks the OpenAI protocol, which needs no key", () => {
  const { languageModel } = loadConfig({
    KCS_LLM_BASE_URL: "http://127.0.0.1:8000/v1/",
    KCS_LLM_MODEL: "org/model-8b",
    KCS_LLM_EXTRACTION_MODEL: "model-1b:q4",
    KCS_LLM_INPUT_PRICE: "0.25",
    KCS_LLM_OUTPUT_PRICE: "2",
    KCS_LLM_TIMEOUT_SECONDS: "30",
    KCS_LLM_CONCURRENCY: "2",
  });
  assert.deepEqual(languageModel, {
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKey: null,
    model: "org/model-8b",
    extractionModel: "model-1b:q4",
    prices: { input: 0.25, output: 2 },
    tryTimeoutMs: 30_000,
    maxConcurrent: 2,
  });
});

test("all faults of the group are reported together with the others, without secrets", () => {
  const faults = faultsOf({
    KCS_PORT: "eighty",
    KCS_LLM_PROVIDER: "llama",
    KCS_LLM_BASE_URL: "https://user:hunter2@models.example.com/v1",
    KCS_LLM_API_KEY: "se cret",
    KCS_LLM_EXTRACTION_MODEL: "a model",
    KCS_LLM_INPUT_PRICE: "cheap",
    KCS_LLM_TIMEOUT_SECONDS: "0",
    KCS_LLM_CONCURRENCY: "1000",
  });
  const names = faults.map((fault) => fault.split(":")[0]);
  assert.deepEqual(names.toSorted(), [
    "KCS_LLM_API_KEY",
    "KCS_LLM_BASE_URL",
    "KCS_LLM_CONCURRENCY",
    "KCS_LLM_EXTRACTION_MODEL",
    "KCS_LLM_INPUT_PRICE",
    "KCS_LLM_MODEL",
    "KCS_LLM_OUTPUT_PRICE",
    "KCS_LLM_PROVIDER",
    "KCS_LLM_TIMEOUT_SECONDS",
    "KCS_PORT",
  ]);
  assert.doesNotMatch(faults.join("\n"), /hunter2|se cret/);
});

test("what is missing is named: the provider, its key, the address of a server of one's own, the other price", () => {
  assert.match(faultsOf({ KCS_LLM_MODEL: "m" }).join(), /^KCS_LLM_PROVIDER: needed/);
  assert.match(
    faultsOf({ KCS_LLM_PROVIDER: "openai", KCS_LLM_MODEL: "m" }).join(),
    /^KCS_LLM_API_KEY: needed/,
  );
  const own = { KCS_LLM_PROVIDER: "openai-compatible", KCS_LLM_MODEL: "m" };
  assert.match(faultsOf(own).join(), /^KCS_LLM_BASE_URL: needed/);
  const priced = { KCS_LLM_PROVIDER: "ollama", KCS_LLM_MODEL: "m", KCS_LLM_OUTPUT_PRICE: "1" };
  assert.match(faultsOf(priced).join(), /^KCS_LLM_INPUT_PRICE: needed/);
});
