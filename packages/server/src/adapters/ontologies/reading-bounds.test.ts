/** Small files that would take long to read, or become large ontologies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../test/support/growth.ts";
import { ONTOLOGY_LIMITS } from "../../domain/ontology/types.ts";
import type { OntologyFormat } from "../../ports/ontology-files.ts";
import { ontologyFiles } from "./ontology-files.ts";

const PREFIXES = `@prefix a: <urn:a#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
  @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  @prefix sh: <http://www.w3.org/ns/shacl#> .\n`;
const RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e#"';

const each = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join("");

const refused = (format: OntologyFormat, content: string, message: RegExp) =>
  assert.throws(() => ontologyFiles.read(format, content), { name: "OntologyFileError", message });

/** Broken ones are read to their end, too. */
const readAny = (format: OntologyFormat, content: string) => {
  try {
    ontologyFiles.read(format, content);
  } catch (error) {
    assert.equal((error as Error).name, "OntologyFileError");
  }
};

test("the time for a token of Turtle grows with its length alone", async () => {
  const object = (token: string) => `${PREFIXES}a:b a:c ${token}`;
  const tokens: Readonly<Record<string, (size: number) => string>> = {
    digits: (size) => object("1".repeat(size)),
    "digits before letters": (size) => object(`${"1".repeat(size)}x .`),
    "digits before an exponent": (size) => object(`${"1".repeat(size)}e${"1".repeat(size)}x .`),
    "a base": (size) => `@base <urn:${"b".repeat(size)}/> . <a> <b> <c> .`,
    "a name": (size) => object(`a:${"b.".repeat(size)}`),
    "an escaped name": (size) => object(`a:${"\\-".repeat(size)}|`),
    "a text": (size) => object(`"${'\\"'.repeat(size)}`),
    "a long text": (size) => object(`"""${'\\""'.repeat(size)}`),
    "a language": (size) => object(`"b"@${"c-".repeat(size)}`),
    "a blank node": (size) => object(`_:${"b.".repeat(size)}`),
    "white space": (size) => `${PREFIXES}${" \n".repeat(size)}|`,
  };
  for (const [name, write] of Object.entries(tokens))
    await assertLinear(name, 4_000, (size) => readAny("turtle", write(size)));
});

test("the time for elements of RDF/XML grows with their number alone", async () => {
  const files: Readonly<Record<string, (size: number) => string>> = {
    namespaces: (size) =>
      `${RDF} ${each(size, (at) => `xmlns:b${at}="urn:b" `)}>${'<e:A rdf:about="urn:a"/>'.repeat(size)}</rdf:RDF>`,
    "a base": (size) =>
      `${RDF} xml:base="http://a/${"b".repeat(20 * size)}">${'<rdf:Description rdf:about="#a"/>'.repeat(size)}</rdf:RDF>`,
    "broken elements": (size) => `${RDF}>${"<".repeat(size)}`,
  };
  for (const [name, write] of Object.entries(files))
    await assertLinear(name, 1_500, (size) => readAny("rdfxml", write(size)));
});

test("a class of many statements is looked up by their predicates", async () => {
  const hub = (size: number) =>
    `${PREFIXES}a:D a owl:Class ; a:x ${"1, ".repeat(20 * size)}1 . ${each(size, (at) => `a:p${at} a rdf:Property ; rdfs:domain a:D . `)}`;
  await assertLinear("the domain of many properties", 200, (size) => ontologyFiles.read("turtle", hub(size)));
});

test("what a small file says many times is counted, and refused", () => {
  const types = each(20_000, (at) => `, a:t${at}`);
  const properties = each(400, (at) => `a:p${at} a rdf:Property ; rdfs:domain a:D . `);
  refused(
    "turtle",
    `${PREFIXES}a:D a owl:Class${types} . ${properties}`,
    /same lists or statements too often/,
  );
  const shape = `a:S a sh:NodeShape ; sh:targetClass a:t${types} ; sh:property []${", [sh:path a:p]".repeat(400)} .`;
  refused("turtle", `${PREFIXES}${shape}`, /same lists or statements too often/);
  refused(
    "turtle",
    `@prefix b: <urn:${"b".repeat(2_000)}> . ${"b:a b:a b:a . ".repeat(12_000)}`,
    /characters/,
  );
});

test("tokens that are longer than any honest one are refused", () => {
  refused("turtle", `${PREFIXES}a:b a:c ${"1".repeat(2_000)} .`, /number of more than 1024 digits/);
  refused("turtle", `<urn:${"b".repeat(3_000)}> a <urn:c> .`, /IRI of more than 2048 characters/);
  const element = `<e:A rdf:about="urn:${"b".repeat(3_000)}"/>`;
  refused("rdfxml", `${RDF}>${element}</rdf:RDF>`, /IRI of more than 2048 characters/);
  refused(
    "rdfxml",
    `${RDF} xml:base="urn:${"b".repeat(3_000)}"><e:A rdf:about="#a"/></rdf:RDF>`,
    /IRI of more/,
  );
});

test("a few bytes do not become a large ontology", () => {
  const classes = (name: string) => each(1_000, (at) => `a:${name}${at} a owl:Class . `);
  const properties = each(1_000, (at) => `a:p${at} a owl:ObjectProperty . `);
  refused("turtle", PREFIXES + classes("C") + properties, /more than 4 MiB: 2000 ends .* allow all 1000/);
  const some = each(50, (at) => `a:p${at} a owl:ObjectProperty . `);
  const { schemaJson } = ontologyFiles.read("turtle", PREFIXES + classes("C") + some);
  assert.ok(schemaJson.length < ONTOLOGY_LIMITS.schemaBytes);
  const long = "C".repeat(90);
  // Many properties share one list of classes.
  const list = `a:U owl:unionOf (${each(1_000, (at) => `a:${long}${at} `)}) . `;
  const shared = each(24, (at) => `a:p${at} a owl:ObjectProperty ; rdfs:domain a:U ; rdfs:range a:U . `);
  refused("turtle", PREFIXES + classes(long) + list + shared, /more than 4 MiB$/);
  // Each character takes six bytes.
  const control = `<a> a owl:Class ; rdfs:comment "${"\u0001".repeat(1024 * 1024)}" .`;
  refused("turtle", PREFIXES + control, /more than 4 MiB$/);
});

test("errors and lists of what is left out quote the beginning of a long part", () => {
  const long = "b".repeat(300_000);
  for (const content of [`a:${long}|`, `"${long}`, `${PREFIXES}a:b a:c "${long}" a:d`])
    assert.throws(
      () => ontologyFiles.read("turtle", content),
      ({ message }: Error) => message.length < 300,
    );
  assert.throws(() => ontologyFiles.read("turtle", `\n${long}`), /line 2/);
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, { enum: [] }]));
  const file = { title: "T", $defs: { [long]: { type: "object", properties } } };
  const { leftOut } = ontologyFiles.read("json-schema", JSON.stringify(file));
  assert.equal(leftOut.at(-1)?.item, "300 more");
  assert.ok(leftOut.every(({ item, reason }) => item.length < 300 && reason.length < 300));
});
