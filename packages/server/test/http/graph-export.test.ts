import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const TEXT = `Nordvik Robotics

Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.
Maria Gonzalez was born in Porto in 1951.`;

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
    assert.equal(reply.headers["content-disposition"], `attachment; filename="${project_id}.jsonld"`);
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
    assert.match(entities.headers["content-disposition"] ?? "", /-entities\.csv"$/);
    assert.match(entities.text, /^entity_id,type,name,aliases,properties,chunks\r\n/);
    assert.match(entities.text, /\r\n\d+,[^,]+,Maria Gonzalez,/);
    const relationships = await exported({ format: "csv", part: "relationships" });
    assert.match(relationships.text, /^relationship_id,type,source_id,/);
    assert.match(relationships.text, /,Maria Gonzalez,\d+,[^,]+,Porto,/);
  });
});
