/** Levels above 0 as a client meets them: an invented trade of potters, three levels deep. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const edge = (name: string, source: string, target: string, description = "") => ({
  name,
  ...{ source_types: [source], target_types: [target], temporal: false, properties: [], description },
});
const level0 = {
  Company: { description: "A business or a workshop" },
  City: { description: "A town or city" },
  Person: { description: "A human being" },
};
const NAMED = {
  hierarchy: [
    { level: 0, node_types: level0 },
    {
      level: 1,
      node_types: {
        Guild: {
          description: "A guild of workshops",
          aggregates: ["Company"],
          examples: ["Brannock Guild", "Harl Guild"],
        },
      },
    },
    {
      level: 2,
      node_types: {
        League: { description: "A league of guilds", aggregates: ["Guild"], examples: ["Clay League"] },
      },
    },
  ],
  edge_types: [
    edge("FOUNDED_BY", "Company", "Person"),
    edge("MEMBER_OF", "Company", "Guild"),
    edge("PART_OF", "Guild", "League"),
  ],
};
const FORMED = {
  hierarchy: [
    { level: 0, node_types: level0 },
    {
      level: 1,
      node_types: { Cluster: { description: "The companies of one city", aggregates: ["Company"] } },
    },
  ],
  edge_types: [edge("HEADQUARTERED_IN", "Company", "City"), edge("FOUNDED_BY", "Company", "Person")],
};

const EAST = {
  source_doc_id: "east",
  text: `Brannock Guild

The Brannock Guild consists of Tessel Pottery Ltd, Orvane Ceramics Ltd and Maddock Tiles Ltd in all.
Tessel Pottery Ltd was founded by Ida Marsk. The Brannock Guild belongs to the Clay League.`,
};
const WEST = {
  source_doc_id: "west",
  text: `Harl Guild

The Harl Guild includes Feldon Bricks Ltd and Sorrel Glazes Ltd today. The Harl Guild is part of the Clay League.`,
};
const TOWNS = [
  ["a", "Tessel Pottery Ltd is headquartered in Hamburg. It was founded by Ida Marsk."],
  ["b", "Orvane Ceramics Ltd is headquartered in Hamburg. It was founded by Jonas Feld."],
  ["c", "Maddock Tiles Ltd is headquartered in Porto. It was founded by Maria Gonzalez."],
  ["d", "Feldon Bricks Ltd is headquartered in Porto. It was founded by Lars Dahl."],
  ["e", "Sorrel Glazes Ltd is headquartered in Bremen. It was founded by Ada Larsen."],
].map(([source_doc_id = "", text = ""]) => ({ source_doc_id, text }));

async function boundProject(owner: Client, ontology: object): Promise<string> {
  const schema = { ontology };
  const { id } = await owner.succeed("createOntology", { body: { name: "Trade", schema } });
  return (await owner.succeed("createProject", { body: { name: "Trade", ontology_id: id } })).project_id;
}

async function ask(owner: Client, project_id: string, query: string, more: object = {}) {
  const body = { query, top_k: 20, ...more };
  const { results } = await owner.succeed("query", { params: { project_id }, body });
  const triples = results.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`);
  const names = results.entities.map(({ type, name }) => `${type} ${name}`);
  return { ...results, triples, names };
}

function assertWithin(ontology: typeof FORMED | typeof NAMED, answer: Awaited<ReturnType<typeof ask>>): void {
  const types = new Map(answer.entities.map(({ name, type }) => [name, type]));
  const known = new Set(ontology.hierarchy.flatMap(({ node_types }) => Object.keys(node_types)));
  assert.ok([...types.values()].every((type) => known.has(type)));
  for (const { source, target, type } of answer.relationships) {
    const found = ontology.edge_types.find(({ name }) => name === type);
    assert.ok(found?.source_types.includes(types.get(source) ?? ""), `${source} ${type}`);
    assert.ok(found?.target_types.includes(types.get(target) ?? ""), `${type} ${target}`);
  }
}

describeOnEach((setting) => {
  const use = useService(setting);

  test("named nodes of upper levels come first in an overview, with members and description", async () => {
    const { owner } = use();
    const project = await boundProject(owner, NAMED);
    const jobs = await ingestAll(owner, project, [EAST, WEST]);
    assert.ok(jobs.every(({ nodes_created }) => nodes_created >= 3));
    const answer = await ask(owner, project, "What guilds are there?");
    assert.deepEqual(answer.names.slice(0, 2), ["Guild Brannock Guild", "Guild Harl Guild"]);
    const [east, west] = answer.entities;
    assert.equal(
      east?.properties["members"]?.split(", ").sort().join(),
      "Maddock Tiles Ltd,Orvane Ceramics Ltd,Tessel Pottery Ltd",
    );
    assert.match(west?.properties["description"] ?? "", /^The Harl Guild includes Feldon Bricks Ltd/);
    assert.ok(
      answer.triples.includes("Tessel Pottery Ltd MEMBER_OF Brannock Guild"),
      answer.triples.join("; "),
    );
    assert.match(answer.summary, /consists of Tessel Pottery Ltd.*includes Feldon Bricks Ltd/s);
    assertWithin(NAMED, answer);
  });

  test("a level gathers the level below, and an overview begins with the highest", async () => {
    const { owner } = use();
    const project = await boundProject(owner, NAMED);
    await ingestAll(owner, project, [EAST, WEST]);
    const answer = await ask(owner, project, "Give an overview of everything.");
    assert.equal(answer.names[0], "League Clay League");
    assert.equal(
      answer.entities[0]?.properties["members"]?.split(", ").sort().join(),
      "Brannock Guild,Harl Guild",
    );
    assert.ok(answer.triples.includes("Harl Guild PART_OF Clay League"), answer.triples.join("; "));
    assertWithin(NAMED, answer);
    const parts = await ask(owner, project, "Which workshops belong to the Harl Guild?");
    assert.equal(parts.names[0], "Guild Harl Guild");
    assert.ok(!parts.names.slice(0, 4).includes("Guild Brannock Guild"));
  });

  test("a question for a fact keeps its answer; a node in it is told with its members", async () => {
    const { owner } = use();
    const project = await boundProject(owner, NAMED);
    await ingestAll(owner, project, [EAST, WEST]);
    const answer = await ask(owner, project, "Who founded Tessel Pottery Ltd?");
    assert.equal(answer.names[0], "Company Tessel Pottery Ltd");
    assert.match(answer.summary, /founded by Ida Marsk/);
    const guild = answer.entities.find(({ name }) => name === "Brannock Guild");
    assert.match(guild?.properties["members"] ?? "", /Orvane Ceramics Ltd/);
  });

  test("what only a deleted text gathered is gone, and a text sent again creates nothing", async () => {
    const { owner } = use();
    const project = await boundProject(owner, NAMED);
    await ingestAll(owner, project, [EAST, WEST]);
    const [again] = await ingestAll(owner, project, [{ ...EAST, source_doc_id: "copy" }]);
    assert.deepEqual([again?.nodes_created, again?.edges_created], [0, 0]);
    await ingestAll(owner, project, [{ ...WEST, text: "Nothing is known of the west." }]);
    const answer = await ask(owner, project, "What guilds are there?");
    assert.deepEqual(
      answer.names.filter((name) => name.startsWith("Guild")),
      ["Guild Brannock Guild"],
    );
    assert.ok(!JSON.stringify(answer).includes("Harl"));
  });

  test("where no text names an instance, groups form around what the schema gathers by", async () => {
    const { owner } = use();
    const project = await boundProject(owner, FORMED);
    const jobs = await ingestAll(owner, project, TOWNS);
    const answer = await ask(owner, project, "Which clusters are there?");
    assert.deepEqual(answer.names.slice(0, 2), ["Cluster Hamburg cluster", "Cluster Porto cluster"]);
    assert.deepEqual(
      answer.entities.slice(0, 2).map(({ properties }) => properties["members"]),
      ["Orvane Ceramics Ltd, Tessel Pottery Ltd", "Feldon Bricks Ltd, Maddock Tiles Ltd"],
    );
    assert.match(answer.entities[0]?.properties["description"] ?? "", /headquartered in Hamburg/);
    assertWithin(FORMED, answer);
    // A group is a view of what is there: no job has made it.
    assert.ok(jobs.every(({ nodes_created }) => nodes_created <= 3));
    await ingestAll(owner, project, [{ source_doc_id: "d", text: "Nothing is known of it." }]);
    const left = await ask(owner, project, "Which clusters are there?");
    assert.deepEqual(
      left.names.filter((name) => name.startsWith("Cluster")),
      ["Cluster Hamburg cluster"],
    );
  });

  test("a filtered overview shows nothing that rests on documents outside of the filter", async () => {
    const { owner } = use();
    const project = await boundProject(owner, FORMED);
    const kept = TOWNS.map((document, at) => ({ ...document, metadata: { half: at < 1 ? "one" : "two" } }));
    await ingestAll(owner, project, kept);
    const answer = await ask(owner, project, "Which clusters are there?", {
      filter: { metadata: { half: "one" } },
    });
    assert.ok(!JSON.stringify(answer).includes("Orvane"));
    assert.ok(!answer.names.some((name) => name.startsWith("Cluster")));
  });
});
