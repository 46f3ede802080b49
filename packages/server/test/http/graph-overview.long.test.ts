import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnBoth, useService } from "../support/service.ts";

type Query = Readonly<Record<string, string | number>>;

/** A chain from Porto to Hamburg, a pair apart, and two people of whom nothing is stated. */
const DOCUMENTS = [
  { source_doc_id: "one", text: "Maria Gonzalez was born in Porto. Tomas Vell was born in Porto." },
  { source_doc_id: "two", text: "Maria Gonzalez founded Nordvik Robotics." },
  { source_doc_id: "three", text: "Nordvik Robotics is headquartered in Hamburg." },
  { source_doc_id: "four", text: "Odile Hart was born in Cork." },
  { source_doc_id: "five", text: "Present were Ilse Brandt and Jon Feld." },
];

describeOnBoth((setting) => {
  const use = useService(setting);
  let project_id = "";
  const ids = new Map<string, string>();
  before(async () => {
    const { owner } = use();
    project_id = (await owner.succeed("createProject", { body: { name: "Overview" } })).project_id;
    await ingestAll(owner, project_id, DOCUMENTS);
    const { entities } = await owner.succeed("listEntities", { params: { project_id } });
    for (const { name, entity_id } of entities) ids.set(name, entity_id);
  });

  const overview = (query: Query = {}) =>
    use().owner.succeed("getGraphOverview", { params: { project_id }, query });
  const idOf = (name: string) => ids.get(name) ?? "";

  test("the overview begins with the best connected part, and says how much there is", async () => {
    const all = await overview();
    const { relationships, total } = await use().owner.succeed("listRelationships", {
      params: { project_id },
    });
    assert.deepEqual([all.total_relationships, all.is_complete], [total, true]);
    assert.deepEqual(
      all.relationships.map(({ relationship_id }) => relationship_id).sort(),
      relationships.map(({ relationship_id }) => relationship_id).sort(),
    );
    assert.equal(all.connected_entities, all.entities.length);
    const names = all.entities.map(({ name }) => name);
    assert.deepEqual(names.slice(-2).sort(), ["Cork", "Odile Hart"]);
    for (const { entity_id, degree } of all.entities) {
      const ends = relationships.flatMap(({ source, target }) => [source.entity_id, target.entity_id]);
      assert.equal(degree, ends.filter((end) => end === entity_id).length);
    }
  });

  test("with a limit the part hangs together, and has no relationship without both ends", async () => {
    const part = await overview({ limit: 3 });
    assert.equal(part.entities.length, 3);
    assert.equal(part.relationships.length, 2);
    const drawn = new Set(part.entities.map(({ entity_id }) => entity_id));
    for (const { source, target } of part.relationships) assert.ok(drawn.has(source) && drawn.has(target));
    assert.ok(part.connected_entities > 3);
  });

  test("of one document the overview has what it names, with and without relationships", async () => {
    const [first] = DOCUMENTS;
    const last = DOCUMENTS.at(-1);
    assert.ok(first && last);
    const all = await overview({ document: first.source_doc_id });
    assert.ok(all.entities.length > 1);
    for (const { name } of all.entities) assert.ok(first.text.includes(name), name);
    assert.equal(all.total_relationships, all.relationships.length);
    assert.ok(all.relationships.length > 0);
    const alone = await overview({ document: last.source_doc_id });
    assert.deepEqual(
      alone.entities.map(({ degree }) => degree),
      alone.entities.map(() => 0),
    );
    assert.ok(alone.entities.some(({ name }) => name === "Ilse Brandt"));
    assert.equal((await overview({ document: first.source_doc_id, limit: 1 })).entities.length, 1);
    const params = { project_id };
    const query = { document: "nothing" };
    const none = await use().owner.endpoint("getGraphOverview", { params, query });
    assertFault(none, 404, "Document not found");
  });

  test("with a time the overview leaves out what did not hold then", async () => {
    const dated = { params: { project_id } };
    const { relationships } = await use().owner.succeed("listRelationships", {
      ...dated,
      query: { as_of: "1600" },
    });
    const all = await overview({ as_of: "1600" });
    assert.equal(all.total_relationships, relationships.length);
    const wrong = await use().owner.endpoint("getGraphOverview", { ...dated, query: { as_of: "soon" } });
    assertFault(wrong, 400, /^as_of: /);
  });

  test("a path goes over what connects two entities, whatever the directions, with the sentences", async () => {
    const { owner } = use();
    const query = { from: idOf("Tomas Vell"), to: idOf("Hamburg") };
    const { relationships, is_complete } = await owner.succeed("findGraphPath", {
      params: { project_id },
      query,
    });
    assert.equal(is_complete, true);
    const quotes = relationships.flatMap(({ evidence }) => evidence.map(({ text }) => text));
    assert.equal(relationships.length, 4, JSON.stringify(relationships));
    assert.deepEqual(quotes, [
      "Tomas Vell was born in Porto.",
      "Maria Gonzalez was born in Porto.",
      "Maria Gonzalez founded Nordvik Robotics.",
      "Nordvik Robotics is headquartered in Hamburg.",
    ]);
    const apart = { from: idOf("Odile Hart"), to: idOf("Hamburg") };
    assert.deepEqual(
      (await owner.succeed("findGraphPath", { params: { project_id }, query: apart })).relationships,
      [],
    );
  });

  test("entities without relationships are listed by name, and of one type", async () => {
    const { owner } = use();
    const list = (query: Query) => owner.succeed("listUnrelatedEntities", { params: { project_id }, query });
    const all = await list({});
    const names = all.entities.map(({ name }) => name);
    assert.deepEqual(names, ["Ilse Brandt", "Jon Feld"]);
    assert.equal(all.total, 2);
    const second = await list({ type: "Person", limit: 1, offset: 1 });
    assert.deepEqual([second.entities[0]?.name, second.total], ["Jon Feld", 2]);
    assert.equal((await list({ type: "Ship" })).total, 0);
  });

  test("wrong parameters and unknown entities are told", async () => {
    const { owner } = use();
    const params = { project_id };
    const path = (query: Query) => owner.endpoint("findGraphPath", { params, query });
    assertFault(await path({ from: "1" }), 400, "to: missing, expected the id of an entity");
    assertFault(await path({ from: idOf("Porto"), to: "999999" }), 404, "Entity not found");
    assertFault(await owner.endpoint("getGraphOverview", { params, query: { limit: 0 } }), 400, /^limit: /);
  });

  test("a project without a graph has an empty overview", async () => {
    const { owner } = use();
    const body = { name: "Plain", vector_only: true };
    const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
    const empty = await owner.succeed("getGraphOverview", { params });
    assert.deepEqual([empty.entities, empty.relationships, empty.is_complete], [[], [], true]);
    assert.equal((await owner.succeed("listUnrelatedEntities", { params })).total, 0);
  });
});
