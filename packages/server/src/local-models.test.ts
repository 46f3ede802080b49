import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "./config.ts";
import { withLocalModels } from "./local-models.ts";
import { createLog } from "./log.ts";

const log = createLog("error");

test("the bundled model can be named like those of the models folder", async () => {
  const env = { KCS_EMBEDDING_PROVIDER: "local", KCS_EMBEDDING_MODEL: "all-MiniLM-L6-v2" };
  assert.equal((await withLocalModels(loadConfig(env), log)).embedding, null);
  const previous = {
    KCS_EMBEDDING_PREVIOUS_PROVIDER: "local",
    KCS_EMBEDDING_PREVIOUS_MODEL: "all-MiniLM-L6-v2",
  };
  assert.equal((await withLocalModels(loadConfig(previous), log)).previousEmbedding, null);
});

test("a configuration without local models is left as it is, without the code for them", async () => {
  const config = loadConfig({
    KCS_EMBEDDING_PROVIDER: "ollama",
    KCS_EMBEDDING_MODEL: "m",
    KCS_EMBEDDING_DIMENSIONS: "8",
  });
  assert.equal(await withLocalModels(config, log), config);
});
