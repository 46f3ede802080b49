import assert from "node:assert/strict";
import { test } from "node:test";
import { absentEmbedder } from "./open-embedders.ts";

const space = { model: "local/acme/small@0a1b2c3d", dimensions: 8 };

test("a local model whose files are others now is waited for, as they may be put back", () => {
  const error = absentEmbedder(space, [{ model: "local/acme/small@ffffffff", dimensions: 8 }]);
  assert.equal(error.failure, "unavailable");
  assert.match(error.message, /local model acme\/small are not those .*small@0a1b2c3d/);
});

test("a model that is not configured is missing", () => {
  for (const model of ["local/acme/large@0a1b2c3d", "ollama/small"])
    assert.equal(absentEmbedder(space, [{ model, dimensions: 8 }]).failure, "missing");
  assert.equal(absentEmbedder({ ...space, model: "ollama/small" }, [space]).failure, "missing");
});
