import { sql } from "kysely";
import { writeAllowedProperties } from "../../../domain/ontology/allowed-properties.ts";
import {
  type BoundOntology,
  keyOfVersion,
  type Ontology,
  type OntologySummary,
} from "../../../domain/ontology.ts";
import { parseOntology } from "../../../domain/ontology-schema.ts";
import type { CreateOntologyOutcome, NewOntology } from "../../../ports/content-store.ts";
import type { ListedOntology, ListStep } from "../../../ports/store.ts";
import type { OntologyRow } from "../ontology-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";

const maxListed = 500;

export async function createOntology(db: Database, input: NewOntology): Promise<CreateOntologyOutcome> {
  const { ontology, maxStoredBytes } = input;
  const account = await lockAccount(db, ontology.accountId);
  if (account.ontology_count >= input.maxPerAccount) return "too_many";
  const bytes = Buffer.byteLength(ontology.schemaJson);
  if (maxStoredBytes !== null && account.stored_bytes + bytes > maxStoredBytes) return "too_many_bytes";
  await db
    .insertInto("ontologies")
    .values({
      account_id: ontology.accountId,
      ontology_id: ontology.ontologyId,
      account_seq: account.next_seq,
      name: ontology.name,
      created_at: ontology.createdAt,
      schema_json: ontology.schemaJson,
      allowed_facts: input.allowedFacts.facts,
      allowed_properties: input.allowedFacts.properties,
      properties_version: 1,
    })
    .execute();
  await changeAccount(db, ontology.accountId, { seqs: 1, ontologies: 1, storedBytes: bytes });
  return "created";
}

/** Without a version the newest. */
export async function findOntology(
  db: Database,
  input: { accountId: string; ontologyId: string; version?: number | null },
): Promise<Ontology | null> {
  const { accountId, ontologyId, version = null } = input;
  const row = await db
    .selectFrom("ontologies")
    .select(["account_id", "ontology_id", "name", "created_at", "schema_json", "version"])
    .where("account_id", "=", accountId)
    .where("ontology_id", "=", ontologyId)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (version === null || version === row.version)
    return { ...toSummary(row), schemaJson: row.schema_json, version: row.version };
  const earlier = await db
    .selectFrom("ontology_versions")
    .select(["name", "schema_json"])
    .where("account_id", "=", accountId)
    .where("ontology_id", "=", ontologyId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (earlier === undefined) return null;
  return { ...toSummary({ ...row, name: earlier.name }), schemaJson: earlier.schema_json, version };
}

/** With the account's row locked it stays so. */
export async function hasOntologyVersion(
  db: Database,
  input: { accountId: string; ontologyId: string; version: number },
): Promise<boolean> {
  return (await findOntology(db, input)) !== null;
}

/** Reads only ontologies of the project's account. */
export async function readOntologyOf(
  db: Database,
  { projectId }: { projectId: string },
): Promise<BoundOntology | null> {
  const row = await selectBound(db, projectId)
    .select(["o.ontology_id", "p.ontology_version"])
    .select(({ fn }) => fn.coalesce("v.schema_json", "o.schema_json").as("schema_json"))
    .executeTakeFirst();
  if (row === undefined) return null;
  const ontologyId = keyOfVersion({ ontologyId: row.ontology_id, version: row.ontology_version });
  return { ontologyId, schemaJson: row.schema_json };
}

/** The facts that the project's ontology allows, written by `writeAllowedFacts`; null without an ontology. */
export async function readAllowedFactsOf(db: Database, projectId: string): Promise<string | null> {
  const row = await selectBound(db, projectId)
    .select(({ fn }) => fn.coalesce("v.allowed_facts", "o.allowed_facts").as("allowed_facts"))
    .executeTakeFirst();
  return row?.allowed_facts ?? null;
}

/**
 * The properties that the types of the project's ontology have, written by `writeAllowedProperties`; null without an ontology. Stores them where an
 * older process has written the ontology without them: once for a version. A deadlock with a change of the ontology is retried.
 */
export async function settleAllowedPropertiesOf(db: Database, projectId: string): Promise<string | null> {
  const row = await selectBound(db, projectId)
    .select(({ fn }) => [
      "o.account_id",
      "o.ontology_id",
      fn.coalesce("v.allowed_properties", "o.allowed_properties").as("allowed_properties"),
      fn.coalesce("v.version", "o.version").as("version"),
      // Not of `o` where there is a `v`, which an older process has written without it.
      sql<
        number | null
      >`case when v.version is null then o.properties_version else v.properties_version end`.as(
        "properties_version",
      ),
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.properties_version === row.version) return row.allowed_properties;
  const ontology = await readOntologyOf(db, { projectId });
  if (ontology === null) return null;
  // Once: it takes long for a large ontology.
  const allowed = writeAllowedProperties(parseOntology(ontology.schemaJson));
  for (const table of ["ontologies", "ontology_versions"] as const)
    await db
      .updateTable(table)
      .set({ allowed_properties: allowed, properties_version: row.version })
      .where("account_id", "=", row.account_id)
      .where("ontology_id", "=", row.ontology_id)
      .where("version", "=", row.version)
      .execute();
  return allowed;
}

/** The newest version as `o`, the one that the project is bound to as `v` where that is another. */
function selectBound(db: Database, projectId: string) {
  return db
    .selectFrom("projects as p")
    .innerJoin("ontologies as o", (join) =>
      join.onRef("o.account_id", "=", "p.account_id").onRef("o.ontology_id", "=", "p.ontology_id"),
    )
    .leftJoin("ontology_versions as v", (join) =>
      join
        .onRef("v.account_id", "=", "o.account_id")
        .onRef("v.ontology_id", "=", "o.ontology_id")
        .onRef("v.version", "=", "p.ontology_version"),
    )
    .where("p.project_id", "=", projectId);
}

export async function listOntologies(
  db: Database,
  { accountId, ...step }: { accountId: string } & ListStep,
): Promise<readonly ListedOntology[]> {
  const rows = await db
    .selectFrom("ontologies")
    .select(["account_id", "ontology_id", "name", "created_at", "account_seq"])
    .where("account_id", "=", accountId)
    .where("account_seq", "<", step.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("account_seq", "desc")
    .limit(Math.min(step.limit, maxListed))
    .offset(step.offset)
    .execute();
  return rows.map((row) => ({ ...toSummary(row), place: row.account_seq }));
}

export function toSummary(
  row: Pick<OntologyRow, "account_id" | "ontology_id" | "name" | "created_at">,
): OntologySummary {
  return {
    ontologyId: row.ontology_id,
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
  };
}
