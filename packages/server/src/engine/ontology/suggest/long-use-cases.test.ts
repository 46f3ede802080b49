import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../../ingest/extract/statements/create-tagger.ts";
import { suggestOntology } from "./suggest-ontology.ts";

test("what is behind the part that is read does not count as missing", () => {
  const tag = createTagger();
  const outcome = suggestOntology(`${"It is late. ".repeat(650)}Each ship lies in a harbour.`, tag);
  assert.ok(outcome.kind === "nothing");
  assert.match(outcome.reason, /its first 65536 characters and 600 sentences were read\.$/);
});
