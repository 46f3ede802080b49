import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const TEXT = `Nordvik Robotics

Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.
Maria Gonzalez was born in Porto in 1951.`;

interface StatedNode {
  readonly "@id": string;
  readonly source?: string;
  readonly startDate?: { readonly "@value": string };
  readonly wasDerivedFrom?: readonly StatedPassage[];
  readonly additionalProperty?: readonly { readonly wasDerivedFrom: readonly StatedPassage[] }[];
}

interface StatedPassage {
  readonly quote: string;
  readonly chunk: string;
  readonly start: number;
  readonly end: number;
  readonly wasQuotedFrom: { readonly identifier: string; readonly date: { readonly "@value": string } };
}

const ONTOLOGY = {
  name: "Firms",
  schema: {
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: {
            Person: { properties: ["birth_date"] },
            Company: { properties: ["founded"] },
            City: {},
          },
        },
      ],
      edge_types: [
        { name: "FOUNDED_BY", source_types: ["Company"], target_types: ["Person"], temporal: true },
        { name: "HEADQUARTERED_IN", source_types: ["Company"], target_types: ["City"] },
      ],
    },
  },
};

describeOnEach((setting) => {
  const use = useService(setting);
  let project_id = "";
  before(async () => {
    const { owner } = use();
    project_id = (await owner.succeed("createProject", { body: { name: "Open" } })).project_id;
    await ingestAll(owner, project_id, [{ source_doc_id: "a", text: TEXT }]);
  });

  const exported = async (query: Record<string, string>) =>
    use().owner.endpoint("exportGraph", { params: { project_id }, query });

  test("JSON-LD has every entity and relationship, and every end of one is there", async () => {
    const { owner } = use();
    const reply = await exported({});
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["content-type"], "application/ld+json");
    assert.equal(
      reply.headers["content-disposition"],
      `attachment; filename="Open.jsonld"; filename*=UTF-8''Open.jsonld`,
    );
    const { "@graph": graph } = reply.json as { "@graph": readonly Record<string, string>[] };
    const nodes = graph.filter((node) => "name" in node);
    const edges = graph.filter((node) => "source" in node);
    const { entities } = await owner.succeed("listEntities", { params: { project_id } });
    const { total } = await owner.succeed("listRelationships", { params: { project_id } });
    assert.ok(entities.length >= 4 && total >= 2);
    assert.deepEqual(
      nodes.map(({ name, typeName }) => [name, typeName]),
      entities.map(({ name, type }) => [name, type]),
    );
    assert.equal(edges.length, total);
    const ids = new Set(nodes.map((node) => node["@id"]));
    assert.ok(edges.every(({ source, target }) => ids.has(source) && ids.has(target)));
  });

  test("JSON-LD has the passages that state each relationship and property, as lists of the API quote them", async () => {
    const { owner } = use();
    const { id: ontology_id } = await owner.succeed("createOntology", { body: ONTOLOGY });
    const project = await owner.succeed("createProject", { body: { name: "Bound", ontology_id } });
    const params = { project_id: project.project_id };
    const document = { source_doc_id: "a", text: TEXT, metadata: { date: "2031-04" } };
    await ingestAll(owner, params.project_id, [document]);
    const reply = await owner.endpoint("exportGraph", { params });
    const { "@graph": graph } = reply.json as { "@graph": readonly StatedNode[] };
    const { relationships } = await owner.succeed("listRelationships", { params });
    assert.ok(relationships.length >= 2);
    const quoted = graph.flatMap(({ "@id": id, wasDerivedFrom, source }) =>
      source === undefined ? [] : [[decodeURIComponent(id.split(":").at(-1) ?? ""), wasDerivedFrom] as const],
    );
    const passagesOf = new Map(quoted);
    for (const { relationship_id, evidence } of relationships)
      assert.deepEqual(
        passagesOf
          .get(relationship_id)
          ?.map(({ quote, chunk, start, end, wasQuotedFrom }) => [
            ...[quote, chunk, start, end, wasQuotedFrom.identifier],
          ]),
        evidence.map(({ text, chunk_id, start, end, source_doc_id }) => [
          ...[text, chunk_id, start, end, source_doc_id],
        ]),
      );
    const properties = graph.flatMap(({ additionalProperty = [] }) => additionalProperty);
    assert.ok(properties.length > 0);
    for (const { wasDerivedFrom } of properties) {
      assert.ok(wasDerivedFrom.length > 0);
      for (const { start, end, quote } of wasDerivedFrom) assert.equal(TEXT.slice(start, end), quote);
    }
    const dates = graph
      .flatMap((node) => node.wasDerivedFrom ?? [])
      .map(({ wasQuotedFrom }) => wasQuotedFrom.date);
    assert.deepEqual(new Set(dates.map((date) => date["@value"])), new Set(["2031-04"]));
  });

  test("GraphML has a node for every entity and an edge for every relationship", async () => {
    const { owner } = use();
    const reply = await exported({ format: "graphml" });
    assert.equal(reply.headers["content-type"], "application/graphml+xml; charset=utf-8");
    const nodes = [...reply.text.matchAll(/<node id="(n\d+)">/g)].map(([, id]) => id);
    const edges = [...reply.text.matchAll(/<edge id="[^"]+" source="(n\d+)" target="(n\d+)">/g)];
    const { total } = await owner.succeed("listRelationships", { params: { project_id } });
    assert.equal(edges.length, total);
    assert.ok(edges.every(([, source, target]) => nodes.includes(source) && nodes.includes(target)));
    assert.match(reply.text, /<data key="name">Nordvik Robotics<\/data>/);
    assert.match(reply.text, /<\/graph>\n<\/graphml>\n$/);
  });

  test("CSV has one kind of rows a file, with a head", async () => {
    const entities = await exported({ format: "csv" });
    assert.equal(entities.headers["content-type"], "text/csv; charset=utf-8; header=present");
    assert.match(entities.headers["content-disposition"] ?? "", /filename="Open entities\.csv"/);
    assert.match(entities.text, /^entity_id,type,name,aliases,properties,chunks\r\n/);
    assert.match(entities.text, /\r\n\d+,[^,]+,Maria Gonzalez,/);
    const relationships = await exported({ format: "csv", part: "relationships" });
    assert.match(relationships.text, /^relationship_id,type,source_id,/);
    assert.match(relationships.text, /,Maria Gonzalez,\d+,[^,]+,Porto,/);
  });

  test("CSV of associations has each pair once, and every pair that an entity lists", async () => {
    const { owner } = use();
    const text = "Present were Ilse Brandt, Tomas Vell and Maria Gonzalez.";
    await ingestAll(owner, project_id, [{ source_doc_id: "b", text }]);
    const { headers, text: file } = await exported({ format: "csv", part: "associations" });
    assert.match(headers["content-disposition"] ?? "", /filename="Open associations\.csv"/);
    const [head, ...rows] = file
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    assert.equal(head?.join(), "entity_id,type,name,other_id,other_type,other_name,chunks,strength");
    const pairOf = (one: string, other: string) => [one, other].sort().join(" ");
    const written = rows.map(([one = "", , , other = ""]) => pairOf(one, other));
    const { entities } = await owner.succeed("listEntities", { params: { project_id } });
    const listed = new Set<string>();
    for (const { entity_id } of entities) {
      const query = { entity_id };
      const found = await owner.succeed("listAssociations", { params: { project_id }, query });
      for (const { entity } of found.associations) listed.add(pairOf(entity_id, entity.entity_id));
    }
    assert.ok(listed.size >= 3);
    assert.deepEqual(written.toSorted(), [...listed].sort());
    const names = rows.map(([, , one = "", , , other = ""]) => pairOf(one, other));
    assert.ok(names.includes(pairOf("Ilse Brandt", "Tomas Vell")), String(names));
    await owner.succeed("deleteDocument", { params: { project_id, source_doc_id: "b" } });
  });
});
