import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/http-client.ts";
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
    {
      name: "FOUNDED_BY",
      source_types: ["Company"],
      target_types: ["Person"],
      temporal: false,
      properties: [],
    },
    { name: "BORN_IN", source_types: ["Person"], target_types: ["City"], temporal: false, properties: [] },
    {
      name: "HEADQUARTERED_IN",
      source_types: ["Company"],
      target_types: ["City"],
      temporal: false,
      properties: [],
    },
  ],
};

const COMPANY = {
  source_doc_id: "company",
  text: `Nordvik Robotics

Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.
Its best known film was directed by Jonas Weber.`,
};
const FOUNDER = {
  source_doc_id: "founder",
  text: `Maria Gonzalez

Maria Gonzalez was born in Porto in 1951. She did not marry Lars Dahl. She may move to Bremen.`,
};

async function boundProject(owner: Client): Promise<string> {
  const schema = { ontology: ONTOLOGY };
  const { id } = await owner.succeed("createOntology", { body: { name: "Firms", schema } });
  const body = { name: "Firms", ontology_id: id };
  return (await owner.succeed("createProject", { body })).project_id;
}

async function ask(owner: Client, project_id: string, query: string) {
  const body = { query, top_k: 20 };
  const { results } = await owner.succeed("query", { params: { project_id }, body });
  const triples = results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`);
  return { entities: results.entities, triples };
}

describeOnEach((setting) => {
  const use = useService(setting);

  test("a project with an ontology answers with entities and relationships of its types only", async () => {
    const { owner } = use();
    const project = await boundProject(owner);
    const jobs = await ingestAll(owner, project, [COMPANY, FOUNDER]);
    assert.ok(jobs.every((job) => job.nodes_created > 0 && job.edges_created > 0));
    const { entities, triples } = await ask(
      owner,
      project,
      "Where was the founder of Nordvik Robotics born?",
    );
    assert.ok(triples.includes("Nordvik Robotics FOUNDED_BY Maria Gonzalez"), triples.join("; "));
    assert.ok(triples.includes("Maria Gonzalez BORN_IN Porto"), triples.join("; "));
    assert.ok(triples.includes("Nordvik Robotics HEADQUARTERED_IN Hamburg"), triples.join("; "));
    const types = new Set(entities.map(({ type }) => type));
    assert.deepEqual([...types].sort(), ["City", "Company", "Person"]);
    const names = new Set(ONTOLOGY.edge_types.map(({ name }) => name));
    assert.ok(triples.every((triple) => names.has(triple.split(" ").find((word) => names.has(word)) ?? "")));
  });

  test("the same text again creates nothing", async () => {
    const { owner } = use();
    const project = await boundProject(owner);
    const [first] = await ingestAll(owner, project, [COMPANY]);
    assert.ok(first !== undefined && first.nodes_created >= 3 && first.edges_created >= 2);
    const [again] = await ingestAll(owner, project, [{ ...COMPANY, source_doc_id: "copy" }]);
    assert.deepEqual([again?.nodes_created, again?.edges_created], [0, 0]);
    const [replaced] = await ingestAll(owner, project, [COMPANY]);
    assert.deepEqual([replaced?.nodes_created, replaced?.edges_created], [0, 0]);
  });

  test("what a replaced document said alone is gone", async () => {
    const { owner } = use();
    const project = await boundProject(owner);
    await ingestAll(owner, project, [COMPANY, FOUNDER]);
    const text = "Maria Gonzalez\n\nMaria Gonzalez was born in Lisbon.";
    await ingestAll(owner, project, [{ ...FOUNDER, text }]);
    const { entities, triples } = await ask(owner, project, "Where was Maria Gonzalez born?");
    assert.ok(triples.includes("Maria Gonzalez BORN_IN Lisbon"), triples.join("; "));
    assert.ok(triples.includes("Nordvik Robotics FOUNDED_BY Maria Gonzalez"), triples.join("; "));
    assert.ok(!triples.some((triple) => triple.includes("Porto")));
    assert.ok(!entities.some(({ name }) => name === "Porto"));
  });

  test("a project without an ontology finds its types in the data", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Open" } });
    const [job] = await ingestAll(owner, project_id, [FOUNDER]);
    assert.ok(job !== undefined && job.nodes_created >= 2 && job.edges_created >= 1);
    const { entities } = await ask(owner, project_id, "Where was Maria Gonzalez born?");
    const typeOf = new Map(entities.map(({ name, type }) => [name, type]));
    assert.equal(typeOf.get("Maria Gonzalez"), "Person");
    assert.equal(typeOf.get("Porto"), "Location");
  });
});
