import assert from "node:assert/strict";
import { test } from "node:test";
import { withFewAliases } from "../../../../domain/ontology/few-aliases.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import {
  boundUnits,
  createFactReader,
  FACT_READER_LIMITS,
  withFewExamples,
  withShortDescriptions,
} from "./fact-reader.ts";
import { readTestPassage } from "./test-sentences.ts";

function examplesKept(edges: number, each: number): readonly number[] {
  const examples = Array.from({ length: each }, (_, at) => ({
    source: "A",
    target: "B",
    text: `A met B ${at}`,
  }));
  const edge_types = Array.from({ length: edges }, (_, at) => {
    return { name: `MET_${at}`, source_types: ["Mill"], target_types: ["Mill"], examples };
  });
  const ontology = { hierarchy: [{ level: 0, node_types: { Mill: {} } }], edge_types };
  return withFewExamples(parseOntology(JSON.stringify({ ontology }))).edgeTypes.map(
    (one) => one.examples.length,
  );
}

test("of many examples a bounded number is read, as many of each edge type", () => {
  assert.deepEqual(examplesKept(2, 5), [5, 5]);
  assert.deepEqual(new Set(examplesKept(60, 20)), new Set([8]));
  const many = examplesKept(FACT_READER_LIMITS.examples + 50, 3);
  assert.deepEqual([many[0], many.at(-1)], [1, 0]);
  assert.equal(
    many.reduce((sum, one) => sum + one, 0),
    FACT_READER_LIMITS.examples,
  );
});

test("of many long texts of an ontology the beginnings are embedded, until it is read for", async () => {
  const lengths: number[] = [];
  const { embed, end } = boundUnits(async (text) => {
    lengths.push(text.length);
    return new Float32Array(1);
  });
  for (let at = 0; at < 1_000; at++) await embed("long name ".repeat(60));
  assert.equal(lengths[0], 600);
  assert.equal(lengths.at(-1), FACT_READER_LIMITS.leastUnits);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  assert.ok(total < FACT_READER_LIMITS.embeddedUnits + 1_000 * FACT_READER_LIMITS.leastUnits, String(total));
  end();
  await embed("a word of a sentence ".repeat(10));
  assert.equal(lengths.at(-1), 210);
});

test("of long examples as many are read as their bound allows", () => {
  const examples = Array.from({ length: 200 }, () => ({
    source: "A",
    target: "B",
    text: "A met B. ".repeat(100),
  }));
  const edge_types = [{ name: "MET", source_types: ["Mill"], target_types: ["Mill"], examples }];
  const ontology = { hierarchy: [{ level: 0, node_types: { Mill: {} } }], edge_types };
  const [edge] = withFewExamples(parseOntology(JSON.stringify({ ontology }))).edgeTypes;
  assert.equal(edge?.examples.length, Math.floor(FACT_READER_LIMITS.exampleUnits / 900));
});

test("of many other names of types a bounded number is read, as many of each type", () => {
  const keptOf = (types: number, each: number) => {
    const aliases = Array.from({ length: each }, (_, at) => `Other ${at}`);
    const type = { level: 0, description: "", properties: [], examples: [], aggregates: [], aliases };
    const nodeTypes = Array.from({ length: types }, (_, at) => ({ ...type, name: `Kind${at}` }));
    const few = withFewAliases({ nodeTypes, edgeTypes: [], faults: [] }, FACT_READER_LIMITS.aliases);
    return new Set(few.nodeTypes.map((one) => one.aliases.length));
  };
  assert.deepEqual(keptOf(20, 100), new Set([100]));
  assert.deepEqual(keptOf(2_000, 100), new Set([FACT_READER_LIMITS.aliases / 2_000]));
});

test("of many long descriptions of types the beginnings are read, in all a bounded number of units", () => {
  const type = { level: 0, properties: [], examples: [], aggregates: [], aliases: [] };
  const unitsOf = (types: number, units: number) => {
    const nodeTypes = Array.from({ length: types }, (_, at) => {
      return { ...type, name: `Kind${at}`, description: "d".repeat(units) };
    });
    const few = withShortDescriptions({ nodeTypes, edgeTypes: [], faults: [] });
    return few.nodeTypes.map(({ description }) => description.length);
  };
  assert.deepEqual(new Set(unitsOf(20, 20_000)), new Set([20_000]));
  assert.deepEqual(new Set(unitsOf(200, 20_000)), new Set([FACT_READER_LIMITS.descriptionUnits / 200]));
});

test("while an ontology is made ready, others have turns between its parts and its types", async () => {
  let turns = 0;
  const { passage } = readTestPassage("Jon Feld runs Orrick.", {});
  const reader = createFactReader({
    embed: async () => Float32Array.from({ length: 384 }, (_, at) => Number(at === 0)),
    encode: () => Promise.reject(new Error("Nothing is encoded.")),
    tag: () => [],
    turn: async () => void turns++,
  });
  const edge_types = [{ name: "RUNS", source_types: ["Miller"], target_types: ["Mill"] }];
  const read = async (types: number) => {
    const before = turns;
    const others = Array.from({ length: types }, (_, at) => [`Kind${at}`, {}]);
    const node_types = { Mill: {}, Miller: {}, ...Object.fromEntries(others) };
    const schemaJson = JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }], edge_types } });
    await reader.read(passage, { ontologyId: `ont_${types}`, schemaJson });
    return turns - before;
  };
  const few = await read(0);
  assert.ok(few >= 7, `${few}`);
  const many = await read(400);
  assert.ok(many >= few + 4, `${few}, ${many}`);
});
