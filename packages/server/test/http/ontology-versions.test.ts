import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import { ingestAll, waitFor } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const nodeType = (description: string, aliases: readonly string[] = []) => ({ description, aliases });
const edgeType = (name: string, source: string, target: string, aliases: readonly string[] = []) => ({
  ...{ name, source_types: [source], target_types: [target], temporal: false, properties: [], aliases },
});
const schemaOf = (node_types: Record<string, unknown>, edge_types: readonly unknown[]) => ({
  ontology: { hierarchy: [{ level: 0, node_types }], edge_types },
});

const FIRST = schemaOf(
  { Person: nodeType("A human being"), Company: nodeType("A business"), City: nodeType("A town or city") },
  [
    edgeType("FOUNDED_BY", "Company", "Person"),
    edgeType("BORN_IN", "Person", "City"),
    edgeType("HEADQUARTERED_IN", "Company", "City"),
  ],
);
/** Firms instead of companies, and nothing about where people were born. */
const SECOND = schemaOf(
  { Person: nodeType("A human being"), Firm: nodeType("A business", ["Company"]), City: nodeType("A town") },
  [edgeType("STARTED_BY", "Firm", "Person", ["FOUNDED_BY"]), edgeType("HEADQUARTERED_IN", "Firm", "City")],
);

const DOCUMENTS = [
  "Nordvik Robotics\n\nNordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.",
  "Maria Gonzalez\n\nMaria Gonzalez was born in Porto in 1951.",
].map((text, at) => ({ source_doc_id: `text-${at}`, text }));

/** The graph by its names. */
async function graphOf(owner: Client, project_id: string) {
  const { relationships } = await owner.succeed("listRelationships", { params: { project_id } });
  return relationships
    .map(({ source, type, target }) => `${source.type} ${source.name} ${type} ${target.type} ${target.name}`)
    .sort();
}

async function waitForReread(owner: Client, project_id: string) {
  await waitFor("the reread", async () => {
    const { status } = await owner.succeed("getReread", { params: { project_id } });
    return status === "running" ? null : status;
  });
}

describeOnEach((setting) => {
  const use = useService(setting);
  const create = (name: string, schema: unknown) =>
    use().owner.succeed("createOntology", { body: { name, schema } });

  test("a new version keeps the earlier one, and the same content makes none", async () => {
    const { owner } = use();
    const { id: ontology_id, created_at } = await create("Firms", FIRST);
    const params = { ontology_id };
    const second = await owner.succeed("replaceOntology", {
      params,
      body: { name: "Firms 2", schema: SECOND },
    });
    assert.deepEqual([second.version, second.name, second.created_at], [2, "Firms 2", created_at]);
    const again = await owner.succeed("replaceOntology", {
      params,
      body: { name: "Firms 2", schema: SECOND },
    });
    assert.equal(again.version, 2);
    assert.deepEqual((await owner.succeed("getOntology", { params })).schema, SECOND);
    const first = await owner.succeed("getOntology", { params, query: { version: 1 } });
    assert.deepEqual(first, { id: ontology_id, name: "Firms", created_at, schema: FIRST });
    const { versions } = await owner.succeed("listOntologyVersions", { params });
    assert.deepEqual(
      versions.map(({ version, name, projects }) => [version, name, projects]),
      [
        [2, "Firms 2", 0],
        [1, "Firms", 0],
      ],
    );
    assertFault(
      await owner.endpoint("getOntology", { params, query: { version: 3 } }),
      404,
      /^Ontology not found$/,
    );
    assertFault(
      await owner.endpoint("getOntology", { params, query: { version: 0 } }),
      400,
      /version: got "0"/,
    );
    const broken = { name: "X", schema: { ontology: { hierarchy: [{ level: 0, node_types: { "": {} } }] } } };
    assertFault(await owner.endpoint("replaceOntology", { params, body: broken }), 400, /schema\.ontology/);
  });

  test("a difference lists types that changed, were renamed, dropped and added", async () => {
    const { owner } = use();
    const { id: ontology_id } = await create("Firms", FIRST);
    const params = { ontology_id };
    await owner.succeed("replaceOntology", { params, body: { name: "Firms", schema: SECOND } });
    const diff = await owner.succeed("diffOntology", { params });
    const lines = (changes: typeof diff.node_types) =>
      changes.map(({ change, name, to, members }) => `${change} ${name} ${to} ${members.join()}`).sort();
    assert.deepEqual([diff.before, diff.after], [1, 2]);
    assert.deepEqual(lines(diff.node_types), [
      "changed City City description",
      "renamed Company Firm aliases",
    ]);
    assert.deepEqual(lines(diff.edge_types), [
      "changed HEADQUARTERED_IN HEADQUARTERED_IN source_types",
      "dropped BORN_IN null ",
      "renamed FOUNDED_BY STARTED_BY source_types,aliases",
    ]);
    const back = await owner.succeed("diffOntology", { params, query: { before: 2, after: 1 } });
    assert.ok(lines(back.node_types).includes("renamed Firm Company aliases"));
    assert.ok(lines(back.edge_types).includes("added null BORN_IN "));
  });

  test("an ontology is deleted with its versions, but not while a project is bound to one", async () => {
    const { owner } = use();
    const { id: ontology_id } = await create("Firms", FIRST);
    const params = { ontology_id };
    const { project_id } = await owner.succeed("createProject", { body: { name: "Bound", ontology_id } });
    await owner.succeed("replaceOntology", { params, body: { name: "Firms", schema: SECOND } });
    const refused = await owner.endpoint("deleteOntology", { params });
    assertFault(refused, 409, /^The ontology is bound to 1 project\. Delete them or move them/);
    assert.equal((await owner.succeed("listOntologyVersions", { params })).versions[1]?.projects, 1);
    await owner.succeed("deleteProject", { params: { project_id } });
    const used = (await owner.succeed("getUsage", {})).limits.stored_bytes_used;
    await owner.succeed("deleteOntology", { params });
    const left = (await owner.succeed("getUsage", {})).limits.stored_bytes_used;
    assert.ok(left <= used - JSON.stringify(FIRST).length - JSON.stringify(SECOND).length);
    assertFault(await owner.endpoint("deleteOntology", { params }), 404, /^Ontology not found$/);
    const body = { name: "Late", ontology_id };
    assertFault(await owner.endpoint("createProject", { body }), 404, /not found or not accessible/);
  });
});

describeOnEach((setting) => {
  const use = useService(setting);
  let ontology_id = "";
  before(async () => {
    const { owner } = use();
    ontology_id = (await owner.succeed("createOntology", { body: { name: "Firms", schema: FIRST } })).id;
    const body = { name: "Firms", schema: SECOND };
    await owner.succeed("replaceOntology", { params: { ontology_id }, body });
  });

  /** A new project of these documents. */
  async function fresh(schema: typeof FIRST | null): Promise<string> {
    const { owner } = use();
    const bound = schema && {
      ontology_id: (await owner.succeed("createOntology", { body: { name: "Fresh", schema } })).id,
    };
    const { project_id } = await owner.succeed("createProject", { body: { name: "Fresh", ...bound } });
    await ingestAll(owner, project_id, DOCUMENTS);
    return project_id;
  }

  test("a project that moves to another version gets its graph, and that of a fresh ingest when it comes back", async () => {
    const { owner } = use();
    const project_id = await fresh(FIRST);
    const params = { project_id };
    const before = await graphOf(owner, project_id);
    assert.ok(
      before.includes("Company Nordvik Robotics FOUNDED_BY Person Maria Gonzalez"),
      before.join("; "),
    );
    const body = { ontology_id, ontology_version: 2 };

    const [person, city] = [
      { type: "Person", name: "Maria Gonzalez" },
      { type: "City", name: "Porto" },
    ];
    const born = { kind: "confirm" as const, source: person, type: "BORN_IN", target: city };
    const renamed = { kind: "rename" as const, entity: person, name: "Maria Vell" };
    const made = await owner.succeed("createCorrections", { params, body: { corrections: [born, renamed] } });
    const misspelt = { dryrun: "true" } as unknown as { dry_run: "true" };
    assertFault(
      await owner.endpoint("changeProject", { params, query: misspelt, body }),
      400,
      /unknown parameter "dryrun", expected dry_run or none/,
    );
    for (const dry_run of [true, false]) {
      const misplaced = await owner.endpoint("changeProject", { params, body: { ...body, dry_run } });
      assertFault(misplaced, 400, /^dry_run: is a parameter of the query, .*\?dry_run=true/);
    }
    const planned = await owner.succeed("changeProject", { params, query: { dry_run: "true" }, body });
    const move = planned.ontology_changes;
    const edges = move?.edge_types.map(({ change, name, to, relationships, fitting }) =>
      [change, name, to, relationships, fitting].join(" "),
    );
    assert.deepEqual(edges?.sort(), [
      "changed HEADQUARTERED_IN HEADQUARTERED_IN 1 1",
      "dropped BORN_IN  1 0",
      "renamed FOUNDED_BY STARTED_BY 1 1",
    ]);
    assert.ok(
      move?.node_types.some(({ name, to, entities }) => name === "Company" && to === "Firm" && entities > 0),
    );
    assert.deepEqual(move?.corrections, [
      { kind: "rename", corrections: 1, without_effect: 0 },
      { kind: "confirm", corrections: 1, without_effect: 1 },
    ]);
    for (const { correction_id } of made.corrections)
      await owner.succeed("deleteCorrection", { params: { ...params, correction_id } });
    assert.equal(planned.reread, null);
    assert.deepEqual(await graphOf(owner, project_id), before);
    const { versions } = await owner.succeed("listOntologyVersions", { params: { ontology_id } });
    assert.deepEqual(
      versions.map(({ projects }) => projects),
      [0, 0],
    );

    const changed = await owner.succeed("changeProject", { params, body });
    assert.equal(changed.reread?.documents_total, DOCUMENTS.length);
    await waitForReread(owner, project_id);
    const moved = before
      .filter((line) => !line.includes(" BORN_IN "))
      .map((line) => line.replace("Company ", "Firm ").replace("FOUNDED_BY", "STARTED_BY"));
    assert.deepEqual(await graphOf(owner, project_id), moved.sort());
    const { ontology } = await owner.succeed("getProjectConfig", { params });
    assert.deepEqual(ontology, { id: ontology_id, version: 2 });
    const bound = (await owner.succeed("getProject", { params })).ontology;
    assert.ok(bound?.edge_types?.some(({ name }) => name === "STARTED_BY"));

    const repeated = await owner.succeed("changeProject", { params, body });
    assert.equal(repeated.reread, null);
    await owner.succeed("changeProject", { params, body: { ontology_version: 1 } });
    await waitForReread(owner, project_id);
    assert.deepEqual(await graphOf(owner, project_id), before);
  });

  test("types that texts are read under their earlier names keep what they have, whatever they are called now", async () => {
    const { owner } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Towns", schema: FIRST } });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Towns", ontology_id: id } });
    const params = { project_id };
    await ingestAll(owner, project_id, DOCUMENTS);
    const namesOf = async () => {
      const { entities } = await owner.succeed("listEntities", { params });
      return entities.map(({ type, name }) => `${type} ${name}`).sort();
    };
    const [names, graph] = [await namesOf(), await graphOf(owner, project_id)];
    assert.ok(names.includes("City Hamburg"), names.join("; "));
    const firm = { type: "Company", name: "Nordvik Robotics" };
    const corrections = [{ kind: "rename" as const, entity: firm, name: "Nordvik" }];
    await owner.succeed("createCorrections", { params, body: { corrections } });
    const renamed = schemaOf(
      {
        Person: nodeType("A human being"),
        Zorb: { ...nodeType("A business"), read_as: "Company" },
        Quib: { ...nodeType("A town or city"), read_as: "City" },
      },
      [
        { ...edgeType("GLIMS", "Zorb", "Person"), read_as: "FOUNDED_BY" },
        edgeType("BORN_IN", "Person", "Quib"),
        edgeType("HEADQUARTERED_IN", "Zorb", "Quib"),
      ],
    );
    const body = { name: "Towns", schema: renamed };
    await owner.succeed("replaceOntology", { params: { ontology_id: id }, body });
    const planned = await owner.succeed("changeProject", {
      params,
      query: { dry_run: "true" },
      body: { ontology_version: 2 },
    });
    const { node_types = [], edge_types = [], corrections: fits } = planned.ontology_changes ?? {};
    assert.deepEqual(
      node_types.map(({ change, name, to, members }) => [change, name, to, ...members].join(" ")),
      ["kept Person Person", "renamed Company Zorb", "renamed City Quib"],
    );
    assert.ok(edge_types.every(({ relationships, fitting }) => relationships === fitting));
    assert.deepEqual(fits, [{ kind: "rename", corrections: 1, without_effect: 0 }]);
    await owner.succeed("changeProject", { params, body: { ontology_version: 2 } });
    await waitForReread(owner, project_id);
    const nowCalled = (lines: readonly string[]) =>
      lines
        .map((line) =>
          line
            .replace("Nordvik Robotics", "Nordvik")
            .replace("Company", "Zorb")
            .replace("City", "Quib")
            .replace("FOUNDED_BY", "GLIMS"),
        )
        .sort();
    assert.deepEqual(await namesOf(), nowCalled(names));
    assert.deepEqual(await graphOf(owner, project_id), nowCalled(graph));
    await owner.succeed("changeProject", { params, body: { ontology_version: 1 } });
    await waitForReread(owner, project_id);
    const back = (lines: readonly string[]) =>
      lines.map((line) => line.replace("Nordvik Robotics", "Nordvik")).sort();
    assert.deepEqual(await graphOf(owner, project_id), back(graph));
  });

  test("corrections are of the types that a version has renamed, and of the earlier ones when the project comes back", async () => {
    const { owner } = use();
    const { id } = await owner.succeed("createOntology", { body: { name: "Firms", schema: FIRST } });
    await owner.succeed("replaceOntology", {
      params: { ontology_id: id },
      body: { name: "Firms", schema: SECOND },
    });
    const bound = { ontology_id: id, ontology_version: 1 };
    const { project_id } = await owner.succeed("createProject", { body: { name: "Firms", ontology_id: id } });
    const params = { project_id };
    await owner.succeed("changeProject", { params, body: bound });
    await ingestAll(owner, project_id, DOCUMENTS);
    const [firm, person] = [
      { type: "Company", name: "Nordvik Robotics" },
      { type: "Person", name: "Maria Gonzalez" },
    ];
    const corrections = [
      {
        kind: "reject" as const,
        source: firm,
        type: "FOUNDED_BY",
        target: person,
        reason: "It was not her.",
      },
      { kind: "rename" as const, entity: firm, name: "Nordvik" },
    ];
    const made = await owner.succeed("createCorrections", { params, body: { corrections } });
    const before = await graphOf(owner, project_id);
    assert.deepEqual(before, [
      "Company Nordvik HEADQUARTERED_IN City Hamburg",
      "Person Maria Gonzalez BORN_IN City Porto",
    ]);

    const body = { ontology_version: 2 };
    const planned = await owner.succeed("changeProject", { params, query: { dry_run: "true" }, body });
    assert.deepEqual(
      planned.ontology_changes?.corrections.map((each) => each.without_effect),
      [0, 0],
    );
    await owner.succeed("changeProject", { params, body });
    await waitForReread(owner, project_id);
    assert.deepEqual(await graphOf(owner, project_id), ["Firm Nordvik HEADQUARTERED_IN City Hamburg"]);
    const moved = await owner.succeed("listCorrections", { params, query: { order: "oldest" } });
    const [rejected, renamed] = moved.corrections;
    assert.ok(rejected?.kind === "reject" && renamed?.kind === "rename");
    assert.deepEqual([rejected.source.type, rejected.type], ["Firm", "STARTED_BY"]);
    assert.deepEqual([renamed.entity.type, renamed.entity.name], ["Firm", "Nordvik Robotics"]);
    const [given] = made.corrections;
    for (const member of ["correction_id", "created_at", "account_id", "key_id", "reason"] as const)
      assert.equal(rejected[member], given?.[member]);
    const { edge_types } = await owner.succeed("listCorrectionExamples", { params });
    assert.deepEqual(
      edge_types.map(({ name }) => name),
      ["STARTED_BY"],
    );

    await owner.succeed("deleteCorrection", {
      params: { ...params, correction_id: rejected.correction_id },
    });
    assert.deepEqual(await graphOf(owner, project_id), [
      "Firm Nordvik HEADQUARTERED_IN City Hamburg",
      "Firm Nordvik STARTED_BY Person Maria Gonzalez",
    ]);
    await owner.succeed("changeProject", { params, body: bound });
    await waitForReread(owner, project_id);
    assert.deepEqual(
      (await owner.succeed("listCorrections", { params })).corrections.map((each) =>
        each.kind === "rename" ? each.entity : null,
      ),
      made.corrections.slice(1).map((each) => (each.kind === "rename" ? each.entity : null)),
    );
    assert.deepEqual(await graphOf(owner, project_id), [
      "Company Nordvik FOUNDED_BY Person Maria Gonzalez",
      ...before,
    ]);
  });

  test("a version with the same types is bound at once, and the graph is that of a fresh ingest", async () => {
    const { owner } = use();
    const body = { name: "Firms", schema: FIRST };
    const { id } = await owner.succeed("createOntology", { body });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Firms", ontology_id: id } });
    const params = { project_id };
    await ingestAll(owner, project_id, DOCUMENTS);
    const before = await graphOf(owner, project_id);
    const schema = { ...FIRST, note: "for the register" };
    await owner.succeed("replaceOntology", {
      params: { ontology_id: id },
      body: { name: "Register", schema },
    });
    const changed = await owner.succeed("changeProject", { params, body: { ontology_version: 2 } });
    assert.equal(changed.reread, null);
    assert.equal(changed.project.ontology?.name, "Register");
    const { ontology } = await owner.succeed("getProjectConfig", { params });
    assert.deepEqual(ontology, { id, version: 2 });
    assert.ok(before.length > 0);
    assert.deepEqual(await graphOf(owner, project_id), before);
    assert.deepEqual(await graphOf(owner, await fresh(FIRST)), before);
  });

  test("a project without an ontology gets one", async () => {
    const { owner } = use();
    const project_id = await fresh(null);
    const params = { project_id };
    const body = { name: "Bound now", ontology_id, ontology_version: 1 };
    const changed = await owner.succeed("changeProject", { params, body });
    assert.equal(changed.project.name, "Bound now");
    await waitForReread(owner, project_id);
    assert.deepEqual(await graphOf(owner, project_id), await graphOf(owner, await fresh(FIRST)));
  });

  test("a change that cannot be made is refused with the reason", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Grown" } });
    const refused = async (body: unknown, status: number, detail: RegExp) =>
      assertFault(await owner.endpoint("changeProject", { params: { project_id }, body }), status, detail);
    await refused({}, 400, /has nothing to change/);
    await refused({ ontology_version: 1 }, 400, /bound to no ontology/);
    await refused({ ontology_id: "ont_none" }, 404, /Ontology not found or not accessible/);
    await refused({ ontology_id, ontology_version: 9 }, 404, /Ontology not found or not accessible/);
    const flat = await owner.succeed("createProject", { body: { name: "Flat", vector_only: true } });
    const params = { project_id: flat.project_id };
    assertFault(
      await owner.endpoint("changeProject", { params, body: { ontology_id } }),
      400,
      /^Vector-only projects cannot specify an ontology$/,
    );
  });
});
