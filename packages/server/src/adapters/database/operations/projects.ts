import { sql } from "kysely";
import type { Project, ProjectConfig, ProjectMode } from "../../../domain/project.ts";
import type { CreateProjectOutcome } from "../../../ports/content-store.ts";
import type { ListedProject, ListStep } from "../../../ports/store.ts";
import type { Database, ProjectRow } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { addTurn, clearDeleted } from "./deleted-projects.ts";
import { isUnfinished } from "./job-rows.ts";
import { hasOntologyVersion } from "./ontologies.ts";
import { writeEvents } from "./outbox.ts";
import { lockProject } from "./project-row.ts";
import { disownObjects } from "./segment-objects.ts";
import { keepUsageOfDeleted } from "./usage.ts";

const maxListed = 500;

export async function createProject(
  db: Database,
  input: { project: Project; maxPerAccount: number },
): Promise<CreateProjectOutcome> {
  const { project } = input;
  const account = await lockAccount(db, project.accountId);
  if (account.project_count >= input.maxPerAccount) return "too_many";
  const { accountId, ontologyId, ontologyVersion: version } = project;
  // It may have been deleted since it was read.
  if (ontologyId !== null && !(await hasOntologyVersion(db, { accountId, ontologyId, version })))
    return "ontology_gone";
  await db
    .insertInto("projects")
    .values({
      project_id: project.projectId,
      account_id: project.accountId,
      account_seq: account.next_seq,
      name: project.name,
      mode: project.mode,
      created_at: project.createdAt,
      ontology_id: ontologyId,
      ontology_version: version,
      config: JSON.stringify(project.config),
      next_version_id: 1,
      next_segment_id: 1,
      next_node_id: 1,
      index_version: 0,
      segment_count: 0,
      merge_checked_version: -1,
      merge_turn: 0,
      ended_jobs: 0,
      batch_seq: 0,
      vector_set: 0,
      moves: 0,
    })
    .execute();
  await changeAccount(db, project.accountId, { seqs: 1, projects: 1 });
  return "created";
}

export async function findProject(db: Database, input: { projectId: string }): Promise<Project | null> {
  const row = await db
    .selectFrom("projects")
    .selectAll()
    .where("project_id", "=", input.projectId)
    .executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

export async function listProjects(
  db: Database,
  { accountId, ...step }: { accountId: string } & ListStep,
): Promise<readonly ListedProject[]> {
  const rows = await db
    .selectFrom("projects as p")
    .leftJoin("ontologies as o", (join) =>
      join.onRef("o.account_id", "=", "p.account_id").onRef("o.ontology_id", "=", "p.ontology_id"),
    )
    .selectAll("p")
    .select("o.name as ontology_name")
    .where("p.account_id", "=", accountId)
    .where("p.account_seq", "<", step.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("p.account_seq", "desc")
    .limit(Math.min(step.limit, maxListed))
    .offset(step.offset)
    .execute();
  return rows.map((row) => ({
    project: toProject(row),
    ontologyName: row.ontology_name,
    place: row.account_seq,
  }));
}

export async function renameProject(
  db: Database,
  { projectId, name }: { projectId: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("projects")
    .set({ name })
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** One row of a project each, or few. */
const tablesOfUpkeep = ["segments", "reembeddings", "rereads", "projects"] as const;

/**
 * From this transaction on nothing finds the project: everything is read through its row, except for the running jobs and the segments, which
 * are removed here, too. The other rows are removed in steps, jobs first: one step here, the rest by upkeep and by the claims that find them.
 */
export async function deleteProject(
  db: Database,
  input: { projectId: string; now?: number },
): Promise<boolean> {
  const { projectId } = input;
  const project = await lockProject(db, projectId);
  if (project === null) return false;
  const { name } = await db
    .selectFrom("projects")
    .select("name")
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  // The workers of these notice at once. Those that wait go in steps.
  const { numDeletedRows: running } = await db
    .deleteFrom("jobs")
    .where("project_id", "=", projectId)
    .where("status", "=", "running")
    .where(isUnfinished)
    .executeTakeFirstOrThrow();
  await disownObjects(db, sql`project_id = ${projectId}`);
  for (const table of tablesOfUpkeep) {
    await db.deleteFrom(table).where("project_id", "=", projectId).execute();
  }
  const { accountId } = project;
  await addTurn(db, accountId);
  await db.insertInto("deleted_projects").values({ project_id: projectId, account_id: accountId }).execute();
  await changeAccount(db, accountId, { projects: -1, pendingJobs: -Number(running) });
  await clearDeleted(db, { id: projectId, accountId });
  const at = input.now ?? Date.now();
  await writeEvents(db, accountId, [{ type: "project.deleted", at, projectId, name }]);
  await keepUsageOfDeleted(db, project);
  return true;
}

function toProject(row: ProjectRow): Project {
  return {
    projectId: row.project_id,
    accountId: row.account_id,
    name: row.name,
    mode: row.mode as ProjectMode, // Only `createProject` writes this column, from a Project.
    createdAt: row.created_at,
    ontologyId: row.ontology_id,
    ontologyVersion: row.ontology_version,
    config: JSON.parse(row.config) as ProjectConfig, // Only `createProject` and `switchSpace` write it.
  };
}
