import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const node_types = {
  Person: { description: "A human being", properties: ["birth_date"] },
  Company: { description: "A business", properties: ["founded"] },
  City: { description: "A town or city", properties: [] },
};
const edgeType = (name: string, source: string, target: string, temporal = false) => ({
  ...{ name, source_types: [source], target_types: [target], temporal, properties: [] },
});
const SCHEMA = {
  ontology: {
    hierarchy: [{ level: 0, node_types }],
    edge_types: [
      edgeType("FOUNDED_BY", "Company", "Person"),
      edgeType("BORN_IN", "Person", "City"),
      edgeType("HEADQUARTERED_IN", "Company", "City", true),
    ],
  },
};

const TEXTS = [
  "Nordvik Robotics\n\nNordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.",
  "Maria Gonzalez\n\nMaria Gonzalez was born in Porto in 1951.",
  "Tomas Vell\n\nTomas Vell was born in Porto.",
  "Odile Hart\n\nOdile Hart was born in Cork. She founded Harrow Mills.",
  "Harrow Mills was headquartered in Leeds from 1990 to 1995. Harrow Mills was headquartered in Derby from 2001 to 2010.",
];

type Pattern = Readonly<Record<string, unknown>>;

describeOnEach((setting) => {
  const use = useService(setting);
  let project_id = "";
  before(async () => {
    const { owner } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Firms", schema: SCHEMA } });
    const body = { name: "Patterns", ontology_id: id };
    project_id = (await owner.succeed("createProject", { body })).project_id;
    const documents = TEXTS.map((text, at) => ({ source_doc_id: `text-${at}`, text }));
    await ingestAll(owner, project_id, documents);
  });

  const match = (body: Pattern) => use().owner.succeed("matchGraph", { params: { project_id }, body });
  const namesOf = async (body: Pattern) =>
    (await match(body)).rows.map(({ nodes }) => nodes.map(({ name }) => name).join(" - ")).sort();

  test("the pattern of the documentation finds who was born where the founder was born", async () => {
    const docs = await readFile(new URL("../../../../docs/api.md", import.meta.url), "utf8");
    const [, snippet = ""] = /```json match\n([^`]{1,2000})```/.exec(docs) ?? [];
    const found = await match(JSON.parse(snippet) as Pattern);
    const names = found.rows.map(({ nodes }) => nodes.map(({ name }) => name));
    assert.deepEqual(names, [["Nordvik Robotics", "Maria Gonzalez", "Porto", "Tomas Vell"]]);
    const types = found.rows[0]?.relationships.map(
      (id) => found.relationships.find((each) => each.relationship_id === id)?.type,
    );
    assert.deepEqual(types, ["FOUNDED_BY", "BORN_IN", "BORN_IN"]);
    assert.ok(found.relationships.every(({ evidence }) => evidence.length > 0));
    assert.equal(found.is_complete, true);
    const steps = found.explain?.steps ?? [];
    assert.deepEqual(
      steps.map(({ step }) => step),
      [
        "nodes[0] by name",
        "nodes[1] by FOUNDED_BY of nodes[0]",
        "nodes[2] by BORN_IN of nodes[1]",
        "nodes[3] by BORN_IN and LIVES_IN of nodes[2]",
      ],
    );
    assert.deepEqual(
      steps.map(({ nodes_read, rows }) => [nodes_read, rows]),
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [2, 1],
      ],
    );
  });

  test("a search begins at the rarest node, wherever it is in the pattern", async () => {
    const nodes = [{ type: "Company" }, { type: "Person" }, { name: "PORTO." }];
    const edges = [{ type: "FOUNDED_BY" }, { type: "BORN_IN" }];
    const found = await match({ nodes, edges, explain: true });
    assert.deepEqual(await namesOf({ nodes, edges }), ["Nordvik Robotics - Maria Gonzalez - Porto"]);
    assert.equal(found.explain?.steps[0]?.step, "nodes[2] by name");
  });

  test("directions, types, confidences and properties restrict what is found", async () => {
    const born = (direction: string) =>
      namesOf({ nodes: [{ type: "Person" }, {}], edges: [{ type: ["BORN_IN"], direction }] });
    assert.deepEqual(await born("out"), [
      "Maria Gonzalez - Porto",
      "Odile Hart - Cork",
      "Tomas Vell - Porto",
    ]);
    assert.deepEqual(await born("in"), []);
    assert.deepEqual(await born("any"), await born("out"));
    assert.deepEqual(await namesOf({ nodes: [{ type: "Company", properties: { founded: "1987" } }] }), [
      "Nordvik Robotics",
    ]);
    assert.deepEqual(await namesOf({ nodes: [{ properties: { founded: ["1", "2"] } }] }), []);
    assert.deepEqual(await namesOf({ nodes: [{ type: "Company", properties: { founded: true } }] }), [
      "Nordvik Robotics",
    ]);
    const sure = { nodes: [{}, {}], edges: [{ min_confidence: 1 }] };
    assert.ok((await match(sure)).rows.length < (await match({ nodes: [{}, {}], edges: [{}] })).rows.length);
    assert.deepEqual(await namesOf({ nodes: [{}, {}], edges: [{ type: "UNKNOWN" }] }), []);
    assert.deepEqual(await namesOf({ nodes: [{ name: "!!" }] }), []);
    const { rows } = await match({ nodes: [{ name: "Cork" }] });
    const entity_id = rows[0]?.nodes[0]?.entity_id;
    assert.deepEqual(await namesOf({ nodes: [{}, { entity_id }], edges: [{}] }), ["Odile Hart - Cork"]);
    for (const unknown of ["harbour", "1e9", "-1", "9".repeat(30)])
      assert.deepEqual(await namesOf({ nodes: [{ entity_id: unknown }] }), []);
  });

  test("a condition on a property counts whatever its name is", async () => {
    for (const properties of ['{"__proto__": "x"}', '{"__proto__": true}', '{"constructor": true}'])
      assert.deepEqual(await namesOf({ nodes: [{ properties: JSON.parse(properties) as object }] }), []);
  });

  test("in either direction a relationship of two entities of one type is found from both ends", async () => {
    const { owner } = use();
    const ontology = { hierarchy: [{ level: 0, node_types: { Company: node_types.Company } }] };
    const schema = {
      ontology: { ...ontology, edge_types: [edgeType("OWNS", "Company", "Company")] },
    };
    const { id } = await owner.succeed("createOntology", { body: { name: "Owners", schema } });
    const body = { name: "Owners", ontology_id: id };
    const params = { project_id: (await owner.succeed("createProject", { body })).project_id };
    const text =
      "Harrow Mills is a company. Harrow Works is a company. Larch Ferries is a company. Velden Yard is a company.";
    await ingestAll(owner, params.project_id, [{ source_doc_id: "owners", text }]);
    const corrections = [
      ["Harrow Mills", "Larch Ferries"],
      ["Harrow Works", "Larch Ferries"],
      ["Larch Ferries", "Velden Yard"],
    ].map(([source = "", target = ""]) => ({
      kind: "add_relationship" as const,
      source: { type: "Company", name: source },
      type: "OWNS",
      target: { type: "Company", name: target },
    }));
    const company = (name: string) => ({ type: "Company", name });
    // A relationship that its entity has under two names is one.
    const merge = {
      ...{ kind: "merge" as const, entity: company("Harrow Works"), into: company("Harrow Mills") },
    };
    await owner.succeed("createCorrections", { params, body: { corrections: [...corrections, merge] } });
    const found = async (nodes: readonly Pattern[]) => {
      const match = { nodes, edges: [{ type: "OWNS", direction: "any" }] };
      const { rows, is_complete } = await owner.succeed("matchGraph", { params, body: match });
      assert.equal(is_complete, true);
      return rows.map((row) => row.nodes.map(({ name }) => name).join(" - ")).sort();
    };
    const all = [
      "Harrow Mills - Larch Ferries",
      "Larch Ferries - Harrow Mills",
      "Larch Ferries - Velden Yard",
      "Velden Yard - Larch Ferries",
    ];
    assert.deepEqual(await found([{}, {}]), all);
    for (const name of ["Harrow Works", { contains: "works" }])
      assert.deepEqual(
        await found([{ name }, {}]),
        ["Harrow Mills - Larch Ferries"],
        "by a name that was merged",
      );
    assert.deepEqual(await found([{ type: "Company" }, { type: "Company", name: { contains: "harrow" } }]), [
      "Larch Ferries - Harrow Mills",
    ]);
    const fromLarch = all.filter((row) => row.startsWith("Larch"));
    assert.deepEqual(await found([{ name: "Larch Ferries" }, { type: "Company" }]), fromLarch);
  });

  test("no row has a relationship twice", async () => {
    const nodes = [{ type: "Person" }, { name: { contains: "port" } }, { type: "Person" }];
    const edges = [{}, { direction: "any" }];
    assert.deepEqual(await namesOf({ nodes, edges }), [
      "Maria Gonzalez - Porto - Tomas Vell",
      "Tomas Vell - Porto - Maria Gonzalez",
    ]);
  });

  test("with as_of relationships are those that hold then, with the sentences that say so", async () => {
    const of = (as_of: string) =>
      namesOf({ nodes: [{ name: "Harrow Mills" }, { type: "City" }], edges: [{}], as_of });
    assert.deepEqual(await of("1993"), ["Harrow Mills - Leeds"]);
    assert.deepEqual(await of("2005-06"), ["Harrow Mills - Derby"]);
    assert.deepEqual(await of("1999"), []);
  });

  test("a search that ends early says at which bound", async () => {
    const found = await match({ nodes: [{}], limit: 2 });
    assert.deepEqual([found.rows.length, found.is_complete, found.bounds_met], [2, false, ["rows"]]);
    const all = await match({ nodes: [{ type: "Person" }], limit: 3 });
    assert.deepEqual([all.rows.length, all.is_complete, all.bounds_met], [3, true, []]);
  });

  test("a pattern that is none is refused with what is expected", async () => {
    const refused = async (body: Pattern, detail: RegExp) =>
      assertFault(await use().owner.endpoint("matchGraph", { params: { project_id }, body }), 400, detail);
    await refused({}, /nodes: missing, expected an array of 1 to 5 nodes/);
    await refused({ nodes: [{}, {}] }, /edges: has 0 items, expected 1, one between each two of the 2 nodes/);
    await refused({ nodes: [{ kind: "Person" }] }, /nodes\[0\]/);
    await refused({ nodes: [{ type: "" }] }, /nodes\[0\]\.type/);
    await refused(
      { nodes: [{}, {}], edges: [{ direction: "up" }] },
      /edges\[0\]\.direction.*"out", "in" or "any"/,
    );
    const fault = (properties: unknown) => ({ nodes: [{ properties }] }) as Pattern;
    await refused(fault([]), /nodes\[0\]\.properties: got an array, expected an object of properties/);
    await refused(fault({ a: 1 }), /nodes\[0\]\.properties\.a: expected a value, an array of 1 to 20 values/);
    await refused(fault({ " ": "x" }), /nodes\[0\]\.properties.*is blank/);
    await refused(fault(JSON.parse('{"__proto__": 1}')), /properties\.__proto__: expected a value/);
    await refused(
      { nodes: [{ type: [] }] },
      /nodes\[0\]\.type: is empty, expected a node type, or an array of 1 to 20 of them/,
    );
    await refused(
      fault({ a: [] }),
      /properties\.a: is empty, expected a value, an array of 1 to 20 values, or true for any value/,
    );
    await refused({ nodes: Array(6).fill({}) }, /nodes: has too many items/);
    await refused({ nodes: [{}], limit: 501 }, /limit: expected an integer from 1 to 500/);
  });
});
