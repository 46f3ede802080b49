import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, loadConfig } from "./config.ts";

function faultsOf(env: Readonly<Record<string, string>>): string {
  try {
    loadConfig(env);
    return "";
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults.join("\n");
  }
}

test("an address and a model are enough for a reranker at a server, which has more time than a local one", () => {
  const { rerank, rerankMs } = loadConfig({
    KCS_RERANK_BASE_URL: "http://127.0.0.1:8000/v1/",
    KCS_RERANK_MODEL: "org/reranker",
  });
  assert.deepEqual(rerank, {
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKey: null,
    model: "org/reranker",
    maxConcurrent: 8,
  });
  assert.equal(rerankMs, 2_000);
  assert.deepEqual([loadConfig({}).rerank, loadConfig({}).rerankMs], [null, 150]);
});

test("Cohere and Jina have addresses of their own and need a key", () => {
  const env = { KCS_RERANK_API_KEY: "key", KCS_RERANK_MODEL: "rerank-v3.5", KCS_RERANK_MS: "700" };
  const cohere = loadConfig({ ...env, KCS_RERANK_PROVIDER: "cohere", KCS_RERANK_CONCURRENCY: "3" });
  assert.deepEqual(cohere.rerank, {
    provider: "cohere",
    baseUrl: "https://api.cohere.com/v2",
    apiKey: "key",
    model: "rerank-v3.5",
    maxConcurrent: 3,
  });
  assert.equal(cohere.rerankMs, 700);
  const { rerank } = loadConfig({ ...env, KCS_RERANK_PROVIDER: "jina" });
  assert.ok(rerank !== null && rerank.provider === "jina");
  assert.equal(rerank.baseUrl, "https://api.jina.ai/v1");
});

test("all missing and wrong settings are reported together, without key and password", () => {
  assert.match(
    faultsOf({ KCS_RERANK_PROVIDER: "cohere", KCS_RERANK_MS: "20000" }),
    /^KCS_RERANK_MODEL: needed .*\nKCS_RERANK_API_KEY: needed with cohere\nKCS_RERANK_MS: got "20000"/,
  );
  const wrong = faultsOf({
    KCS_RERANK_BASE_URL: "http://user:secret@127.0.0.1/v1",
    KCS_RERANK_API_KEY: "a secret key",
    KCS_RERANK_MODEL: "a model",
  });
  assert.match(wrong, /KCS_RERANK_BASE_URL: expected an address.*the key apart in KCS_RERANK_API_KEY/);
  assert.match(wrong, /KCS_RERANK_API_KEY: expected a key without spaces/);
  assert.match(wrong, /KCS_RERANK_MODEL: expected a model's name/);
  assert.doesNotMatch(wrong, /secret@|a secret/);
  for (const address of ["file:///etc", "http://127.0.0.1/v1?key=1", "nowhere"])
    assert.match(faultsOf({ KCS_RERANK_BASE_URL: address, KCS_RERANK_MODEL: "m" }), /expected an address/);
  assert.match(
    faultsOf({ KCS_RERANK_PROVIDER: "openai", KCS_RERANK_MODEL: "mine" }),
    /got "openai", expected openai-compatible or cohere or jina or local/,
  );
  assert.match(
    faultsOf({ KCS_RERANK_PROVIDER: "local", KCS_RERANK_MODEL: "mine", KCS_RERANK_API_KEY: "key" }),
    /^KCS_RERANK_API_KEY: not used with local$/,
  );
});
