import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import { ingestAll } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const TEXTS = [
  {
    source_doc_id: "mill",
    text: "Ada Larsen founded Tarnholm Mills in 1994.\n\nTarnholm Mills is headquartered in Vell.",
  },
  { source_doc_id: "news", text: "Tarnholm Mills is headquartered in Orrin. Ada Larsen lives in Vell." },
];

async function projectWith(client: Client, texts: readonly { source_doc_id: string; text: string }[]) {
  const { project_id } = await client.succeed("createProject", { body: { name: "Mills" } });
  await ingestAll(client, project_id, texts);
  return { project_id };
}

const correct = (client: Client, params: { project_id: string }, ...corrections: readonly unknown[]) =>
  client.succeed("createCorrections", { params, body: { corrections } });

/** What the graph tells, without its numbers. */
async function graphOf(client: Client, params: { project_id: string }) {
  const { entities } = await client.succeed("listEntities", { params });
  const { relationships } = await client.succeed("listRelationships", { params });
  const { entities_by_type, relationships_by_type } = await client.succeed("getProjectStats", { params });
  return {
    entities: entities.map(({ entity_id: _, ...entity }) => entity),
    relationships: relationships.map(({ source, target, type, chunks, confirmed, evidence }) => ({
      ...{ type, chunks, confirmed },
      ends: [source.name, source.type, target.name, target.type],
      evidence: evidence.map(({ source_doc_id, text }) => [source_doc_id, text]),
    })),
    ...{ entities_by_type, relationships_by_type },
  };
}

const linesOf = async (client: Client, params: { project_id: string }) =>
  (await client.succeed("listRelationships", { params })).relationships.map(
    ({ source, type, target, confirmed = false }) =>
      `${source.name} ${type} ${target.name}${confirmed ? "!" : ""}`,
  );

describeOnEach((setting) => {
  const use = useService(setting);

  test("a fact rejected in a sentence stays away when its document is sent again, and others may state it", async () => {
    const { owner } = use();
    const params = await projectWith(owner, TEXTS);
    const { relationships } = await owner.succeed("listRelationships", { params });
    const wrong = relationships.find(({ target }) => target.name === "Orrin");
    assert(wrong, JSON.stringify(relationships));
    const [evidence] = wrong.evidence;
    const fact = {
      ...{ source: wrong.source, type: wrong.type, target: wrong.target },
      ...{ document: evidence?.source_doc_id, sentence: evidence?.text },
    };
    const [made] = (await correct(owner, params, { kind: "reject", ...fact, reason: "It moved." }))
      .corrections;
    assert(made);
    assert.deepEqual([typeof made.account_id, typeof made.key_id], ["string", "string"]);
    const stated = async () => (await linesOf(owner, params)).filter((line) => line.endsWith("Orrin"));
    assert.deepEqual(await stated(), []);
    await ingestAll(owner, params.project_id, [
      { source_doc_id: "news", text: `${TEXTS[1]?.text} The mills are large.` },
    ]);
    assert.deepEqual(await stated(), []);
    const listed = async () => (await owner.succeed("listCorrections", { params })).corrections[0];
    assert.deepEqual([(await listed())?.chunks, (await listed())?.later_chunks], [1, 1]);
    await owner.succeed("deleteDocument", { params: { ...params, source_doc_id: "news" } });
    const gone = await owner.succeed("listCorrections", { params, query: { state: "without_evidence" } });
    assert.deepEqual([gone.total, gone.corrections[0]?.correction_id], [1, made.correction_id]);
    await ingestAll(owner, params.project_id, [{ source_doc_id: "copy", text: TEXTS[1]?.text ?? "" }]);
    assert.equal((await stated()).length, 1);
  });

  test("every kind of correction, exported and sent to another project, gives the same graph, and undone the old one", async () => {
    const { owner } = use();
    const params = await projectWith(owner, TEXTS);
    const before = await graphOf(owner, params);
    const named = async (name: string) => {
      const { entities } = await owner.succeed("listEntities", { params, query: { search: name } });
      const type = entities[0]?.type ?? "";
      return { type, name };
    };
    const [ada, mills, vell, orrin] = [
      ...[await named("Ada Larsen"), await named("Tarnholm Mills")],
      ...[await named("Vell"), await named("Orrin")],
    ];
    await correct(
      owner,
      params,
      { kind: "rename", entity: mills, name: "Tarnholm Group" },
      { kind: "retype", entity: ada, type: "Founder" },
      { kind: "merge", entity: orrin, into: vell },
    );
    const group = { ...mills, name: "Tarnholm Group" };
    await correct(
      owner,
      params,
      { kind: "add_relationship", source: group, type: "OWNS", target: vell },
      { kind: "add_property", entity: group, property: "motto", value: "Grind." },
      { kind: "remove_property", entity: group, property: "motto", value: "Nothing." },
      {
        ...{ kind: "split", entity: { ...ada, type: "Founder" }, documents: ["news"] },
        into: { type: "Person", name: "Ada Larsen the Younger" },
      },
    );
    const lines = await linesOf(owner, params);
    assert.equal(lines[0], "Tarnholm Group OWNS Vell!");
    assert.deepEqual(
      lines.filter((line) => /Orrin|Mills/.test(line)),
      [],
    );
    const body = { query: "What does Tarnholm Mills own in Vell?" };
    const { results } = await owner.succeed("query", { params, body });
    assert.match(JSON.stringify(results.relationships), /OWNS/);
    const { entities } = await owner.succeed("listEntities", { params });
    const found = new Map(entities.map((entity) => [entity.name, entity]));
    assert.equal(found.get("Ada Larsen")?.type, "Founder");
    assert.equal(found.get("Ada Larsen the Younger")?.type, "Person");
    assert.deepEqual(found.get("Tarnholm Group")?.properties["motto"], ["Grind."]);
    assert.ok(found.get("Tarnholm Group")?.aliases.includes("Tarnholm Mills"));
    const search = { params, query: { search: "tarnholm mi" } };
    assert.equal((await owner.succeed("listEntities", search)).entities[0]?.name, "Tarnholm Group");

    const exported = await owner.call(
      "GET",
      `/projects/${params.project_id}/corrections?format=jsonl&order=oldest`,
    );
    const corrections = exported.text
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
    const { project_id } = await owner.succeed("createProject", { body: { name: "Copy" } });
    await correct(owner, { project_id }, ...corrections);
    await ingestAll(owner, project_id, TEXTS);
    assert.deepEqual(await graphOf(owner, { project_id }), await graphOf(owner, params));

    for (const { correction_id } of (await owner.succeed("listCorrections", { params })).corrections)
      await owner.succeed("deleteCorrection", { params: { ...params, correction_id } });
    assert.deepEqual(await graphOf(owner, params), before);
  });

  test("an added relationship has the times that a person gives it, here and where it is sent", async () => {
    const { owner } = use();
    const params = await projectWith(owner, TEXTS);
    const typesOf = new Map(
      (await owner.succeed("listEntities", { params })).entities.map(({ name, type }) => [name, type]),
    );
    const named = (name: string) => ({ type: typesOf.get(name), name });
    const [mills, vell, orrin] = [named("Tarnholm Mills"), named("Vell"), named("Orrin")];
    const owns = { kind: "add_relationship", source: mills, type: "OWNS" };
    const given = [
      { ...owns, target: vell, valid_from: "1994-03", valid_to: "2001" },
      { ...owns, target: orrin, valid_from: "2002-05-17" },
      { ...owns, target: vell, valid_from: "2010", valid_to: "2012" },
    ];
    const { corrections: made } = await correct(owner, params, ...given, {
      ...owns,
      target: named("Ada Larsen"),
    });
    const timesOf = ({ valid_from, valid_to }: { valid_from: string | null; valid_to: string | null }) =>
      `${valid_from ?? ""}..${valid_to ?? ""}`;
    const kept = made.flatMap((each) => (each.kind === "add_relationship" ? timesOf(each) : []));
    assert.deepEqual(kept, ["1994-03..2001", "2002-05-17..", "2010..2012", ".."]);
    const owned = async (project: { project_id: string }, as_of?: string) => {
      const query = { type: "OWNS", ...(as_of === undefined ? {} : { as_of }) };
      const { relationships } = await owner.succeed("listRelationships", { params: project, query });
      return relationships.map((each) => `${each.target.name} ${timesOf(each)}`).toSorted();
    };
    const check = async (project: { project_id: string }) => {
      const always = "Ada Larsen ..";
      assert.deepEqual(await owned(project), [always, "Orrin 2002-05-17.."]);
      assert.deepEqual(await owned(project, "1994-02"), [always]);
      assert.deepEqual(await owned(project, "1994"), [always, "Vell 1994-03..2001"]);
      assert.deepEqual(await owned(project, "2001-12"), [always, "Vell 1994-03..2001"]);
      assert.deepEqual(await owned(project, "2002"), [always, "Orrin 2002-05-17.."]);
      const again = [always, "Orrin 2002-05-17..", "Vell 2010..2012"];
      assert.deepEqual(await owned(project, "2011"), again, "it was added twice");
    };
    await check(params);
    const { entities } = await owner.succeed("listEntities", { params, query: { search: "tarnholm" } });
    const entity = { ...params, entity_id: entities[0]?.entity_id ?? "" };
    const { history } = await owner.succeed("getEntity", { params: entity });
    assert.deepEqual(history.map(timesOf), ["2010..2012"], "the last addition");
    const csv = await owner.call(
      "GET",
      `/projects/${params.project_id}/graph/export?format=csv&part=relationships`,
    );
    assert.match(csv.text, /OWNS,.*,2002-05-17,/);

    const exported = await owner.call(
      "GET",
      `/projects/${params.project_id}/corrections?format=jsonl&order=oldest`,
    );
    const lines = exported.text.split("\n").filter(Boolean);
    const { project_id } = await owner.succeed("createProject", { body: { name: "Copy" } });
    await correct(owner, { project_id }, ...lines.map((line): unknown => JSON.parse(line)));
    await ingestAll(owner, project_id, TEXTS);
    await check({ project_id });

    const { corrections: last } = await correct(owner, params, { ...owns, target: vell });
    assert.deepEqual(await owned(params, "1995"), ["Ada Larsen ..", "Vell .."], "the last one has no times");
    for (const { correction_id } of [...made, ...last])
      await owner.succeed("deleteCorrection", { params: { ...params, correction_id } });
    assert.deepEqual(await owned(params, "1995"), []);
    for (const [times, detail] of [
      [{ valid_from: "2002-05", valid_to: "2002-04-30" }, /corrections\[0\]\.valid_to: got "2002-04-30"/],
      [{ valid_from: "May 2002" }, /corrections\[0\]\.valid_from: got "May 2002", expected a year/],
      [{ valid_to: "2002-02-30" }, /corrections\[0\]\.valid_to: got "2002-02-30"/],
    ] as const) {
      const body = { corrections: [{ ...owns, target: vell, ...times }] };
      assertFault(await owner.endpoint("createCorrections", { params, body }), 400, detail);
    }
  });

  test("a question in the past tense, or for a time, has also relationships that have ended, and what they lead to", async () => {
    const { owner } = use();
    const elsewhere = { source_doc_id: "harbour", text: "Piet Sund built Pell Harbour in 1950." };
    const params = await projectWith(owner, [...TEXTS, elsewhere]);
    const { entities } = await owner.succeed("listEntities", { params });
    const named = (name: string) => ({ type: entities.find((one) => one.name === name)?.type, name });
    const [mills, harbour] = [named("Tarnholm Mills"), named("Pell Harbour")];
    const added = { kind: "add_relationship", source: mills, type: "OWNS", target: harbour };
    await correct(owner, params, { ...added, valid_from: "1994", valid_to: "2001" });
    const owned = async (query: string) => {
      const { results } = await owner.succeed("query", { params, body: { query } });
      return results.relationships.filter(({ type }) => type === "OWNS").map(({ target }) => target);
    };
    assert.deepEqual(await owned("What did Tarnholm Mills own in all?"), ["Pell Harbour"]);
    assert.deepEqual(await owned("When does Tarnholm Mills own Pell Harbour?"), ["Pell Harbour"]);
    assert.deepEqual(await owned("Does Tarnholm Mills own Pell Harbour?"), []);
  });

  test("what a person has stated comes first in the summary of a question for it, unless sentences say it", async () => {
    const { owner } = use();
    const elsewhere = { source_doc_id: "harbour", text: "Piet Sund built Pell Harbour in 1950." };
    const params = await projectWith(owner, [...TEXTS, elsewhere]);
    const { entities } = await owner.succeed("listEntities", { params });
    const named = (name: string) => ({ type: entities.find((one) => one.name === name)?.type, name });
    const owns = { source: named("Tarnholm Mills"), type: "OWNS", target: named("Pell Harbour") };
    await correct(owner, params, { kind: "add_relationship", ...owns });
    const first = async (query: string, mode: "static" | "dynamic", filter?: object) => {
      const { results } = await owner.succeed("query", { params, body: { query, mode, filter } });
      assert.ok(results.relationships.every((one) => Object.keys(one).length === 3));
      return results.summary.split("\n")[0];
    };
    for (const mode of ["static", "dynamic"] as const) {
      const line = "Stated by a person: Tarnholm Mills – owns – Pell Harbour.";
      assert.equal(await first("What does Tarnholm Mills own?", mode), line);
      assert.equal(await first("Who owns Pell Harbour?", mode), line);
      assert.equal(await first("Does Tarnholm Mills own Pell Harbour?", mode), line);
      const filter = { source_doc_id: "mill" };
      for (const other of [
        await first("Where is Tarnholm Mills headquartered?", mode),
        await first("What does Tarnholm Mills own?", mode, filter),
      ])
        assert.doesNotMatch(other ?? "", /Stated/);
    }
    const body = { query: "What does Tarnholm Mills own?" };
    const { stated } = await owner.succeed("query", { params, body });
    const told = { source: "Tarnholm Mills", type: "OWNS", target: "Pell Harbour" };
    assert.deepEqual(stated, [{ ...told, valid_from: null, valid_to: null }]);
    // What begins later is told where that time, or any, is asked of.
    await correct(owner, params, { kind: "reject", ...owns });
    await correct(owner, params, { kind: "add_relationship", ...owns, valid_from: "2090" });
    const later = "Stated by a person: Tarnholm Mills – owns – Pell Harbour (from 2090).";
    assert.doesNotMatch((await first("What does Tarnholm Mills own?", "static")) ?? "", /Stated/);
    assert.equal(await first("What does Tarnholm Mills own in 2095?", "static"), later);
    assert.equal(await first("When does Tarnholm Mills own Pell Harbour?", "static"), later);
  });

  test("step by step follows the name that a person has stated, not the one that was rejected", async () => {
    const { owner } = use();
    const params = await projectWith(owner, [
      { source_doc_id: "film", text: "The Lantern is a 1954 film directed by Piet Sund." },
      { source_doc_id: "sund", text: "Piet Sund was a director. Piet Sund was born in Orrin." },
      { source_doc_id: "pell", text: "Maud Pell was a painter of ships. Maud Pell was born in Vell." },
    ]);
    const { relationships } = await owner.succeed("listRelationships", { params });
    const wrong = relationships.find(({ type }) => type.startsWith("DIRECTED"));
    assert(wrong, JSON.stringify(relationships));
    const { source, type, target } = wrong;
    const body = { query: "Where was the director of The Lantern born?", mode: "dynamic" as const };
    const ask = async () => (await owner.succeed("query", { params, body })).results.summary;
    assert.match(await ask(), /born in Orrin/);
    const pell = { type: target.type, name: "Maud Pell" };
    await correct(
      owner,
      params,
      { kind: "reject", source, type, target },
      { kind: "add_relationship", source, type, target: pell },
    );
    const told = await ask();
    assert.match(
      told,
      /^Stated by a person: Lantern – directed by – Maud Pell\.\nMaud Pell was born in Vell/,
    );
  });

  test("a question is answered with the corrected graph, confirmed facts first", async () => {
    const { owner } = use();
    const params = await projectWith(owner, TEXTS);
    const { relationships } = await owner.succeed("listRelationships", { params });
    const last = relationships.at(-1);
    assert(last);
    const { source, type, target } = last;
    await correct(owner, params, { kind: "confirm", source, type, target });
    const listed = (await owner.succeed("listRelationships", { params })).relationships[0];
    assert.deepEqual([listed?.type, listed?.confirmed, listed?.confidence], [type, true, 1]);
    const { entities } = await owner.succeed("listEntities", { params, query: { search: "tarnholm" } });
    const mills = { type: entities[0]?.type, name: "Tarnholm Mills" };
    await correct(owner, params, { kind: "rename", entity: mills, name: "Tarnholm Group" });
    const group = { type: mills.type, name: "Tarnholm Group" };
    const [renamed] = (await owner.succeed("listCorrections", { params })).corrections;
    await correct(owner, params, { kind: "add_property", entity: group, property: "motto", value: "Grind." });
    const [added] = (await owner.succeed("listCorrections", { params })).corrections;
    assert.deepEqual(added?.kind === "add_property" && added.entity.also, [
      { type: mills.type, name: "tarnholm mills" },
    ]);
    assert.equal(renamed?.kind, "rename");
    const body = { query: "Where is Tarnholm Mills headquartered?" };
    const { results } = await owner.succeed("query", { params, body });
    assert.match(JSON.stringify(results.entities), /Tarnholm Group/);
  });

  test("what cannot be corrected is refused with the member that is wrong", async () => {
    const { owner } = use();
    const { id: ontology_id } = await owner.succeed("createOntology", {
      body: {
        name: "Mills",
        schema: {
          ontology: {
            hierarchy: [{ level: 0, node_types: { Mill: { properties: ["motto"] }, Town: {} } }],
            edge_types: [{ name: "IN", source_types: ["Mill"], target_types: ["Town"] }],
          },
        },
      },
    });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Mills", ontology_id } });
    const params = { project_id };
    const mill = { type: "Mill", name: "Tarnholm" };
    const town = { type: "Town", name: "Vell" };
    for (const [correction, detail] of [
      [{ kind: "explode" }, /corrections\[0\]/],
      [{ kind: "rename", entity: mill, name: " " }, /corrections\[0\]\.name: is blank/],
      [{ kind: "rename", entity: { ...mill, name: "…" }, name: "x" }, /has no letter and no digit/],
      [{ kind: "rename", entity: mill, name: "a\u0007b" }, /name: has a control character/],
      [{ kind: "retype", entity: mill, type: "Boat" }, /type: got "Boat", expected a node type/],
      [{ kind: "add_property", entity: mill, property: "size", value: "1" }, /property: got "size"/],
      [{ kind: "add_relationship", source: town, type: "IN", target: mill }, /does not allow Town IN Mill/],
      [{ kind: "split", entity: mill, documents: [], into: mill }, /documents: is empty/],
    ] as const) {
      const reply = await owner.endpoint("createCorrections", {
        params,
        body: { corrections: [correction] },
      });
      assert.equal(reply.status, 400, reply.text);
      assert.match(JSON.parse(reply.text).detail, detail);
    }
    const also = Array.from({ length: 64 }, (_, at) => ({ type: "Mill", name: `${at} ${"x".repeat(190)}` }));
    const long = { kind: "rename", entity: { ...mill, also }, name: "Tarn" };
    assertFault(
      await owner.endpoint("createCorrections", { params, body: { corrections: Array(9).fill(long) } }),
      400,
      /^corrections: have names of \d+ characters, expected at most 100000; send fewer at once$/,
    );
    await correct(owner, params, { kind: "add_relationship", source: mill, type: "IN", target: town });
    const verdicts = [
      ["confirm", "Vell"],
      ["reject", "Orrin"],
    ].map(([kind, name]) => ({ kind, source: mill, type: "IN", target: { ...town, name }, sentence: name }));
    await correct(owner, params, ...verdicts, { kind: "retype", entity: town, type: "Mill" });
    assert.deepEqual(await owner.succeed("listCorrectionExamples", { params }), {
      node_types: [{ name: "Mill", examples: ["Vell"] }],
      edge_types: [
        {
          name: "IN",
          examples: [
            { source: "Tarnholm", target: "Vell", text: "Vell" },
            { source: "Tarnholm", target: "Vell" },
          ],
          rejected: [{ source: "Tarnholm", target: "Orrin", text: "Orrin" }],
        },
      ],
    });
    const unknown = { ...params, correction_id: `cor_${"0".repeat(32)}` };
    assertFault(await owner.endpoint("deleteCorrection", { params: unknown }), 404, "Correction not found");
  });

  test("what was confirmed becomes the next version of the ontology, and the project moves to it when that is asked", async () => {
    const { owner } = use();
    const edge = { name: "IN", source_types: ["Mill"], target_types: ["Town"] };
    const schemaOf = (node_types: Record<string, unknown>, edge_types = [edge]) => ({
      ontology: { hierarchy: [{ level: 0, node_types }], edge_types },
    });
    const body = { name: "Mills", schema: schemaOf({ Mill: {}, Town: { examples: ["Vell"] } }) };
    const { id: ontology_id } = await owner.succeed("createOntology", { body });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Mills", ontology_id } });
    const params = { project_id };
    const second = { name: "Mills 2", schema: schemaOf({ Mill: { description: "Grinds" }, Shop: {} }, []) };
    await owner.succeed("replaceOntology", { params: { ontology_id }, body: second });
    const town = { type: "Mill", name: "Vell" };
    await correct(
      ...([owner, params, { kind: "retype", entity: town, type: "Town" }] as const),
      { kind: "retype", entity: { type: "Town", name: "Tarn" }, type: "Mill" },
      {
        kind: "confirm",
        source: { type: "Mill", name: "Tarn" },
        type: "IN",
        target: { ...town, type: "Town" },
      },
    );
    const added = await owner.succeed("addExamplesToOntology", { params });
    const { id, name, version, schema } = added.ontology;
    assert.deepEqual({ id, name, version }, { id: ontology_id, name: "Mills 2", version: 3 });
    assert.deepEqual(schema, schemaOf({ Mill: { description: "Grinds", examples: ["Tarn"] }, Shop: {} }, []));
    assert.deepEqual(added.node_types, [
      { name: "Mill", added: 1, left_out: 0 },
      { name: "Town", added: 0, left_out: 1 },
    ]);
    assert.deepEqual(added.edge_types, [{ name: "IN", added: 0, left_out: 1 }]);
    assert.equal(added.moved, null);
    const boundTo = async () => (await owner.succeed("getProjectConfig", { params })).ontology;
    assert.deepEqual(await boundTo(), { id: ontology_id, version: 1 });
    const { versions } = await owner.succeed("listOntologyVersions", { params: { ontology_id } });
    assert.equal(versions.length, 3);
    const before = await owner.succeed("getOntology", { params: { ontology_id }, query: { version: 2 } });
    assert.deepEqual(before.schema, second.schema);

    const again = await owner.succeed("addExamplesToOntology", { params, body: { bind: true } });
    assert.equal(again.ontology.version, 3, "it has the examples");
    assert.deepEqual(await boundTo(), { id: ontology_id, version: 3 });
    assert.ok(
      again.moved?.ontology_changes?.node_types.some(
        ({ name, change }) => name === "Town" && change === "dropped",
      ),
    );
    assert.equal(again.moved?.reread?.documents_total, 0);
    assertFault(
      await owner.endpoint("addExamplesToOntology", { params, body: { bind: "yes" } }),
      400,
      /^bind: got a string, expected true or false$/,
    );
  });
});
