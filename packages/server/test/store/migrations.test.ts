/** What a migration does with rows that are there before it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { ontologyBytes } from "../../src/adapters/database/migrations/013-ontology-bytes.ts";
import { fillConfidence } from "../../src/adapters/database/migrations/019-relationship-confidence.ts";
import { relationshipTimes } from "../../src/adapters/database/migrations/024-relationship-times.ts";
import { fillAllowedFacts } from "../../src/adapters/database/migrations/031-allowed-facts.ts";
import { allowedProperties } from "../../src/adapters/database/migrations/038-allowed-properties.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import { NO_FACTS, writeAllowedFacts } from "../../src/domain/ontology/allowed-facts.ts";
import { writeAllowedProperties } from "../../src/domain/ontology/allowed-properties.ts";
import { parseOntology } from "../../src/domain/ontology-schema.ts";
import { undoGraphKeys } from "../support/before-graph-keys.ts";
import { usePostgres } from "../support/postgres.ts";
import { add } from "./behaviours/correction-histories.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { applyChanges } from "./behaviours/graph-histories.ts";
import { createScenario, ingest, month, rowBytes } from "./scenario.ts";

const postgres = usePostgres();

function schemaOf(type: string): string {
  return JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { [type]: { properties: ["height"] } } }],
      edge_types: [{ name: "KNOWS", source_types: [type], target_types: [type] }],
    },
  });
}

for (const kind of ["sqlite", "postgres"] as const) {
  test(`the stored bytes of an account include the ontologies that it has already, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-migrations-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    const create = (accountId: string, ontologyId: string) =>
      store.createOntology({
        ontology: { ontologyId, accountId, name: "One", createdAt: 1, schemaJson: '"é"', version: 1 }, // Four bytes.
        allowedFacts: NO_FACTS,
        maxPerAccount: 10,
        maxStoredBytes: null,
      });
    for (const ontologyId of ["one", "two"]) await create("two ontologies", ontologyId);
    await create("one ontology", "three");
    const { db } = authDatabase();
    await sql`update account_state set stored_bytes = 5`.execute(db);
    await sql`insert into account_state select 'none', next_seq, project_count, 0, pending_jobs, 5, served_at, 0, '', 0, 0
      from account_state where account_id = 'one ontology'`.execute(db);
    for (const statement of ontologyBytes.statements()) await statement.execute(db);

    const bytes = async (accountId: string) => (await store.readAccountUse({ accountId, month })).storedBytes;
    assert.deepEqual(
      [await bytes("two ontologies"), await bytes("one ontology"), await bytes("none")],
      [13, 9, 5],
    );
  });

  test(`a document that was accepted before documents counted gives back what it has counted since, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-migrations-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    const scenario = createScenario(store, "before");
    const project = await scenario.project();
    const { projectId, accountId } = project;
    const bytes = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
    await ingest(scenario, project, [
      ["a", "one"],
      ["b", "two"],
    ]);
    const { db } = authDatabase();
    await sql`update documents set byte_length = 0`.execute(db);
    await sql`update account_state set stored_bytes = 6`.execute(db);
    await ingest(scenario, project, [["a", "four"]]);
    assert.equal(await bytes(), 7 + rowBytes("a"));
    for (const sourceDocId of ["a", "b"])
      await store.deleteDocument({ projectId, sourceDocId, now: 9_000, errorMessage: "deleted" });
    assert.equal(await bytes(), 0);
  });

  test(`all versions of ontologies that are there have the facts that they allow, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-migrations-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    for (const accountId of ["one", "two"]) {
      const ontology = { ontologyId: "o", accountId, name: "O", createdAt: 1, version: 1 };
      await store.createOntology({
        ontology: { ...ontology, schemaJson: schemaOf(`${accountId}1`) },
        ...{ allowedFacts: NO_FACTS, maxPerAccount: 10, maxStoredBytes: null },
      });
      for (const version of [2, 3])
        await store.addOntologyVersion({
          ...{ accountId, ontologyId: "o", name: "O", schemaJson: schemaOf(`${accountId}${version}`) },
          ...{ allowedFacts: NO_FACTS, now: 1, maxStoredBytes: null },
        });
    }
    const { db } = authDatabase();
    await fillAllowedFacts(db as Database); // The same database, typed with its tables.
    await allowedProperties.fill?.(db as Database);
    const { rows } = await sql<{ schema_json: string; facts: string; properties: string }>`
      select schema_json, allowed_facts as facts, allowed_properties as properties from ontologies
      union all select schema_json, allowed_facts, allowed_properties from ontology_versions`.execute(db);
    assert.equal(rows.length, 6);
    for (const { schema_json, ...written } of rows) {
      assert.deepEqual(written, writeAllowedFacts(parseOntology(schema_json)));
      assert.ok(written.properties.includes("height"));
    }
  });

  test(`what was added before properties were asked for leaves the graph where the ontology lacks it, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-migrations-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    const scenario = createScenario(store, "added");
    const properties = writeAllowedProperties(parseOntology(schemaOf("Person")));
    const allowedFacts = { ...NO_FACTS, properties };
    const project = await scenario.project({ ontologyId: "types", allowedFacts });
    const { projectId } = project;
    await ingest(scenario, project, [["a", "Ada"]], { graphOf });
    const entity = { type: "Person", name: "Ada", also: [] };
    const { correctionId } = await add(scenario, project, {
      ...{ kind: "add_property", entity, property: "height", value: "3" },
    });
    const chunksOf = async () => {
      await applyChanges(store, projectId, 99);
      const page = { limit: 1, offset: 0 };
      const search = { kind: null, withoutEvidence: false, newestFirst: false };
      const { corrections } = await store.listCorrections({ projectId, ...search, page });
      return corrections.map((each) => [each.correctionId, each.chunks]);
    };
    assert.deepEqual(await chunksOf(), [[correctionId, 1]]);
    // The text of the ontology, `{}`, has no types.
    const { db } = authDatabase();
    await allowedProperties.fill?.(db as Database); // The same database, typed with its tables.
    assert.deepEqual(await chunksOf(), [[correctionId, 0]]);
    // A process of the release before writes texts without their properties, or beside those of an earlier version.
    for (const version of [null, 1]) {
      await sql`update ontologies set schema_json = ${schemaOf("Person")}, version = 2,
        allowed_properties = '', properties_version = ${version}`.execute(db);
      await sql`insert into outdated_facts (project_id, version_id, position)
        select project_id, 0, seq from corrections`.execute(db);
      assert.deepEqual(await chunksOf(), [[correctionId, 1]]);
    }
  });

  test(`the confidence of each statement of a relationship is taken from the facts of its chunk, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-migrations-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    const scenario = createScenario(store, "confidence");
    const words = [
      "Ada>knows>Bob",
      "City:Ada>knows>Bob;Bob>knows>Ada;Ada>knows>Bob",
      'x;Ada>likes>"Bob\\;Poets<Ada',
      ...Array.from({ length: 250 }, (_, at) => `${"x;".repeat(at % 9)}Ada>knows>N${at % 90}`),
    ];
    const projects = [await scenario.project(), await scenario.project()];
    for (const project of projects) await ingest(scenario, project, [["a", words.join(" ")]], { graphOf });
    const { db } = authDatabase();
    await undoGraphKeys(
      db as Database,
      projects.map(({ projectId }) => projectId),
    );
    const read = async () => {
      const { rows } = await sql<{ confidence: number }>`select confidence from relationship_places
        order by source_node, target_node, type, version_id, position`.execute(db);
      return rows.map((row) => Number(row.confidence));
    };
    const written = await read();
    assert.ok(written.length === 2 * 256 && !written.includes(0), String(written));
    await sql`update relationship_places set confidence = 0`.execute(db);
    await fillConfidence(db as Database); // The same database, typed with its tables.
    assert.deepEqual(await read(), written);
    // The facts state no times.
    await sql`update relationship_places set valid_from = '1990', valid_to = '1995'`.execute(db);
    await relationshipTimes.fill?.(db as Database);
    const { rows } = await sql`select 1 from relationship_places
      where valid_from is not null or valid_to is not null`.execute(db);
    assert.deepEqual(rows, []);
  });
}
