import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestAll, waitFor } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const TYPES = {
  Person: {},
  Organization: { description: "A company or institution" },
  Location: { description: "A town or city" },
};
const PRODUCT = { Product: { description: "Something that is made and sold" } };
const edge = (name: string, source: string, target: string) => ({
  ...{ name, source_types: [source], target_types: [target] },
});
const EDGES = [
  edge("FOUNDED", "Person", "Organization"),
  edge("HEADQUARTERED_IN", "Organization", "Location"),
];
const schemaOf = (node_types: object, edge_types: readonly object[]) => ({
  ontology: { hierarchy: [{ level: 0, node_types }], edge_types },
});
const MORE = [edge("BORN_IN", "Person", "Location"), edge("MAKES", "Organization", "Product")];
const WIDE = schemaOf({ ...TYPES, ...PRODUCT }, [...EDGES, ...MORE]);
const NARROW = schemaOf(TYPES, EDGES);

const TEXTS = [
  "Maria Gonzalez founded Nordvik Robotics in 2009. Nordvik Robotics is headquartered in Hamburg. Maria Gonzalez was born in Porto.",
  "Harl Works makes the Gale pump. Harl Works was founded by Peter Novak. Harl Works sells Kestrel to Nordvik Robotics.",
];

describeOnEach((setting) => {
  const use = useService(setting);

  async function open(schema: object | null) {
    const { owner } = use();
    const create = async (made: object) =>
      (await owner.succeed("createOntology", { body: { name: "Makers", schema: made } })).id;
    const bound = schema === null ? {} : { ontology_id: await create(schema) };
    const { project_id } = await owner.succeed("createProject", { body: { name: "Makers", ...bound } });
    const params = { project_id };
    await ingestAll(
      owner,
      project_id,
      TEXTS.map((text, at) => ({ source_doc_id: `text ${at}`, text })),
    );
    const look = async () => {
      const { entities } = await owner.succeed("listEntities", { params });
      const { relationships } = await owner.succeed("listRelationships", { params });
      const { proposals } = await owner.succeed("listProposals", { params });
      const factOf = ({
        source,
        type,
        target,
      }: Pick<(typeof proposals)[number], "source" | "type" | "target">) =>
        `${source.type} ${source.name} ${type} ${target.type} ${target.name}`;
      return {
        entities: entities.map(({ type, name }) => `${type} ${name}`),
        relationships: relationships.map((each) => factOf(each as never)),
        proposals: proposals.map(factOf),
      };
    };
    const move = async (to: object) => {
      const body = { ontology_id: await create(to) };
      const planned = await owner.succeed("changeProject", { params, query: { dry_run: "true" }, body });
      await owner.succeed("changeProject", { params, body });
      await waitFor("the reread", async () => {
        const { status } = await owner.succeed("getReread", { params });
        return status === "completed" ? true : null;
      });
      assert.ok(planned.ontology_changes !== null);
      return planned.ontology_changes;
    };
    return { owner, params, look, move };
  }

  test("what a move to an ontology with fewer types is to take away is what it takes away, and the rest stays", async () => {
    const { owner, params, look, move } = await open(WIDE);
    const end = (type: string, name: string) => ({ type, name });
    const corrections = [
      { kind: "rename" as const, entity: end("Product", "Gale pump"), name: "Gale" },
      { kind: "rename" as const, entity: end("Person", "Peter Novak"), name: "Piet Novak" },
      {
        ...{ kind: "confirm" as const, source: end("Person", "Maria Gonzalez"), type: "BORN_IN" },
        target: end("Location", "Porto"),
      },
    ];
    await owner.succeed("createCorrections", { params, body: { corrections } });
    const before = await look();
    const forecast = await move(NARROW);
    const after = await look();
    const gone = (one: readonly string[], other: readonly string[]) =>
      one.filter((each) => !other.includes(each));
    const dropped = forecast.node_types.filter(({ change }) => change === "dropped");
    assert.deepEqual(
      dropped.map(({ name, entities }) => [name, entities]),
      [["Product", 1]],
    );
    assert.deepEqual(gone(before.entities, after.entities), ["Product Gale"]);
    const sum = (count: (type: (typeof forecast.edge_types)[number]) => number) =>
      forecast.edge_types.reduce((total, each) => total + count(each), 0);
    const lost = gone(before.relationships, after.relationships);
    assert.equal(
      sum((each) => each.relationships - each.fitting),
      lost.length,
      lost.join("; "),
    );
    assert.equal(lost.length, 2, lost.join("; "));
    const unproposed = gone(before.proposals, after.proposals);
    assert.equal(
      sum((each) => each.proposals - each.fitting_proposals),
      unproposed.length,
    );
    assert.deepEqual(unproposed, ["Organization Harl Works MAKES Product Kestrel"]);
    assert.equal(
      sum((each) => each.proposals),
      before.proposals.length,
    );
    const without = forecast.corrections.reduce((total, each) => total + each.without_effect, 0);
    const query = { state: "without_evidence" as const };
    const listed = await owner.succeed("listCorrections", { params, query });
    assert.deepEqual([without, listed.total], [2, 2]);
  });

  test("of a graph without an ontology all goes of which the ontology lacks the type", async () => {
    const { look, move } = await open(null);
    const before = await look();
    const forecast = await move(NARROW);
    const after = await look();
    for (const { change, name, entities } of forecast.node_types) {
      const ofType = (all: readonly string[]) => all.filter((each) => each.startsWith(`${name} `)).length;
      if (name !== null) assert.equal(entities, ofType(before.entities), name);
      if (change === "dropped") assert.equal(ofType(after.entities), 0, name ?? "");
    }
    for (const { name, relationships, fitting, proposals, fitting_proposals } of forecast.edge_types) {
      const ofType = (all: readonly string[]) => all.filter((each) => each.includes(` ${name} `)).length;
      assert.equal(relationships, ofType(before.relationships), name ?? "");
      assert.equal(proposals, ofType(before.proposals), name ?? "");
      if (fitting + fitting_proposals === 0 && name !== null && relationships + proposals > 0)
        assert.equal(ofType(after.relationships) + ofType(after.proposals), 0, name);
    }
  });
});
