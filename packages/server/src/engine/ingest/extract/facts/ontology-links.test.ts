import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createLinkReader } from "./ontology-links.ts";
import { findStatementLinks } from "./statement-links.ts";
import { readTestPassage } from "./test-sentences.ts";

/** Of edge types that all say "visited", between names that are likely none of the types. */
function createWork({ types, edges }: { readonly types: number; readonly edges: number }) {
  const names = Array.from({ length: types }, (_, at) => `Kind${at}`);
  const edge_types = Array.from({ length: edges }, (_, at) => {
    return { name: `E${at}`, aliases: ["visited"], source_types: names, target_types: names };
  });
  const node_types = Object.fromEntries(names.map((name) => [name, {}]));
  const ontology = { hierarchy: [{ level: 0, node_types }], edge_types };
  const read = createLinkReader(parseOntology(JSON.stringify({ ontology })));
  const written = { "Ada Larsen": "", Osterby: "" };
  const { passage, entities } = readTestPassage("Ada Larsen visited Osterby.", written);
  const shares = new Float32Array(types).fill(0.001);
  const unsure = entities.map((entity) => ({ ...entity, confidence: 0.1, shares }));
  const links = passage.sentences.flatMap((sentence) =>
    findStatementLinks({ sentence, entities: unsure, opening: null, documentSubject: null }),
  );
  assert.equal(links.length, 1);
  return () => links.map((link) => read({ ...link, sentence: 0 }));
}

test("a statement takes time in proportion to the types of the edge types that its verb names", async () => {
  for (const sizeOf of [
    (size: number) => ({ types: size, edges: 20 }),
    (size: number) => ({ types: 2, edges: size }),
  ]) {
    const works = new Map([400, 1_600].map((size) => [size, createWork(sizeOf(size))]));
    await assertLinear("statements by types or edge types", 400, (size) => works.get(size)?.());
  }
});

test("of equal shares the allowed type that the ontology has last is taken", () => {
  const hierarchy = [{ level: 0, node_types: { Mill: {}, Town: {}, Ship: {} } }];
  const edge = { name: "visited", source_types: ["Town", "Mill"], target_types: ["Ship"] };
  const read = createLinkReader(
    parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types: [edge] } })),
  );
  const { passage, entities } = readTestPassage("Ada Larsen visited Osterby.", {
    "Ada Larsen": "",
    Osterby: "",
  });
  const unsure = entities.map((one) => ({ ...one, confidence: 0.5, shares: Float32Array.of(0.3, 0.3, 0.3) }));
  const [sentence] = passage.sentences;
  const [link] = findStatementLinks({
    sentence: sentence ?? assert.fail(),
    entities: unsure,
    opening: null,
    documentSubject: null,
  });
  const relation = read({ ...(link ?? assert.fail()), sentence: 0 });
  assert.deepEqual([relation?.source.type, relation?.target.type], ["Town", "Ship"]);
});
