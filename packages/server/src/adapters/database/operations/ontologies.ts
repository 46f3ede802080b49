import type { BoundOntology, Ontology, OntologySummary } from "../../../domain/ontology.ts";
import type { CreateOntologyOutcome, NewOntology } from "../../../ports/content-store.ts";
import type { ListedOntology, ListStep } from "../../../ports/store.ts";
import type { Database, OntologyRow } from "../schema.ts";
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
    })
    .execute();
  await changeAccount(db, ontology.accountId, { seqs: 1, ontologies: 1, storedBytes: bytes });
  return "created";
}

export async function findOntology(
  db: Database,
  input: { accountId: string; ontologyId: string },
): Promise<Ontology | null> {
  const row = await db
    .selectFrom("ontologies")
    .selectAll()
    .where("account_id", "=", input.accountId)
    .where("ontology_id", "=", input.ontologyId)
    .executeTakeFirst();
  return row === undefined ? null : { ...toSummary(row), schemaJson: row.schema_json };
}

/** Reads only ontologies of the project's account. */
export async function readOntologyOf(
  db: Database,
  { projectId }: { projectId: string },
): Promise<BoundOntology | null> {
  const row = await db
    .selectFrom("projects as p")
    .innerJoin("ontologies as o", (join) =>
      join.onRef("o.account_id", "=", "p.account_id").onRef("o.ontology_id", "=", "p.ontology_id"),
    )
    .select(["o.ontology_id", "o.schema_json"])
    .where("p.project_id", "=", projectId)
    .executeTakeFirst();
  return row === undefined ? null : { ontologyId: row.ontology_id, schemaJson: row.schema_json };
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

function toSummary(
  row: Pick<OntologyRow, "account_id" | "ontology_id" | "name" | "created_at">,
): OntologySummary {
  return {
    ontologyId: row.ontology_id,
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
  };
}
