/**
 * Removes the rows of deleted projects, and of deleted ontologies, in steps of bounded work. Nothing reads them: the own row of their
 * project or ontology is gone.
 */
import { sql } from "kysely";
import type { Database, Schema } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded, partsOf } from "./bulk.ts";
import { clearContents } from "./file-contents.ts";

/** Limits of one step: rows, bytes of large values, and entities whose places are removed. */
const maxRows = 1_000;
const maxBytes = 4 << 20;
const maxNodes = 256;
const maxListed = 512;
/** 32 MiB at most, while others wait for SQLite's writer. */
const maxOntologyVersions = 8;

type Keys = Readonly<Partial<Record<keyof Schema, readonly string[]>>>;

const chunk = ["version_id", "position"] as const;
const edgePlace = ["source_node", "target_node", "type", "version_id", "position"] as const;

/** The primary keys of tables with a column `project_id`, without it. */
const projectTables: Keys = {
  entity_joins: ["node_a", "node_b", "origin"],
  entity_places: ["node_id", "version_id", "position"],
  entity_properties: ["node_id", "property", "value"],
  property_places: ["node_id", "property", "value", "version_id", "position"],
  relationship_places: edgePlace,
  proposal_places: edgePlace,
  entities: ["node_id"],
  model_replies: ["account_id", "key"],
  passage_subjects: [...chunk, "kind", "name"],
  passage_graphs: chunk,
  chunk_facts: chunk,
  corrected_chunks: [...chunk, "seq"],
  outdated_facts: chunk,
  judged_facts: [...chunk, "seq"],
  lessons: ["type"],
  taught_chunks: [...chunk, "type"],
  correction_names: ["name_key", "type", "role", "seq"],
  unfit_facts: [...chunk, "kind", "source_type", "name", "target_type"],
  entity_types: ["type"],
  relationship_types: ["type", "source_type", "target_type"],
  chunks: chunk,
  version_changes: ["version_id"],
  version_files: ["version_id"],
  segment_documents: ["segment_id", "version_id"],
  moved_vectors: ["vector_set", "content_hash"],
};

/** Tables with values of megabytes in the column `bytes`. */
const largeTables = {
  version_texts: "version_id",
  segment_blobs: "segment_id",
} as const;

/** Tables with bytes of the account in the column `byte_length`, and the second column of their primary key. */
const countedTables = {
  feedback: "answer_hash",
  corrections: "seq",
  documents: "source_doc_id",
  document_versions: "version_id",
} as const;

interface Deleted {
  /** Of a project or of an ontology. */
  readonly id: string;
  readonly accountId: string;
}

/** One more than the highest turn. Concurrent transactions may get the same. */
const nextTurn = sql<number>`(select coalesce(max(turn), 0) + 1 from removal_turns)`;

/**
 * Gives the account a turn, after those that have one. Waits while upkeep takes a step for the account, which may remove its turn:
 * an insert that did nothing would leave the project without one.
 */
export async function addTurn(db: Database, accountId: string): Promise<void> {
  await sql`insert into removal_turns (account_id, turn)
    select cast(${accountId} as text), coalesce(max(turn), 0) + 1 from removal_turns where true
    on conflict (account_id) do update set turn = removal_turns.turn`.execute(db);
}

/**
 * One step for a deleted project of the account whose turn it is, of those that no other transaction works on. True when more may
 * be left.
 */
export async function clearDeletedProjects(db: Database): Promise<boolean> {
  const next = await db
    .selectFrom("removal_turns")
    .select("account_id")
    .orderBy("turn")
    .orderBy("account_id")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (next === undefined) return false;
  const accountId = next.account_id;
  const { project_id: id } = await db
    .selectFrom("deleted_projects")
    .select("project_id")
    .where("account_id", "=", accountId)
    .orderBy("project_id")
    .limit(1)
    .executeTakeFirstOrThrow();
  await clearDeleted(db, { id, accountId });
  await db.updateTable("removal_turns").set({ turn: nextTurn }).where("account_id", "=", accountId).execute();
  return true;
}

/**
 * One step for a project, if it is deleted and no other transaction works for its account; returns that account, null without a step. For a claim
 * that finds its jobs.
 */
export async function clearDeletedProject(db: Database, projectId: string): Promise<string | null> {
  const deleted = db.selectFrom("deleted_projects").select("account_id").where("project_id", "=", projectId);
  const found = await deleted.executeTakeFirst();
  if (found === undefined) return null;
  const turn = await db
    .selectFrom("removal_turns")
    .select("account_id")
    .where("account_id", "=", found.account_id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  // Another step may have been the last one.
  if (turn === undefined || (await deleted.executeTakeFirst()) === undefined) return null;
  await clearDeleted(db, { id: projectId, accountId: found.account_id });
  return found.account_id;
}

/**
 * One step. The last one deletes the row in `deleted_projects`, and the turn of an account that has no other. The transaction
 * holds the turn already.
 */
export async function clearDeleted(db: Database, { id: projectId, accountId }: Deleted): Promise<void> {
  const project = { projectId, accountId };
  let left = await removeJobs(db, project);
  for (const [table, keys] of Object.entries(projectTables)) {
    if (left > 0) left -= await removeRows(db, projectId, { table, keys, limit: left });
  }
  for (const [table, id] of Object.entries(largeTables)) {
    if (left > 0) left -= await removeLarge(db, projectId, { table, id });
  }
  for (const [table, key] of Object.entries(countedTables)) {
    if (left > 0) left -= await removeCounted(db, project, { table, key, limit: left });
  }
  if (left <= 0 || !(await removeOntologyVersions(db, { id: projectId, accountId }))) return;
  if (!(await clearContents(db, project, left))) return;
  await db.deleteFrom("deleted_projects").where("project_id", "=", projectId).execute();
  await dropTurn(db, accountId);
}

/** The turn of an account that has nothing to remove. */
export async function dropTurn(db: Database, accountId: string): Promise<void> {
  await sql`delete from removal_turns where account_id = ${accountId}
    and not exists (select 1 from deleted_projects where account_id = ${accountId})`.execute(db);
}

/** Earlier versions of an ontology. Returns whether they are all removed. */
async function removeOntologyVersions(db: Database, { id, accountId }: Deleted): Promise<boolean> {
  const own = sql`account_id = ${accountId} and ontology_id = ${id}`;
  const { rows } = await sql<{ bytes: number }>`delete from ontology_versions where ${own} and version in (
      select version from ontology_versions where ${own} order by version limit ${sql.lit(maxOntologyVersions)})
    returning octet_length(schema_json) as bytes`.execute(db);
  await changeAccount(db, accountId, { storedBytes: -rows.reduce((sum, row) => sum + row.bytes, 0) });
  return rows.length < maxOntologyVersions;
}

/** First of all, because claims find those that wait. Returns how many rows the step may still remove. */
async function removeJobs(
  db: Database,
  { projectId, accountId }: { readonly projectId: string; readonly accountId: string },
): Promise<number> {
  const { rows } = await sql<{ queue_state: string }>`
    delete from jobs where project_id = ${projectId} and seq in (
      select seq from jobs where project_id = ${projectId} limit ${sql.lit(maxRows)})
    returning queue_state`.execute(db);
  const unfinished = rows.filter(({ queue_state }) => queue_state !== "done").length;
  if (unfinished > 0) await changeAccount(db, accountId, { pendingJobs: -unfinished });
  return maxRows - rows.length;
}

/** Returns the number of removed rows. */
async function removeRows(
  db: Database,
  projectId: string,
  input: { table: string; keys: readonly string[]; limit: number },
): Promise<number> {
  const [table, keys] = [sql.table(input.table), sql.join(input.keys.map((key) => sql.ref(key)))];
  const { numAffectedRows } =
    await sql`delete from ${table} where project_id = ${projectId} and (${keys}) in (
    select ${keys} from ${table} where project_id = ${projectId} limit ${input.limit})`.execute(db);
  return Number(numAffectedRows);
}

/** Removes rows of up to `maxBytes` in all, and at least one. Returns their number, or `maxRows` when more are left. */
async function removeLarge(
  db: Database,
  projectId: string,
  { table, id }: { readonly table: string; readonly id: string },
): Promise<number> {
  const [from, key] = [sql.table(table), sql.ref(id)];
  const { rows } = await sql<{ id: number; size: number }>`
    select ${key} as id, octet_length(bytes) as size from ${from}
    where project_id = ${projectId} order by ${key} limit ${sql.lit(maxNodes)}`.execute(db);
  if (rows.length === 0) return 0;
  const fitting = rows.slice(0, countFitting(rows.map(({ size }) => size)));
  const list = sql.join(padded(fitting.map((row) => row.id)));
  await sql`delete from ${from} where project_id = ${projectId} and ${key} in (${list})`.execute(db);
  return fitting.length < rows.length || rows.length === maxNodes ? maxRows : rows.length;
}

/** The account has the bytes of removed rows to use again. Returns their number, or `maxRows` when more are left. */
async function removeCounted(
  db: Database,
  { projectId, accountId }: { readonly projectId: string; readonly accountId: string },
  { table, key, limit }: { readonly table: string; readonly key: string; readonly limit: number },
): Promise<number> {
  const [from, keys] = [sql.table(table), sql.ref(key)];
  const { rows } = await sql<{ key: string | number; byte_length: number }>`
    select ${keys} as key, byte_length from ${from} where project_id = ${projectId} limit ${limit}`.execute(
    db,
  );
  if (rows.length === 0) return 0;
  const fitting = rows.slice(0, countFitting(rows.map((row) => row.byte_length)));
  for (const part of partsOf(fitting, maxListed)) {
    const list = sql.join(padded(part.map((row) => row.key)));
    await sql`delete from ${from} where project_id = ${projectId} and ${keys} in (${list})`.execute(db);
  }
  const bytes = fitting.reduce((sum, row) => sum + row.byte_length, 0);
  await changeAccount(db, accountId, { storedBytes: -bytes });
  return fitting.length < rows.length ? maxRows : rows.length;
}

/** How many of the first have `maxBytes` together; one at least. */
function countFitting(sizes: readonly number[]): number {
  let bytes = 0;
  const beyond = sizes.findIndex((size, at) => {
    bytes += size;
    return at > 0 && bytes > maxBytes;
  });
  return beyond < 0 ? sizes.length : beyond;
}
