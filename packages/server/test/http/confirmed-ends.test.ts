import assert from "node:assert/strict";
import { test } from "node:test";
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
  });

  test("what is listed of confirmations can be sent to a project whose ontology does not allow it, and has no effect there", async () => {
    const { owner, params, proposal } = await propose(["Product", "Organization"]);
    const { source, type, target } = (await proposal()) ?? assert.fail("There is no proposal.");
    const body = { corrections: [{ kind: "confirm" as const, source, type, target }] };
    await owner.succeed("createCorrections", { params, body });
    const { corrections } = await owner.succeed("listCorrections", { params });
    const [made] = corrections;
    assert.ok(made?.kind === "confirm");
    const other = await propose(["Product"]);
    const sent = { ...body.corrections[0]!, source_type: made.source_type, target_type: made.target_type };
    await other.owner.succeed("createCorrections", {
      params: other.params,
      body: { corrections: [sent, { ...sent, target_type: "Person" }] },
    });
    const listed = await other.owner.succeed("listCorrections", { params: other.params });
    assert.deepEqual(
      listed.corrections.map(({ chunks }) => chunks),
      [0, 0],
    );
    assert.ok(!(await other.related()).some((one) => one.includes("Kestrel")));
  });

  test("a proposal is listed by the name that a correction has given its end, under which it can be judged", async () => {
    const { owner, params, proposal, related } = await propose(["Product", "Organization"]);
    const { source, type, target } = (await proposal()) ?? assert.fail("There is no proposal.");
    const correct = (correction: object) =>
      owner.succeed("createCorrections", { params, body: { corrections: [correction] } as never });
    const { corrections } = await correct({ kind: "confirm", source, type, target, target_type: "Product" });
    await correct({ kind: "rename", entity: { type: "Product", name: "Kestrel" }, name: "Kestrel II" });
    const [confirmed] = corrections;
    await owner.succeed("deleteCorrection", {
      params: { ...params, correction_id: confirmed?.correction_id ?? "" },
    });
    const { proposals } = await owner.succeed("listProposals", { params });
    const renamed = proposals.find(
      (one) => one.source.name === source.name && /kestrel/i.test(one.target.name),
    );
    assert.deepEqual([renamed?.target.name, renamed?.target.entity_id], ["kestrel ii", null]);
    await correct({ kind: "confirm", source, type, target: renamed?.target, target_type: "Product" });
    assert.deepEqual(await related(), ["Product Kestrel II"]);
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
