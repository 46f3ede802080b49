import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import type { TableAround } from "../../../../domain/document.ts";
import { DEFAULT_CONFIDENCE_LIMITS, type Span } from "../../../../domain/graph.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { confidenceOf } from "../confidence.ts";
import { readTestPassage } from "../facts/test-sentences.ts";
import { describeColumnPairs } from "./column-pairs.ts";
import { describeColumnTypes } from "./column-types.ts";
import { findTables } from "./find-records.ts";
import { createColumnReader, createRecordReader } from "./record-links.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: {
            Mill: { description: "A mill or a granary." },
            Miller: { description: "A person who grinds corn." },
            Town: { description: "A village or a town." },
          },
        },
      ],
      edge_types: [
        {
          name: "run_by",
          description: "Somebody holds the lease.",
          source_types: ["Mill"],
          target_types: ["Miller"],
        },
        { name: "stands_in", source_types: ["Mill"], target_types: ["Town"] },
        {
          name: "sold_to",
          description: "Somebody has bought it.",
          source_types: ["Mill"],
          target_types: ["Miller"],
          examples: [
            { source: "Orvane", target: "Jon Feld", text: "Mill: Orvane\nPurchaser: Jon Feld" },
            { source: "Orvane", target: "Jon Feld", text: "Mill: Orvane\nhandedTo: Jon Feld" },
          ],
        },
      ],
    },
  }),
);

/** No word is like another. */
const embed = (text: string) => {
  const vector = new Float32Array(4096);
  let at = 7;
  for (const unit of text) at = (at * 31 + (unit.codePointAt(0) ?? 0)) % vector.length;
  vector[at] = 1;
  return Promise.resolve(vector);
};

async function factsOf(
  text: string,
  { table = null, types = {} }: { table?: TableAround | null; types?: Readonly<Record<string, number>> } = {},
): Promise<readonly string[]> {
  const { passage } = readTestPassage(text, {});
  const typesOf = (name: Span) => {
    const type = types[text.slice(name.start, name.end)];
    return Float32Array.from(schema.nodeTypes, (_, at) => (at === type ? 0.9 : 0));
  };
  const { relations } = await (await createRecordReader(schema, embed))({ ...passage, table }, typesOf);
  return relations.map(
    ({ source, type, target }) => `${source.name} (${source.type}) ${type} ${target.name} (${target.type})`,
  );
}

const stated = ["Orrick (Mill) run_by Jon Feld (Miller)", "Orrick (Mill) stands_in Hollin (Town)"];

test("rows are told of what their first cell names", async () => {
  const facts = await factsOf("Granary | Holder of the lease | Village\nOrrick | Jon Feld | Hollin");
  assert.deepEqual(facts.toSorted(), stated);
});

test("a part of a table without its head is read by the head", async () => {
  const table = { columns: "| Granary | Holder of the lease | Village |", rows: "" };
  const facts = await factsOf("| Orrick | Jon Feld | Hollin |\n| Tessel | Ida Marsk | Varnholm |", { table });
  const second = ["Tessel (Mill) run_by Ida Marsk (Miller)", "Tessel (Mill) stands_in Varnholm (Town)"];
  assert.deepEqual(facts.toSorted(), [...stated, ...second].toSorted());
});

test("a key that is a name is an end where one edge type joins its type and the value's", async () => {
  const types = { Hollin: 2, Orrick: 0, Varnholm: 2, Tessel: 0 };
  assert.deepEqual(await factsOf("- Hollin: Orrick\n- Varnholm: Tessel", { types }), [
    "Orrick (Mill) stands_in Hollin (Town)",
    "Tessel (Mill) stands_in Varnholm (Town)",
  ]);
  // Two edge types join these.
  assert.deepEqual(await factsOf("- Jon Feld: Orrick", { types: { "Jon Feld": 1, Orrick: 0 } }), []);
});

test("columns that no edge type joins are not even proposed", async () => {
  const { passage } = readTestPassage("Village | Miller\nHollin | Jon Feld\nVarnholm | Ida Marsk", {});
  const { relations } = await (await createRecordReader(schema, embed))(passage, () => null);
  const least = DEFAULT_CONFIDENCE_LIMITS.proposed;
  assert.ok(relations.every(({ confidence }) => confidenceOf("table", confidence) < least));
});

test("a key that shares a word with several edge types tells none of them", async () => {
  assert.deepEqual(await factsOf("## Orrick\nMiller: Jon Feld\nVillage: Hollin"), stated.slice(1));
});

test("a key says what the verb of a description says", async () => {
  assert.deepEqual(await factsOf("## Orrick\nHolder: Jon Feld\nVillage: Hollin"), stated);
});

test("the keys of examples are learned", async () => {
  const told = ["Orrick (Mill) sold_to Ida Marsk (Miller)"];
  assert.deepEqual(await factsOf("Name: Orrick\nhandedTo: Ida Marsk"), told);
  assert.deepEqual(await factsOf("Name: Orrick\nPurchaser: Ida Marsk"), [
    "Orrick (Mill) sold_to Ida Marsk (Miller)",
  ]);
});

test("what is not settled is not asserted", async () => {
  assert.deepEqual(await factsOf("## Orrick\nFormer holder: Jon Feld\nVillage: none"), []);
});

test("only what belongs to a record is covered", async () => {
  const { passage } = readTestPassage("It rained.\n\nMill: Orrick\nVillage: Hollin\n\nThen it stopped.", {});
  const { covers } = await (await createRecordReader(schema, embed))(passage, () => null);
  const covered = passage.sentences.filter((sentence) => covers(sentence)).map((one) => passage.textOf(one));
  assert.ok(covered.every((one) => /Orrick|Hollin/.test(one)) && covered.length > 0);
});

/** Edge types that may join any of so many types. */
function createWideReader(count: number, edges = 20) {
  return createRecordReader(wideSchema(count, edges), embed);
}

function wideSchema(count: number, edges: number) {
  const types = Array.from({ length: count }, (_, at) => `Kind${at}`);
  const edge_types = Array.from({ length: edges }, (_, at) => {
    return { name: `run_${at}`, source_types: types, target_types: types };
  });
  const node_types = Object.fromEntries(types.map((name) => [name, {}]));
  const ontology = { hierarchy: [{ level: 0, node_types }], edge_types };
  return parseOntology(JSON.stringify({ ontology }));
}

test("a record takes time in proportion to the types of the edge types' ends", async () => {
  const { passage } = readTestPassage("## Orrick\nHolder: Jon Feld\nVillage: Hollin\nKeeper: Per Lund", {});
  const readers = new Map([
    [100, await createWideReader(100)],
    [400, await createWideReader(400)],
  ]);
  await assertLinear("records by types of ends", 100, (size) => readers.get(size)?.(passage, () => null));
});

test("a table takes time in proportion to the types of the edge types' ends", async () => {
  const head = Array.from({ length: 12 }, (_, column) => `Kind${column}`).join(" | ");
  const row = Array.from({ length: 12 }, (_, column) => `Orrick ${String.fromCharCode(65 + column)}`).join(
    " | ",
  );
  const { passage } = readTestPassage(`${head}\n${row}\n${row}`, {});
  const readers = new Map([
    [100, await createWideReader(100)],
    [400, await createWideReader(400)],
  ]);
  await assertLinear("tables by types of ends", 100, (size) => readers.get(size)?.(passage, () => null));
});

test("a table takes time in proportion to the edge types", async () => {
  const head = Array.from({ length: 8 }, (_, column) => `Kind${column}`).join(" | ");
  const row = Array.from({ length: 8 }, (_, column) => `Orrick ${String.fromCharCode(65 + column)}`).join(
    " | ",
  );
  const { passage } = readTestPassage(`${head}\n${row}\n${row}`, {});
  const readers = new Map([
    [60, await createWideReader(8, 60)],
    [240, await createWideReader(8, 240)],
  ]);
  await assertLinear("tables by edge types", 60, (size) => readers.get(size)?.(passage, () => null));
});

test("of more pairs and edge types than are compared those count that are called like a column", async () => {
  const letters = Array.from({ length: 20 }, (_, column) => String.fromCharCode(65 + column));
  const head = ["Ferried", ...letters.slice(1)].join(" | ");
  const row = letters.map((letter) => `Orrick ${letter}`).join(" | ");
  const { passage } = readTestPassage(`${head}\n${row}\n${row}`, {});
  const wide = wideSchema(1, 900);
  const schema = {
    ...wide,
    edgeTypes: wide.edgeTypes.with(899, { ...wide.edgeTypes[899]!, name: "ferried" }),
  };
  const typesOf = () => Float32Array.of(0.9);
  const [table] = findTables(passage.textOf(passage));
  assert.ok(table);
  const read = await (await createColumnReader(schema, embed))(table, passage, typesOf);
  const typed = { ...read, ...describeColumnTypes(read.columns, read) };
  const pairs = [...describeColumnPairs(typed)];
  assert.ok(pairs.length > 1_000 && pairs.length <= 10_000, `${pairs.length}`);
  assert.ok(pairs.some(({ edge }) => edge === 899));
});

test("a reader is made in time in proportion to the types of the edge types' ends", async () => {
  await assertLinear("readers by types of ends", 100, (size) => createWideReader(size));
});
