import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { describeOnEach, useService } from "../support/service.ts";

const SCHEMA = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Ship: { properties: ["flag"], description: "It floats", examples: ["Wanda"], aliases: ["vessel"] },
          Harbour: { properties: [], description: "Ships lie there" },
        },
      },
      { level: 1, node_types: { Fleet: { properties: [], description: "Ships", aggregates: ["Ship"] } } },
    ],
    edge_types: [
      {
        name: "BERTHED_AT",
        source_types: ["Ship", "Fleet"],
        target_types: ["Harbour"],
        properties: ["since"],
        temporal: true,
        description: "Where it lies",
        examples: ["The Wanda lies at Orrin.", { source: "Wanda", target: "Orrin" }],
      },
    ],
  },
};

const MEDIA_TYPES = {
  turtle: "text/turtle",
  rdfxml: "application/rdf+xml",
  "json-schema": "application/schema+json",
  neo4j: "application/json",
  linkml: "application/yaml",
};

describeOnEach((setting) => {
  const use = useService(setting);

  test("an ontology that is exported and imported has the same types, in every format", async () => {
    const { owner } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Shipping", schema: SCHEMA } });
    for (const [format, mediaType] of Object.entries(MEDIA_TYPES)) {
      const file = await owner.endpoint("exportOntology", { params: { ontology_id: id }, query: { format } });
      assert.equal(file.headers["content-type"], `${mediaType}; charset=utf-8`);
      assert.match(file.headers["content-disposition"] ?? "", /^attachment; filename="Shipping\.[a-z\d.-]+"/);
      const imported = await owner.succeed("importOntology", {
        query: { format },
        body: { content: file.text },
      });
      assert.deepEqual(imported.left_out, []);
      assert.equal(imported.ontology.name, "Shipping");
      assert.deepEqual(imported.ontology.schema, SCHEMA, format);
    }
  });

  test("an export tells its length; one that would be too large is refused", async () => {
    const { owner } = use();
    const exported = (format: string, ontology_id: string) =>
      owner.endpoint("exportOntology", { params: { ontology_id }, query: { format } });
    const { id } = await owner.succeed("createOntology", { body: { name: "Shipping", schema: SCHEMA } });
    for (const format of ["turtle", "neo4j"]) {
      const { headers, text } = await exported(format, id);
      assert.equal(headers["content-length"], String(Buffer.byteLength(text)));
    }
    // Each of 256,000 ends is two statements.
    const names = Array.from({ length: 1_000 }, (_, at) => `T${at}`);
    const node_types = Object.fromEntries(names.map((name) => [name, { properties: [], description: "" }]));
    const edge_types = Array.from({ length: 128 }, (_, at) => ({
      ...{ name: `E${at}`, source_types: names, target_types: names, properties: [], description: "" },
    }));
    const schema = { ontology: { hierarchy: [{ level: 0, node_types }], edge_types } };
    const large = await owner.succeed("createOntology", { body: { name: "Large", schema } });
    assertFault(await exported("turtle", large.id), 400, /^format: the file would have more than 32 MiB/);
    assert.equal((await exported("neo4j", large.id)).status, 200);
  });

  test("what has no place is told, and a file that cannot be read is refused with the reason", async () => {
    const { owner } = use();
    const content = `<urn:s:Tanker> a <http://www.w3.org/2002/07/owl#Class> ;
      <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:s:Ship> .`;
    const imported = await owner.succeed("importOntology", { body: { name: "Tankers", content } });
    assert.match(imported.left_out[0]?.reason ?? "", /subClassOf/);
    const refused = async (format: string, body: unknown, detail: RegExp) =>
      assertFault(await owner.endpoint("importOntology", { query: { format }, body }), 400, detail);
    await refused("turtle", { content }, /^name: missing, expected one because the file has none$/);
    await refused("turtle", { name: "X", content: "<a <b>" }, /^content: .*line 1/);
    await refused(
      "rdfxml",
      { name: "X", content: "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>" },
      /^content: .*entities/,
    );
    await refused("neo4j", { name: "X", content: "{}" }, /^schema\.ontology\.hierarchy/);
    await refused(
      "owl",
      { name: "X", content },
      /^format: expected one of turtle, rdfxml, json-schema, neo4j, linkml$/,
    );
  });
});
