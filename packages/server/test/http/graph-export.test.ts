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

  test("CSV of associations has each pair once, and every pair that an entity lists", async () => {
    const { owner } = use();
    const text = "Present were Ilse Brandt, Tomas Vell and Maria Gonzalez.";
    await ingestAll(owner, project_id, [{ source_doc_id: "b", text }]);
    const { headers, text: file } = await exported({ format: "csv", part: "associations" });
    assert.match(headers["content-disposition"] ?? "", /-associations\.csv"$/);
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
