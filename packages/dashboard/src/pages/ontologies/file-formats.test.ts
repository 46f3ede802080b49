import assert from "node:assert/strict";
import { test } from "node:test";
import { ontologyFormats } from "@kcs/contract/ontology-formats";
import { fileFormats, guessFormat } from "./file-formats.ts";

test("every format of the service is offered, and found by the ending of its exports", () => {
  const offered = fileFormats.map(({ value }) => value);
  assert.deepEqual(offered, ["json", ...Object.keys(ontologyFormats)]);
  for (const [format, { endings }] of Object.entries(ontologyFormats))
    assert.equal(guessFormat(`Harbour.${endings[0]}`, "…"), format);
});

test("a format is guessed by the longest ending, and that of the service by what the file has", () => {
  assert.equal(guessFormat("HARBOUR.OWL", "<rdf/>"), "rdfxml");
  assert.equal(guessFormat("harbour.json", '{"$defs": {}}'), "json-schema");
  assert.equal(guessFormat("harbour.neo4j.json", "{}"), "neo4j");
  assert.equal(guessFormat("harbour.json", '{"name": "Harbour", "schema": {}}'), "json");
  assert.equal(guessFormat("harbour.txt", '{"ontology": {}}'), "json");
  assert.equal(guessFormat("harbour.txt", "Ships"), null);
  assert.equal(guessFormat("ttl", ""), null);
});
