import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { describeOnEach, useService } from "../support/service.ts";

const SOUND = {
  ontology: {
    hierarchy: [{ level: 0, node_types: { Ferry: {}, Quay: {} } }],
    edge_types: [{ name: "MOORS_AT", source_types: ["Ferry"], target_types: ["Quay"] }],
  },
};

describeOnEach((setting) => {
  const use = useService(setting);

  test("a schema is checked as it is when an ontology is created, and not kept", async () => {
    const { owner } = use();
    const sound = await owner.succeed("lintOntology", { body: { schema: SOUND } });
    assert.deepEqual(sound, { valid: true, faults: [], fault_count: 0 });

    const edge = { name: "MOORS_AT", source_types: ["Fery"], target_types: ["Quay"] };
    const schema = { ontology: { ...SOUND.ontology, edge_types: [edge] } };
    const before = await owner.succeed("listOntologies");
    const checked = await owner.succeed("lintOntology", { body: { schema } });
    assert.equal(checked.fault_count, 1);
    assert.match(
      checked.faults[0] ?? "",
      /edge_types\[0\]\.source_types\[0\]: unknown node type "Fery", did you mean "Ferry"/,
    );
    const refused = await owner.endpoint("createOntology", { body: { name: "Ferries", schema } });
    assertFault(refused, 400, checked.faults.join("; "));
    assert.deepEqual(await owner.succeed("listOntologies"), before);
  });

  test("more faults are counted than told, and a schema without a hierarchy has one", async () => {
    const { owner } = use();
    const names = Array.from({ length: 30 }, (_, at) => `Unknown${at}`);
    const edge = { name: "MOORS_AT", source_types: names, target_types: ["Quay"] };
    const schema = { ontology: { ...SOUND.ontology, edge_types: [edge] } };
    const many = await owner.succeed("lintOntology", { body: { schema } });
    assert.deepEqual([many.valid, many.faults.length, many.fault_count], [false, 10, 30]);
    const none = await owner.succeed("lintOntology", { body: { schema: {} } });
    assert.equal(none.valid, false);
  });

  test("a body without a schema is refused", async () => {
    const { owner } = use();
    for (const body of [{}, { schema: null }, { schema: [] }, { schema: "x" }]) {
      assertFault(await owner.endpoint("lintOntology", { body }), 400, /^schema: /);
    }
  });
});
