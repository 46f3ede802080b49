import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const NODE_TYPES = {
  Person: {},
  Organization: { description: "A company or institution" },
  Product: { description: "Something that is made and sold" },
};
const TEXTS = [
  "Odile Brandt founded Kestrel. Kestrel is a company.",
  "Harl Works makes the Gale pump. Harl Works was founded by Peter Novak. Harl Works sells Kestrel.",
];

describeOnEach((setting) => {
  const use = useService(setting);

  /** A project that proposes of a firm that it makes the product Kestrel, and whose graph has an organization of that name. */
  async function propose(targets: readonly string[]) {
    const { owner } = use();
    const edges = [
      { name: "FOUNDED", source_types: ["Person"], target_types: ["Organization"] },
      { name: "MAKES", source_types: ["Organization"], target_types: targets },
    ];
    const schema = { ontology: { hierarchy: [{ level: 0, node_types: NODE_TYPES }], edge_types: edges } };
    const { id } = await owner.succeed("createOntology", { body: { name: "Makers", schema } });
    const { project_id } = await owner.succeed("createProject", {
      body: { name: "Makers", ontology_id: id },
    });
    await ingestAll(
      owner,
      project_id,
      TEXTS.map((text, at) => ({ source_doc_id: `text ${at}`, text })),
    );
    const params = { project_id };
    const proposal = async () => {
      const { proposals } = await owner.succeed("listProposals", { params });
      return proposals.find(({ target }) => target.name === "Kestrel");
    };
    const named = async () => {
      const { entities } = await owner.succeed("listEntities", { params, query: { search: "Kestrel" } });
      return entities.map(({ type }) => type).sort();
    };
    const related = async () => {
      const { relationships } = await owner.succeed("listRelationships", {
        params,
        query: { type: "MAKES" },
      });
      return relationships.map(({ target }) => `${target.type} ${target.name}`);
    };
    return { owner, params, proposal, named, related };
  }

  test("confirming a proposal uses the entity that has a name already under another type that the edge type allows", async () => {
    const { owner, params, proposal, named, related } = await propose(["Product", "Organization"]);
    const found = await proposal();
    assert.ok(found !== undefined);
    assert.deepEqual([found.target.entity_id, found.target.type], [null, "Product"]);
    assert.deepEqual(found.source.same_name, []);
    assert.equal(found.target.confirmed_type, "Organization");
    assert.deepEqual(
      found.target.same_name.map(({ name, type }) => `${type} ${name}`),
      ["Organization Kestrel"],
    );
    const { source, type, target } = found;
    const confirm = (more: object = {}) =>
      owner.succeed("createCorrections", {
        params,
        body: { corrections: [{ kind: "confirm", source, type, target, ...more }] },
      });
    const { corrections } = await confirm();
    const [made] = corrections;
    assert.ok(made?.kind === "confirm");
    assert.deepEqual(
      [made.target.type, made.source_type, made.target_type],
      ["Product", "Organization", "Organization"],
    );
    assert.deepEqual([await named(), await related()], [["Organization"], ["Organization Kestrel"]]);
    assert.equal(await proposal(), undefined);
    await owner.succeed("deleteCorrection", { params: { ...params, correction_id: made.correction_id } });
    assert.deepEqual([await named(), await related()], [["Organization"], []]);
    assert.deepEqual((await proposal())?.target, target);
    await confirm({ target_type: "Product" });
    assert.deepEqual([await named(), await related()], [["Organization", "Product"], ["Product Kestrel"]]);
    const refused = await owner.endpoint("createCorrections", {
      params,
      body: { corrections: [{ kind: "confirm", source, type, target, target_type: "Person" }] },
    });
    assertFault(refused, 400, /the ontology does not allow Organization MAKES Person/);
  });

  test("where the edge type does not allow the other type a second entity is made, and the proposal says that there is one", async () => {
    const { owner, params, proposal, named } = await propose(["Product"]);
    const found = await proposal();
    assert.ok(found !== undefined);
    assert.equal(found.target.confirmed_type, "Product");
    assert.deepEqual(
      found.target.same_name.map(({ type }) => type),
      ["Organization"],
    );
    const { source, type, target } = found;
    await owner.succeed("createCorrections", {
      params,
      body: { corrections: [{ kind: "confirm", source, type, target }] },
    });
    assert.deepEqual(await named(), ["Organization", "Product"]);
  });
});
