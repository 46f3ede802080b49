import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault, readSuccess } from "../support/http-client.ts";
import { describeOnEach, type TestService, useService } from "../support/service.ts";

const HIERARCHY = [{ level: 0, node_types: { Bird: { properties: ["name"], description: "A bird" } } }];
const SCHEMA = { ontology: { hierarchy: HIERARCHY, edge_types: [] } };

/** What a JSON library that rebuilds values would change: spelling, order, repetition, unknown members. */
const UNUSUAL_SCHEMA = String.raw`{ "note" : "caf\u00e9 \/ \ud83e\udd89", "ontology": {
  "hierarchy": [ {"level": 0, "weight": 1.0, "serial": 12345678901234567890123, "tiny": 1E-400,
    "node_types": {"10": {"properties": ["b","a"], "description": "", "extra": null}, "9": {"properties": []},
      "Z": {"description": "first"}, "A": {}}, "again": 1, "again": 2} ],
  "edge_types": [], "zebra": [[[]]], "apple": -0.0
} }`;

async function createRaw(service: TestService, name: string, schema: string) {
  const raw = `{"name": ${JSON.stringify(name)}, "schema": ${schema}}`;
  return service.owner.call("POST", "/ontologies", { raw });
}

describeOnEach((setting) => {
  const use = useService(setting);

  test("a new ontology is answered with 201 and what was sent", async () => {
    const { owner } = use();
    const created = await owner.succeed("createOntology", { body: { name: "Birds", schema: SCHEMA } });
    assert.equal(created.name, "Birds");
    assert.deepEqual(created.schema, SCHEMA);
    assert.ok(Math.abs(Date.parse(created.created_at) - Date.now()) < 60_000);
    assert.deepEqual(await owner.succeed("getOntology", { params: { ontology_id: created.id } }), created);
  });

  test("the list has every ontology of the account, the newest first, without schemas", async () => {
    const { owner, stranger } = use();
    assert.deepEqual(await stranger.succeed("listOntologies"), { ontologies: [] });
    const older = await owner.succeed("createOntology", { body: { name: "Older", schema: SCHEMA } });
    const newer = await owner.succeed("createOntology", { body: { name: "Newer", schema: SCHEMA } });
    const { ontologies } = await owner.succeed("listOntologies");
    const summaries = [newer, older].map(({ id, name, created_at }) => ({ id, name, created_at }));
    assert.deepEqual(ontologies.slice(0, 2), summaries);
  });

  test("a schema is kept as the text that was sent, letter by letter", async () => {
    const service = use();
    const reply = await createRaw(service, "Unusual", UNUSUAL_SCHEMA);
    const { id } = readSuccess("createOntology", reply);
    assert.ok(reply.text.includes(UNUSUAL_SCHEMA), reply.text);
    const got = await service.owner.call("GET", `/ontologies/${id}`);
    assert.ok(got.text.includes(UNUSUAL_SCHEMA), got.text);
  });

  test("of a repeated member the last one counts, in the checks and in what is kept", async () => {
    const service = use();
    const raw = `{"schema": {"ontology": {}}, "name": "Twice", "schema": ${JSON.stringify(SCHEMA)}}`;
    const created = readSuccess("createOntology", await service.owner.call("POST", "/ontologies", { raw }));
    assert.deepEqual(created.schema, SCHEMA);
  });

  test("a project shows the ontology's own spelling of hierarchy and edge types", async () => {
    const service = use();
    const created = readSuccess("createOntology", await createRaw(service, "Spelled", UNUSUAL_SCHEMA));
    const body = { name: "Spelling", ontology_id: created.id };
    const project = await service.owner.succeed("createProject", { body });
    const got = await service.owner.call("GET", `/projects/${project.project_id}`);
    const { ontology } = readSuccess("getProject", got);
    assert.deepEqual(Object.keys(ontology ?? {}), ["name", "hierarchy", "edge_types"]);
    assert.ok(got.text.includes('"weight": 1.0, "serial": 12345678901234567890123, "tiny": 1E-400'));
    assert.ok(got.text.includes('{"10": {"properties": ["b","a"], "description": "", "extra": null}, "9":'));
  });

  test("edge types may be left out or null; a project then shows none", async () => {
    const { owner } = use();
    for (const edges of [{}, { edge_types: null }]) {
      const schema = { ontology: { hierarchy: HIERARCHY, ...edges } };
      const { id } = await owner.succeed("createOntology", { body: { name: "No edges", schema } });
      const project = await owner.succeed("createProject", { body: { name: "P", ontology_id: id } });
      assert.deepEqual(project.ontology?.edge_types, []);
    }
  });

  test("a schema that lacks the hierarchy definition is refused in the documented words", async () => {
    const schemas = [
      {},
      { ontology: {} },
      { ontology: { edge_types: [] } },
      { ontology: { hierarchy: null } },
    ];
    for (const schema of schemas) {
      const reply = await use().owner.endpoint("createOntology", { body: { name: "Bare", schema } });
      assertFault(reply, 400, "Invalid ontology schema: missing hierarchy definition");
    }
  });

  test("other faults of an ontology are named with their place", async () => {
    const { owner } = use();
    const level = (content: unknown) => ({ ontology: { hierarchy: [content], edge_types: [] } });
    const cases: readonly [unknown, RegExp][] = [
      [{ schema: SCHEMA }, /^name: missing, expected/],
      [{ name: "  ", schema: SCHEMA }, /^name: is blank/],
      [{ name: "A" }, /^schema: missing, expected/],
      [{ name: "A", schema: "text" }, /^schema: got a string, expected/],
      [{ name: "A", schema: { ontology: { hierarchy: {} } } }, /^schema\.ontology\.hierarchy: got an object/],
      [
        { name: "A", schema: level({ level: "0", node_types: {} }) },
        /^schema\.ontology\.hierarchy\[0\]\.level:/,
      ],
      [
        { name: "A", schema: { ontology: { hierarchy: HIERARCHY, edge_types: [{}] } } },
        /^schema\.ontology\.edge_types\[0\]\.name: missing/,
      ],
    ];
    for (const [body, detail] of cases) {
      assertFault(await owner.endpoint("createOntology", { body }), 400, detail);
    }
  });

  test("an ontology that contradicts itself is refused with the place of every fault, and not kept", async () => {
    const { stranger } = use();
    const hierarchy = [
      { level: 1, node_types: { Flock: { aggregates: ["Bird", "Wood"] } } },
      { level: 0, node_types: { Bird: { aggregates: ["Flock"] }, "bird ": {} } },
    ];
    const edge_types = [
      { name: "NESTS_IN", source_types: ["Brid"], target_types: ["Bird"] },
      { name: "NESTS_IN", source_types: ["Bird"], target_types: [] },
    ];
    const faultsOf = async (ontology: unknown) => {
      const reply = await stranger.endpoint("createOntology", {
        body: { name: "Odd", schema: { ontology } },
      });
      assert.equal(reply.status, 400, reply.text);
      return (reply.json as { detail: string }).detail.split("; "); // What every refusal looks like.
    };
    assert.deepEqual(await faultsOf({ hierarchy, edge_types }), [
      "schema.ontology.edge_types[1].target_types: is empty, expected an array of at least one node type name",
      'schema.ontology.hierarchy[1].node_types["bird "]: "bird " differs from "Bird" only in case or spaces, ' +
        "see schema.ontology.hierarchy[1].node_types.Bird",
      'schema.ontology.edge_types[1].name: "NESTS_IN" is repeated, see schema.ontology.edge_types[0]',
    ]);
    const [flock] = hierarchy;
    const [nests] = edge_types;
    const sound = [flock, { level: 0, node_types: { Bird: { aggregates: ["Flock"] } } }];
    assert.deepEqual(await faultsOf({ hierarchy: sound, edge_types: [nests] }), [
      'schema.ontology.hierarchy[1].node_types.Bird.aggregates[0]: "Flock" is on level 1, expected a node type of a level below 0',
      'schema.ontology.hierarchy[0].node_types.Flock.aggregates[1]: unknown node type "Wood"',
      'schema.ontology.edge_types[0].source_types[0]: unknown node type "Brid", did you mean "Bird"?',
    ]);
    assert.deepEqual(await stranger.succeed("listOntologies"), { ontologies: [] });
  });

  test("a node type that the text defines twice is refused", async () => {
    const schema =
      '{"ontology": {"hierarchy": [{"level": 0, "node_types": {"Bird": {}, "Bird": {"properties": ["x"]}}}]}}';
    const path = "schema.ontology.hierarchy[0].node_types.Bird";
    assertFault(
      await createRaw(use(), "Twice", schema),
      400,
      `${path}: is defined more than once, expected each node type once`,
    );
  });

  test("examples and aliases are kept as they were given", async () => {
    const { owner } = use();
    const schema = {
      ontology: {
        hierarchy: [{ level: 0, node_types: { Bird: { examples: ["Kestrel"], aliases: ["fowl"] } } }],
        edge_types: [
          {
            name: "PREYS_ON",
            source_types: ["Bird"],
            target_types: ["Bird"],
            aliases: ["hunts"],
            examples: [
              "A kestrel hunts wrens.",
              { source: "Kestrel", target: "Wren", text: "Kestrels eat wrens." },
            ],
          },
        ],
      },
    };
    const { id } = await owner.succeed("createOntology", { body: { name: "Examples", schema } });
    const got = await owner.succeed("getOntology", { params: { ontology_id: id } });
    assert.deepEqual(got.schema, schema);
  });

  test("an unknown ontology is not found, and another account's is unknown", async () => {
    const { owner, stranger } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Mine", schema: SCHEMA } });
    const missing = ["ont_00000000000000000000000000000000", "x", id.toUpperCase()];
    for (const ontology_id of missing) {
      const reply = await owner.endpoint("getOntology", { params: { ontology_id } });
      assertFault(reply, 404, "Ontology not found");
    }
    const reply = await stranger.endpoint("getOntology", { params: { ontology_id: id } });
    assertFault(reply, 404, "Ontology not found");
    const body = { name: "Borrowed", ontology_id: id };
    const borrowed = await stranger.endpoint("createProject", { body });
    assertFault(borrowed, 404, "Ontology not found or not accessible");
  });

  test("a suggestion needs a use case", async () => {
    const { owner } = use();
    for (const body of [{}, { usecase: null }, { usecase: "" }, { usecase: " \n" }, undefined]) {
      const reply = await owner.endpoint("suggestOntology", { body });
      assertFault(reply, 400, "Use case description is required");
    }
    assertFault(
      await owner.endpoint("suggestOntology", { body: { usecase: 7 } }),
      400,
      /^usecase: got a number/,
    );
  });

  test("a suggestion is what an ontology is created with, says what made it, and is not stored", async () => {
    const { owner } = use();
    const usecase = "Pilots steer ships into harbours. Each ship has a name and a draught.";
    const reply = await owner.endpoint("suggestOntology", { body: { usecase } });
    const suggestion = readSuccess("suggestOntology", reply);
    assert.equal(reply.headers["x-kcs-engine"], "built-in");
    assert.deepEqual(Object.keys(suggestion), ["name", "schema"]);
    const before = await owner.succeed("listOntologies");
    assert.ok(!before.ontologies.some(({ name }) => name === suggestion.name));
    const { schema } = await owner.succeed("createOntology", { body: suggestion });
    assert.deepEqual(schema, suggestion.schema);
    assert.match(JSON.stringify(schema), /"Pilot".*"Ship".*"Harbour".*"STEERS"/);
  });

  test("a use case in which nothing can be read is answered with what it lacks, as a fault of the request", async () => {
    const { owner, logged } = use();
    const before = logged.length;
    for (const [usecase, detail] of [
      ["?!", /^usecase: no kinds of things were found in the description\. Name them/],
      ["00", /^usecase: no kinds of things were found in the description\. Name them/],
      ["Der Hafen hat viele Schiffe und die Schiffe haben Namen.", /^usecase: without a language model only/],
    ] as const)
      assertFault(await owner.endpoint("suggestOntology", { body: { usecase } }), 400, detail);
    assert.deepEqual(logged.slice(before), []);
  });
});
