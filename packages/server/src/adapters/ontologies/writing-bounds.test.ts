/** Ontologies whose files would be many times as large as their schemas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EdgeType, OntologySchema } from "../../domain/ontology/types.ts";
import { ONTOLOGY_FORMATS, type OntologyFormat } from "../../ports/ontology-files.ts";
import { addJson, createFileText } from "./file-text.ts";
import { ontologyFiles } from "./ontology-files.ts";

const names = (count: number, start: string) => Array.from({ length: count }, (_, at) => start + at);

function ontologyOf(
  nodeNames: readonly string[],
  edges: readonly Partial<EdgeType>[],
  properties: readonly string[] = [],
): OntologySchema {
  const shared = { description: "", aliases: [], examples: [] };
  const ends = { sourceTypes: nodeNames, targetTypes: nodeNames, properties: [] };
  const times = { temporal: false, functional: false };
  return {
    nodeTypes: nodeNames.map((name) => ({ ...shared, name, level: 0, aggregates: [], properties })),
    edgeTypes: edges.map((edge, at) => ({ ...shared, name: `E${at}`, ...ends, ...times, ...edge })),
    faults: [],
  };
}

const write = (format: OntologyFormat, schema: OntologySchema) =>
  ontologyFiles.write(format, { name: "Ships", schema });
const refused = (format: OntologyFormat, schema: OntologySchema) =>
  assert.throws(() => write(format, schema), { name: "OntologyFileError", message: /more than 32 MiB/ });

test("many properties of many pairs are not written for each pair", () => {
  const properties = names(200, "property");
  const schema = ontologyOf(
    names(31, "T"),
    names(8, "E").map(() => ({ properties })),
  );
  for (const format of ONTOLOGY_FORMATS) {
    const bytes = write(format, schema);
    assert.ok(bytes.length < 8 * 1024 * 1024, `${format}: ${bytes.length} bytes`);
    if (format !== "neo4j") continue;
    const read = ontologyFiles.read(format, Buffer.from(bytes).toString());
    assert.equal(read.schemaJson.split('"property199"').length - 1, 8);
  }
  const some = ontologyOf(["A", "B"], [{ properties: ["since"] }]);
  assert.equal(Buffer.from(write("neo4j", some)).toString().split('"token": "since"').length, 1 + 4);
});

test("long names of many pairs are not repeated for each pair", () => {
  const long = names(31, "語".repeat(190));
  const schema = ontologyOf(long, Array(60).fill({}) as object[]);
  for (const format of ["json-schema", "neo4j"] as const)
    assert.ok(write(format, schema).length < 24 * 1024 * 1024, format);
});

test("a file that would be too large is refused before it is made", () => {
  const many = ontologyOf(names(1_000, "T"), Array(140).fill({}) as object[]);
  refused("turtle", many); // 560,000 statements of lists.
  refused("neo4j", ontologyOf(names(2_000, "T"), [], names(120, "p")));
  const long = ontologyOf(names(1_000, "語".repeat(190)), [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}]);
  refused("rdfxml", long);
});

test("bytes count, not characters", () => {
  const file = createFileText();
  const text = "語".repeat(1024 * 1024);
  for (let at = 0; at < 10; at++) file.add(text);
  assert.throws(() => file.add(text), { name: "OntologyFileError" });
  assert.throws(() => file.finish(), { name: "OntologyFileError" });
});

test("JSON in pieces is that of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const file = createFileText();
      addJson(file, value);
      assert.equal(Buffer.from(file.finish()).toString(), JSON.stringify(value, null, 2));
    }),
  );
});
