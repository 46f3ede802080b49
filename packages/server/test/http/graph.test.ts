import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertFault, type EndpointInput } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const ONTOLOGY = {
  hierarchy: [
    {
      level: 0,
      node_types: {
        Person: { description: "A human being", properties: ["birth_date"] },
        Company: { description: "A business", properties: ["founded"] },
        City: { description: "A town or city", properties: [] },
      },
    },
  ],
  edge_types: [
    { name: "FOUNDED_BY", source_types: ["Company"], target_types: ["Person"], properties: [] },
    { name: "BORN_IN", source_types: ["Person"], target_types: ["City"], properties: [] },
    { name: "HEADQUARTERED_IN", source_types: ["Company"], target_types: ["City"], properties: [] },
  ],
};

const COMPANY = {
  source_doc_id: "company",
  text: `Nordvik Robotics

Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.`,
};
const FOUNDER = {
  source_doc_id: "founder",
  text: "Maria Gonzalez\n\nMaria Gonzalez was born in Porto in 1951.",
};

const MILLS = {
  hierarchy: [
    {
      level: 0,
      node_types: {
        Mill: { description: "A mill that grinds corn" },
        Person: { description: "A human being" },
      },
    },
  ],
  edge_types: [
    {
      name: "RUN_BY",
      description: "The person runs the mill",
      source_types: ["Mill"],
      target_types: ["Person"],
    },
  ],
};
const PROPOSED = "Harrow Mill is in the hands of Jon Feld, who runs it well.";

const MEETINGS = [
  { source_doc_id: "april", text: "Present were Ilse Brandt and Tomas Vell." },
  { source_doc_id: "may", text: "Excused were Ilse Brandt and Tomas Vell. The quay was quiet." },
  { source_doc_id: "june", text: "Ilse Brandt was born in Porto." },
  { source_doc_id: "july", text: "The harbour was dredged." },
];

describeOnEach((setting) => {
  const use = useService(setting);
  let project_id = "";
  before(async () => {
    const { owner } = use();
    const schema = { ontology: ONTOLOGY };
    const { id } = await owner.succeed("createOntology", { body: { name: "Firms", schema } });
    const body = { name: "Firms", ontology_id: id };
    project_id = (await owner.succeed("createProject", { body })).project_id;
    await ingestAll(owner, project_id, [COMPANY, FOUNDER]);
  });

  const entities = async (query: EndpointInput["query"] = {}) =>
    use().owner.succeed("listEntities", { params: { project_id }, query });

  test("entities are listed by name, searched by a part of it, and of one type where one is asked for", async () => {
    const all = await entities();
    const names = all.entities.map(({ name }) => name);
    assert.deepEqual(names, ["Hamburg", "Maria Gonzalez", "Nordvik Robotics", "Porto"]);
    assert.deepEqual([all.total, all.limit, all.offset], [4, 100, 0]);
    const found = await entities({ search: "GONZÁLEZ" });
    assert.deepEqual(
      found.entities.map(({ name, type }) => [name, type]),
      [["Maria Gonzalez", "Person"]],
    );
    assert.deepEqual(
      (await entities({ type: "City", limit: 1, offset: 1 })).entities.map(({ name }) => name),
      ["Porto"],
    );
    // "Hamburg" and "Maria Gonzalez" contain the article, "Nordvik Robotics" does not.
    assert.equal((await entities({ search: "a" })).total, 2);
    assert.equal((await entities({ search: "The" })).total, 0);
    assert.equal((await entities({ search: "The Porto" })).total, 1);
    assert.equal((await entities({ search: "?!" })).total, 0);
    assert.equal((await entities({ type: "Nothing" })).total, 0);
  });

  test("an entity is read with sentences of its documents and with what it is related to", async () => {
    const { owner } = use();
    const [listed] = (await entities({ search: "maria" })).entities;
    assert.ok(listed);
    const { entity_id } = listed;
    const entity = await owner.succeed("getEntity", { params: { project_id, entity_id } });
    const documents = { company: COMPANY.text, founder: FOUNDER.text };
    assert.ok(entity.evidence.length >= 2);
    for (const { text, start, end, source_doc_id, chunk_id } of entity.evidence) {
      assert.equal(documents[source_doc_id as keyof typeof documents].slice(start, end), text);
      assert.match(text, /Maria Gonzalez/);
      await owner.succeed("getChunk", { params: { project_id, chunk_id } });
    }
    assert.deepEqual(
      entity.relationships.map(({ source, type, target }) => [source.name, type, target.name]).sort(),
      [
        ["Maria Gonzalez", "BORN_IN", "Porto"],
        ["Nordvik Robotics", "FOUNDED_BY", "Maria Gonzalez"],
      ],
    );
    const one = { params: { project_id, entity_id }, query: { limit: 1 } };
    assert.equal((await owner.succeed("getEntity", one)).relationships.length, 1);
  });

  test("relationships are listed with the sentences that state them", async () => {
    const { owner } = use();
    const list = async (query: EndpointInput["query"] = {}) =>
      owner.succeed("listRelationships", { params: { project_id }, query });
    const all = await list();
    assert.equal(all.total, 3);
    assert.equal(new Set(all.relationships.map(({ relationship_id }) => relationship_id)).size, 3);
    const born = await list({ type: "BORN_IN" });
    assert.deepEqual(
      born.relationships.map(({ evidence }) => evidence.map(({ text }) => text)),
      [["Maria Gonzalez was born in Porto in 1951."]],
    );
    for (const { confidence } of all.relationships) assert.ok(Number(confidence) >= 0.8, String(confidence));
    const entity_id = all.relationships.find(({ type }) => type === "BORN_IN")?.target.entity_id ?? "";
    assert.equal((await list({ entity_id })).total, 1);
    assert.deepEqual((await list({ offset: 2 })).relationships.length, 1);
    assertFault(
      await owner.endpoint("listRelationships", { params: { project_id }, query: { entity_id: "999999" } }),
      404,
      "Entity not found",
    );
  });

  test("what is less sure is proposed apart from the graph, with its sentence and the probability that it is true", async () => {
    const { owner } = use();
    const { id: ontology_id } = await owner.succeed("createOntology", {
      body: { name: "Mills", schema: { ontology: MILLS } },
    });
    const body = { name: "Mills", ontology_id };
    const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
    await ingestAll(owner, params.project_id, [{ source_doc_id: "mill", text: PROPOSED }]);
    const list = async (query: EndpointInput["query"] = {}) =>
      owner.succeed("listProposals", { params, query });
    const found = await list();
    assert.deepEqual([found.total, found.limit, found.offset], [1, 100, 0]);
    const [proposal] = found.proposals;
    assert.ok(proposal);
    assert.deepEqual(
      [proposal.source.name, proposal.type, proposal.target.name, proposal.chunks],
      ["Harrow Mill", "RUN_BY", "Jon Feld", 1],
    );
    assert.ok(proposal.confidence >= 0.4 && proposal.confidence < 0.8, String(proposal.confidence));
    assert.deepEqual(
      proposal.evidence.map(({ text }) => text),
      [PROPOSED],
    );
    assert.equal((await owner.succeed("listRelationships", { params })).total, 0);
    const { entities: listed } = await owner.succeed("listEntities", { params });
    for (const { entity_id, name } of [proposal.source, proposal.target])
      assert.equal(entity_id, listed.find((each) => each.name === name)?.entity_id ?? null, name);
    const { results } = await owner.succeed("query", { params, body: { query: "Who runs Harrow Mill?" } });
    assert.deepEqual(results.relationships, []);
    assert.equal((await list({ type: "OTHER" })).total, 0);
    assertFault(
      await owner.endpoint("listProposals", { params, query: { entity_id: "999999" } }),
      404,
      "Entity not found",
    );
    const file = await owner.endpoint("exportGraph", { params, query: { format: "csv", part: "proposals" } });
    assert.equal(file.status, 200);
  });

  test("entities that sentences mention together are associated, those with a relationship are not", async () => {
    const { owner } = use();
    const params = {
      project_id: (await owner.succeed("createProject", { body: { name: "Open" } })).project_id,
    };
    await ingestAll(owner, params.project_id, MEETINGS);
    const { entities: listed } = await owner.succeed("listEntities", { params });
    const idOf = (name: string) => listed.find((each) => each.name === name)?.entity_id ?? "";
    const list = (name: string, query: EndpointInput["query"] = {}) =>
      owner.succeed("listAssociations", { params, query: { entity_id: idOf(name), ...query } });
    const found = await list("Ilse Brandt");
    assert.deepEqual(
      found.associations.map(({ entity }) => entity.name),
      ["Tomas Vell"],
    );
    const [tomas] = found.associations;
    assert.ok(tomas);
    assert.equal(tomas.chunks, 2);
    assert.ok(tomas.strength > 0 && tomas.strength <= 1);
    for (const { text, start, end, source_doc_id } of tomas.evidence) {
      assert.match(text, /Ilse Brandt.*Tomas Vell/s);
      assert.equal(MEETINGS.find((one) => one.source_doc_id === source_doc_id)?.text.slice(start, end), text);
    }
    const back = (await list("Tomas Vell")).associations.find(({ entity }) => entity.name === "Ilse Brandt");
    assert.deepEqual([back?.strength, back?.chunks], [tomas.strength, tomas.chunks]);
    const second = await list("Ilse Brandt", { offset: 1 });
    assert.deepEqual([second.associations, second.total, second.offset], [[], 1, 1]);

    const entity = { params: { ...params, entity_id: idOf("Ilse Brandt") } };
    assert.equal((await owner.succeed("getEntity", entity)).associations, undefined);
    const include = { ...entity, query: { include: "associations" } };
    assert.deepEqual((await owner.succeed("getEntity", include)).associations, found.associations);
  });

  test("an entity that is mentioned twice and never with others has an association with the closest one", async () => {
    const { owner } = use();
    const params = {
      project_id: (await owner.succeed("createProject", { body: { name: "Alone" } })).project_id,
    };
    const text = "Ilse Brandt was late. Odile Hart was ill.\n\nIlse Brandt was tired.";
    await ingestAll(owner, params.project_id, [{ source_doc_id: "alone", text }]);
    const { entities: listed } = await owner.succeed("listEntities", { params });
    const list = (name: string) => {
      const entity_id = listed.find((each) => each.name === name)?.entity_id ?? "";
      return owner.succeed("listAssociations", { params, query: { entity_id } });
    };
    const { associations } = await list("Ilse Brandt");
    assert.deepEqual(
      associations.map(({ entity, evidence }) => [entity.name, evidence.map((quote) => quote.text)]),
      [["Odile Hart", ["Ilse Brandt was late. Odile Hart was ill."]]],
    );
    assert.equal((await list("Odile Hart")).total, 0);
  });

  test("associations need an entity, which must exist in the project", async () => {
    const { owner } = use();
    const list = (query: { entity_id?: string }) =>
      owner.endpoint("listAssociations", { params: { project_id }, query });
    assertFault(await list({}), 400, "entity_id: missing, expected the id of an entity");
    for (const entity_id of ["999999", "x"]) assertFault(await list({ entity_id }), 404, "Entity not found");
  });

  test("an unknown entity and one of another project are not found", async () => {
    const { owner, stranger } = use();
    const [listed] = (await entities()).entities;
    assert.ok(listed);
    const other = (await stranger.succeed("createProject", { body: { name: "Theirs" } })).project_id;
    const foreign = { params: { project_id: other, entity_id: listed.entity_id } };
    assertFault(await stranger.endpoint("getEntity", foreign), 404, "Entity not found");
    for (const entity_id of ["0", "x", "1e9", "9".repeat(30), "-1", "1.5", "é/ñ"]) {
      const reply = await owner.endpoint("getEntity", { params: { project_id, entity_id } });
      assertFault(reply, 404, "Entity not found");
    }
  });

  test("an entity keeps its id while documents come and go", async () => {
    const { owner } = use();
    const [listed] = (await entities({ search: "nordvik" })).entities;
    const text = "Nordvik Robotics is headquartered in Hamburg.";
    await ingestAll(owner, project_id, [{ source_doc_id: "note", text }]);
    const [more] = (await entities({ search: "nordvik" })).entities;
    assert.equal(more?.entity_id, listed?.entity_id);
    assert.ok((more?.chunks ?? 0) > (listed?.chunks ?? 0));
    await owner.succeed("deleteDocument", { params: { project_id, source_doc_id: "note" } });
    assert.deepEqual((await entities({ search: "nordvik" })).entities[0], listed);
  });

  test("the fit report names what the ontology has no place for", async () => {
    const { owner } = use();
    const text = "Lars Dahl works at Nordvik Robotics. Lars Dahl was married to Maria Gonzalez.";
    await ingestAll(owner, project_id, [{ source_doc_id: "unfit", text }]);
    const fit = await owner.succeed("getGraphFit", { params: { project_id } });
    for (const { count, example } of [...fit.entities, ...fit.relationships]) {
      assert.ok(count >= 1 && example !== "");
    }
    const query = { limit: 1 };
    const one = await owner.succeed("getGraphFit", { params: { project_id }, query });
    assert.ok(one.entities.length + one.relationships.length <= 1);
    await owner.succeed("deleteDocument", { params: { project_id, source_doc_id: "unfit" } });
  });

  test("the fit report does not name a type that the ontology has, whatever names it was not sure of", async () => {
    const { owner } = use();
    const node_types = { Film: {}, Director: {}, Actor: {}, Composer: {}, Person: {}, City: {} };
    const edge_types = [{ name: "DIRECTED_BY", source_types: ["Film"], target_types: ["Director"] }];
    const schema = { ontology: { hierarchy: [{ level: 0, node_types }], edge_types } };
    const { id: ontology_id } = await owner.succeed("createOntology", { body: { name: "Films", schema } });
    const created = await owner.succeed("createProject", { body: { name: "Films", ontology_id } });
    const params = { project_id: created.project_id };
    await ingestAll(owner, params.project_id, [
      { source_doc_id: "one", text: "Joaquim Terrero" },
      {
        source_doc_id: "two",
        text: "Ilse Vantreight is married to Piet Lammers. She was born in Bergen in 1949.",
      },
      { source_doc_id: "three", text: "The music was composed by Rosa Lindqvist." },
    ]);
    const { entities: unfit } = await owner.succeed("getGraphFit", { params });
    assert.deepEqual(
      unfit.filter(({ type }) => type in node_types),
      [],
    );
  });

  test("wrong parameters are told with what is expected", async () => {
    const { owner } = use();
    const refused = [
      ["listEntities", { limit: 501 }, /^limit: got "501", expected an integer from 1 to 500/],
      ["listEntities", { offset: 10_001 }, /^offset: /],
      ["listRelationships", { type: "x".repeat(300) }, /^type: has 300 characters/],
      ["getGraphFit", { limit: "many" }, /^limit: /],
      ["exportGraph", { format: "xml" }, /^format: expected one of jsonld, graphml, csv/],
      [
        "exportGraph",
        { format: "csv", part: "all" },
        /^part: expected one of entities, relationships, associations/,
      ],
      ["getEntity", { include: "all" }, /^include: expected one of associations/],
    ] as const;
    for (const [name, query, detail] of refused) {
      const params = { project_id, entity_id: "1" };
      assertFault(await owner.endpoint(name, { params, query }), 400, detail);
    }
  });

  test("a project without a graph has an empty one", async () => {
    const { owner } = use();
    const body = { name: "Plain", vector_only: true };
    const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
    assert.equal((await owner.succeed("listEntities", { params })).total, 0);
    assert.equal((await owner.succeed("listRelationships", { params })).total, 0);
    const exported = await owner.endpoint("exportGraph", { params });
    assert.deepEqual((exported.json as { "@graph": unknown })["@graph"], []);
  });
});
