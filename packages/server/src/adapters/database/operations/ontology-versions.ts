/** Versions of ontologies: the newest is in `ontologies`, the others are in `ontology_versions`. */
import { sql } from "kysely";
import type { OntologyVersion } from "../../../domain/ontology.ts";
import type {
  AddVersionOutcome,
  BindOutcome,
  DeleteOntologyOutcome,
  OntologyVersionStore,
} from "../../../ports/ontology-version-store.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { addTurn, clearDeleted, dropTurn } from "./deleted-projects.ts";
import { hasOntologyVersion, toSummary } from "./ontologies.ts";
import { changeProject, isBoundTo, lockProject } from "./project-row.ts";
import { isBeingMoved } from "./reembeddings.ts";
import { listAdditions, planRenames, writeRenamed } from "./renamed-types.ts";
import { beginReread, hasUnread, isRereading } from "./rereads.ts";

/** Of one ontology. */
const maxVersions = 100;

interface Key {
  readonly accountId: string;
  readonly ontologyId: string;
}

export async function addOntologyVersion(
  db: Database,
  input: Parameters<OntologyVersionStore["addOntologyVersion"]>[0],
): Promise<AddVersionOutcome> {
  const { accountId, ontologyId, name, schemaJson, allowedFacts, now, maxStoredBytes } = input;
  const account = await lockAccount(db, accountId);
  const row = await db
    .selectFrom("ontologies")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("ontology_id", "=", ontologyId)
    .executeTakeFirst();
  if (row === undefined) return { kind: "not_found" };
  if (input.follows !== undefined && row.version !== input.follows) return { kind: "changed" };
  const made = (version: number) => ({ ...toSummary({ ...row, name }), schemaJson, version });
  if (row.name === name && row.schema_json === schemaJson)
    return { kind: "unchanged", ontology: made(row.version) };
  if (row.version >= maxVersions) return { kind: "too_many_versions" };
  const bytes = Buffer.byteLength(schemaJson);
  if (maxStoredBytes !== null && account.stored_bytes + bytes > maxStoredBytes)
    return { kind: "too_many_bytes" };
  const version = row.version + 1;
  await db
    .insertInto("ontology_versions")
    .values({
      account_id: accountId,
      ontology_id: ontologyId,
      version: row.version,
      name: row.name,
      created_at: row.changed_at ?? row.created_at,
      schema_json: row.schema_json,
      allowed_facts: row.allowed_facts,
      allowed_properties: row.allowed_properties,
      properties_version: row.properties_version,
    })
    .execute();
  await db
    .updateTable("ontologies")
    .set({ name, schema_json: schemaJson, version, changed_at: now })
    .set({ allowed_facts: allowedFacts.facts, allowed_properties: allowedFacts.properties })
    .set({ properties_version: version })
    .where("account_id", "=", accountId)
    .where("ontology_id", "=", ontologyId)
    .execute();
  await changeAccount(db, accountId, { storedBytes: bytes });
  return { kind: "added", ontology: made(version) };
}

export async function listOntologyVersions(
  db: Database,
  { accountId, ontologyId }: Key,
): Promise<readonly OntologyVersion[]> {
  const { rows } = await sql<{ version: number; name: string; created_at: number; projects: number }>`
    select n.version, n.name, n.created_at, (select count(*) from projects as p
      where p.account_id = ${accountId} and p.ontology_id = ${ontologyId}
        and p.ontology_version = n.version) as projects
    from (
      select version, name, coalesce(changed_at, created_at) as created_at from ontologies
      where account_id = ${accountId} and ontology_id = ${ontologyId}
      union all
      select v.version, v.name, v.created_at from ontology_versions as v
      join ontologies as o on o.account_id = v.account_id and o.ontology_id = v.ontology_id
      where v.account_id = ${accountId} and v.ontology_id = ${ontologyId}) as n
    order by n.version desc limit ${sql.lit(maxVersions)}`.execute(db);
  return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }));
}

/** It is gone for all who read it with its own row. What is left of its versions is removed as that of deleted projects is. */
export async function deleteOntology(
  db: Database,
  { accountId, ontologyId }: Key,
): Promise<DeleteOntologyOutcome> {
  await addTurn(db, accountId);
  const outcome = await deleteUnbound(db, { accountId, ontologyId });
  if (outcome.kind === "deleted") await clearDeleted(db, { id: ontologyId, accountId });
  else await dropTurn(db, accountId);
  return outcome;
}

async function deleteUnbound(db: Database, { accountId, ontologyId }: Key): Promise<DeleteOntologyOutcome> {
  await lockAccount(db, accountId);
  const { projects } = await db
    .selectFrom("projects")
    .select((eb) => eb.fn.countAll<number>().as("projects"))
    .where("account_id", "=", accountId)
    .where("ontology_id", "=", ontologyId)
    .executeTakeFirstOrThrow();
  if (projects > 0) return { kind: "bound", projects };
  const { rows } = await sql<{ bytes: number }>`delete from ontologies
    where account_id = ${accountId} and ontology_id = ${ontologyId}
    returning octet_length(schema_json) as bytes`.execute(db);
  const [row] = rows;
  if (row === undefined) return { kind: "not_found" };
  await changeAccount(db, accountId, { ontologies: -1, storedBytes: -row.bytes });
  await db.insertInto("deleted_projects").values({ project_id: ontologyId, account_id: accountId }).execute();
  return { kind: "deleted" };
}

export async function bindOntology(
  db: Database,
  input: Parameters<OntologyVersionStore["bindOntology"]>[0],
): Promise<BindOutcome> {
  const { projectId, accountId, ontologyId, version } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== accountId) return { kind: "project_gone" };
  if (await isBeingMoved(db, projectId)) return { kind: "moving" };
  if (await isRereading(db, projectId)) return { kind: "rereading" };
  if (await hasBegunJobs(db, projectId)) return { kind: "working" };
  if (!(await isBoundTo(db, projectId, input.follows))) return { kind: "bound_otherwise" };
  await lockAccount(db, accountId);
  if (!(await hasOntologyVersion(db, { accountId, ontologyId, version }))) return { kind: "ontology_gone" };
  const { names, maxCorrectionBytes: maxBytes } = input;
  const renamed = input.isSame ? [] : await planRenames(db, projectId, { names, maxBytes });
  if (renamed === null) return { kind: "corrections_too_long" };
  const isRead = input.isSame && !(await hasUnread(db, projectId));
  const outcome = isRead ? { kind: "bound" as const } : await beginReread(db, project, input);
  if (outcome.kind !== "bound" && outcome.kind !== "accepted") return outcome;
  await db
    .updateTable("projects")
    .set({ ontology_id: ontologyId, ontology_version: version })
    .set((eb) => ({ moves: eb("moves", "+", input.isSame ? 0 : 1) }))
    .where("project_id", "=", projectId)
    .execute();
  await writeRenamed(db, project, renamed);
  if (!input.isSame) await listAdditions(db, projectId);
  await changeProject(db, projectId, { index: true });
  return outcome;
}

/** Jobs that have read some of their text, or are about to: the rest of it would be read under another ontology. */
async function hasBegunJobs(db: Database, projectId: string): Promise<boolean> {
  const begun = await db
    .selectFrom("jobs")
    .select("seq")
    .where("project_id", "=", projectId)
    .where("queue_state", "<>", "done")
    .where((eb) => eb.or([eb("status", "=", "running"), eb("chunks_processed", ">", 0)]))
    .limit(1)
    .executeTakeFirst();
  return begun !== undefined;
}
