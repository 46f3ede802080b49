import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Parser, Store } from "n3";
import type { Entity, Relationship } from "../../../ports/graph-store.ts";
import type { GraphExport } from "../../../services/graph/export.ts";
import type { Passage } from "../../../services/graph/passages.ts";
import type { Place } from "../../../services/graph/quotes.ts";
import { csvOf, escapeCell } from "./csv.ts";
import { escapeXml, graphMlOf } from "./graphml.ts";
import { jsonLdOf } from "./jsonld.ts";

function entityOf(entityId: string, name: string, type = "Person"): Entity {
  const places = [{ versionId: 7, position: 2, start: 20, end: 29 }];
  const properties = [{ property: name, value: name, chunks: 1, places }];
  return { entityId, type, name, aliases: [name], keys: [name], properties, chunks: 1, mentions: [] };
}

function relationshipOf(type: string): Relationship {
  const place = { versionId: 1, position: 0, start: 0, end: 1, confidence: 1, extractor: "x" };
  const evidence = [{ ...place, validFrom: "2031", validTo: null }];
  return { type, sourceId: "1", targetId: "2", chunks: 1, confidence: 0.875, evidence };
}

function exportOf(entities: readonly Entity[], relationships: readonly Relationship[]): GraphExport {
  const pages = async function* <T>(list: readonly T[]) {
    for (const one of list) yield [one];
  };
  const stated = async function* <Item>(items: readonly Item[], placesOf: (item: Item) => readonly Place[]) {
    for (const item of items)
      yield { items: [item], passages: new Map(placesOf(item).map((place) => [place, passageAt(place)])) };
    yield { items: [], passages: new Map() };
  };
  const end = { entityId: "1", type: "Person", name: "Ada" };
  const named = relationships.map((relationship) => ({ relationship, source: end, target: end }));
  return {
    entities: () => pages(entities),
    relationships: () => pages(relationships),
    statedEntities: () => stated(entities, (one) => one.properties.flatMap(({ places }) => places)),
    statedRelationships: () => stated(relationships, ({ evidence }) => evidence),
    namedRelationships: () => pages(named),
    proposals: () => {
      const proposalEnd = { ...end, entityId: null, nodeId: "1", key: "" };
      const ends = { source: proposalEnd, target: proposalEnd };
      return pages(
        relationships.map(({ type, evidence }) => ({ type, evidence, chunks: 1, confidence: 0.5, ...ends })),
      );
    },
    associations: () => pages(entities.map((one) => ({ entity: one, other: end, strength: 0.5, chunks: 1 }))),
  };
}

function passageAt({ versionId, position, start, end }: Place): Passage {
  const place = { versionId, position, start, end };
  return { ...place, text: `passage ${start}`, sourceDocId: `doc ${versionId}`, documentDate: "2031-04-09" };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join("");
}

/** Parses CSV by RFC 4180 into rows of cells. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    row.push((found[1]?.replaceAll('""', '"') ?? found[2]) || "");
    if (found[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  assert.equal(row.length, 0);
  return rows;
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", "\0", "\ud800", "]]>", "&", "<", "a"),
    )
    .map((parts) => parts.join("")),
);

test("a CSV cell survives a round trip, and no cell begins like a formula", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const [[cell] = []] = parseCsv(`${escapeCell(text)}\r\n`);
      assert.ok(cell === text || cell === `'${text}`);
      assert.doesNotMatch(cell ?? "", /^[=+\-@\t\r]/);
    }),
  );
});

test("every row of a CSV file has as many cells as its header", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (name) => {
      const graph = exportOf([entityOf("1", name, name)], [relationshipOf(name)]);
      for (const [part, columns] of [
        ["entities", 6],
        ["relationships", 12],
        ["associations", 8],
        ["proposals", 11],
      ] as const) {
        const rows = parseCsv(await textOf(csvOf(graph, part)));
        assert.deepEqual(
          rows.map((row) => row.length),
          [columns, columns],
        );
      }
    }),
  );
});

test("escaped XML text has no forbidden characters and no markup", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const escaped = escapeXml(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur.
      assert.doesNotMatch(escaped, /[\u0000-\u001f\ufffe\uffff<>"]/);
      assert.ok(escaped.isWellFormed());
      assert.doesNotMatch(escaped, /&(?!(?:amp|lt|gt|quot|#9|#10|#13);)/);
    }),
  );
  assert.equal(escapeXml("a\0b\u{1f642}\ud800 <&>"), "ab\u{1f642} &lt;&amp;&gt;");
});

test("a JSON-LD file is valid JSON for any number of pages and any characters in names", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyText, { maxLength: 3 }),
      fc.array(anyText, { maxLength: 3 }),
      async (a, b) => {
        const graph = exportOf(
          a.map((name, at) => entityOf(String(at + 1), name, name)),
          b.map(relationshipOf),
        );
        const file = JSON.parse(await textOf(jsonLdOf(graph, "prj"))) as {
          "@graph": readonly { name?: string; "@type": string; validFrom?: string }[];
        };
        assert.equal(file["@graph"].length, a.length + b.length);
        assert.deepEqual(
          file["@graph"].slice(0, a.length).map(({ name }) => name),
          a,
        );
        for (const node of file["@graph"]) assert.match(node["@type"], /^urn:kcs:type:[\x21-\x7e]*$/);
        for (const node of file["@graph"].slice(a.length)) assert.equal(node.validFrom, "2031");
      },
    ),
  );
});

/** The statements of a JSON-LD file as RDF, one N-Quad each. */
async function statementsOf(file: string): Promise<readonly string[]> {
  const library: string = "jsonld"; // The package has no types.
  const { default: jsonld } = (await import(library)) as {
    default: { toRDF(input: object, options: { format: "application/n-quads" }): Promise<string> };
  };
  const quads = await jsonld.toRDF(JSON.parse(file) as object, { format: "application/n-quads" });
  return quads.trimEnd().split("\n");
}

test("a JSON-LD file is read into the default graph, where relationships have the IRIs of their ids", async () => {
  const graph = exportOf([entityOf("1", "Ada"), entityOf("2", "Bo")], [relationshipOf("LIKES A\u{1f642}")]);
  const statements = await statementsOf(await textOf(jsonLdOf(graph, "prj_1")));
  const parts = statements.map((line) => /^(\S+) <(\S+)> (.*?)( <[^>]+>)? \.$/.exec(line)?.slice(1) ?? []);
  assert.deepEqual(
    parts.filter(([, , , graphName]) => graphName !== undefined),
    [],
  );
  const relationship = "<urn:kcs:project:prj_1:relationship:1.2.LIKES%20A%F0%9F%99%82>";
  const said = parts.flatMap(([subject, predicate = "", object]) =>
    subject === relationship ? [[predicate.replace(/^.*[:#]/, ""), object]] : [],
  );
  assert.deepEqual(Object.fromEntries(said), {
    type: "<urn:kcs:type:LIKES%20A%F0%9F%99%82>",
    typeName: '"LIKES A\u{1f642}"',
    source: "<urn:kcs:project:prj_1:entity:1>",
    target: "<urn:kcs:project:prj_1:entity:2>",
    chunks: '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    confidence: '"8.75E-1"^^<http://www.w3.org/2001/XMLSchema#double>',
    validFrom: '"2031"',
    "//schema.org/startDate": '"2031"^^<http://www.w3.org/2001/XMLSchema#gYear>',
    wasDerivedFrom: "<urn:kcs:project:prj_1:passage:1.0-1>",
    wasAttributedTo: "<urn:kcs:reader:x>",
  });
});

test("RDF tells which passage of which document states a relationship or a property", async () => {
  const overlapping = [0, 1].map((position) => ({ ...relationshipOf("").evidence[0]!, position }));
  const relationship = { ...relationshipOf("LIKES"), evidence: overlapping };
  const added = { ...relationshipOf("KNOWS"), evidence: [] };
  const graph = exportOf([entityOf("1", "height"), entityOf("2", "Bo")], [relationship, added]);
  const file = await textOf(jsonLdOf(graph, "prj_1"));
  const store = new Store(new Parser().parse((await statementsOf(file)).join("\n")));
  const PROV = "http://www.w3.org/ns/prov#";
  const valuesOf = (subject: string, predicate: string) =>
    store.getObjects(subject, predicate, null).map(({ value }) => value);
  /** select * { ?fact prov:wasDerivedFrom ?passage . ?passage prov:value ?quote ; prov:wasQuotedFrom ?document . … } */
  const sourcesOf = (fact: string) =>
    valuesOf(fact, `${PROV}wasDerivedFrom`).map((passage) => {
      const [document = ""] = valuesOf(passage, `${PROV}wasQuotedFrom`);
      const own = ["start", "end", "chunk"].map((name) => valuesOf(passage, `urn:kcs:vocabulary:${name}`));
      const of = ["identifier", "date"].map((name) => valuesOf(document, `http://purl.org/dc/terms/${name}`));
      return [...valuesOf(passage, `${PROV}value`), ...own.map(String), ...of.map(String)];
    });
  const base = "urn:kcs:project:prj_1:relationship:1.2.";
  assert.deepEqual(sourcesOf(`${base}LIKES`), [["passage 0", "0", "1", "1.0,1.1", "doc 1", "2031-04-09"]]);
  assert.deepEqual(sourcesOf(`${base}KNOWS`), []);
  const [property] = store.getSubjects("https://schema.org/value", '"height"', null);
  assert.equal(property?.termType, "BlankNode"); // With an IRI and a name it would pass for an entity.
  const [found = [], ...others] = store
    .getObjects(property, `${PROV}wasDerivedFrom`, null)
    .map(({ value }) => valuesOf(value, `${PROV}value`));
  assert.deepEqual([found, others], [["passage 20"], []]);
  const entities = store.getQuads(
    null,
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    `${PROV}Entity`,
    null,
  );
  assert.equal(entities.length, 4); // Two passages, two documents.
});

test("a GraphML file closes every element that it opens", async () => {
  const graph = exportOf([entityOf("1", "A & B"), entityOf("2", "<b>")], [relationshipOf('"knows"')]);
  const text = await textOf(graphMlOf(graph, "prj"));
  const open: string[] = [];
  for (const [, slash, name, end] of text.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (slash === "/") assert.equal(open.pop(), name);
    else if (end === "") open.push(name ?? "");
  }
  assert.deepEqual(open, []);
  assert.match(text, /<edge id="1\.2\.&quot;knows&quot;" source="n1" target="n2">/);
});
