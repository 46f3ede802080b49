import { sql } from "kysely";
import { type EmbeddingSpace, spaceOf } from "../../../domain/embedding-space.ts";
import type { Project, ProjectConfig } from "../../../domain/project.ts";
import type { Database } from "../schema.ts";

/**
 * A project's row, locked. To avoid deadlocks, every operation locks rows in this order: project, its jobs by
 * `seq`, the turn of its deleted projects and ontologies, the account's row, the account's token meter.
 */
export interface LockedProject {
  readonly projectId: string;
  readonly accountId: string;
  readonly nextVersionId: number;
  readonly nextSegmentId: number;
  /** The embedding space of all its vectors. */
  readonly space: EmbeddingSpace;
  /** The number of the current set of vectors. */
  readonly vectorSet: number;
}

/** Locks a project's row until the transaction ends; null when the project does not exist. */
export async function lockProject(db: Database, projectId: string): Promise<LockedProject | null> {
  const row = await projectRow(db, projectId).forUpdate().executeTakeFirst();
  return row === undefined ? null : toLocked(row);
}

/** Like `lockProject`, but also null when another transaction holds the row. */
export async function tryLockProject(db: Database, projectId: string): Promise<LockedProject | null> {
  const row = await projectRow(db, projectId).forUpdate().skipLocked().executeTakeFirst();
  return row === undefined ? null : toLocked(row);
}

/** Changes of the counters in a project's row. The caller holds its lock. */
export interface ProjectChange {
  readonly versions?: number;
  readonly segmentsMade?: number;
  readonly segmentCount?: number;
  /** True when the data visible to queries has changed. */
  readonly index: boolean;
  /** True when the project was merged: other projects that need a merge then come first. */
  readonly merged?: boolean;
}

export async function changeProject(db: Database, projectId: string, change: ProjectChange): Promise<void> {
  await db
    .updateTable("projects")
    .set((eb) => ({
      next_version_id: eb("next_version_id", "+", change.versions ?? 0),
      next_segment_id: eb("next_segment_id", "+", change.segmentsMade ?? 0),
      segment_count: eb("segment_count", "+", change.segmentCount ?? 0),
      index_version: eb("index_version", "+", change.index ? 1 : 0),
      merge_turn: change.merged === true ? nextMergeTurn : eb.ref("merge_turn"),
    }))
    .where("project_id", "=", projectId)
    .execute();
}

/** Whether the project has this binding; undefined: any. The caller holds its lock. */
export async function isBoundTo(
  db: Database,
  projectId: string,
  binding: Pick<Project, "ontologyId" | "ontologyVersion"> | undefined,
): Promise<boolean> {
  if (binding === undefined) return true;
  const present = await db
    .selectFrom("projects")
    .select(["ontology_id", "ontology_version"])
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return present.ontology_id === binding.ontologyId && present.ontology_version === binding.ontologyVersion;
}

/** One more than the highest turn of any project. Concurrent transactions may get the same turn. */
export const nextMergeTurn = sql<number>`(select coalesce(max(merge_turn), 0) + 1 from projects)`;

function projectRow(db: Database, projectId: string) {
  return db
    .selectFrom("projects")
    .select(["project_id", "account_id", "next_version_id", "next_segment_id", "config", "vector_set"])
    .where("project_id", "=", projectId);
}

function toLocked(row: {
  project_id: string;
  account_id: string;
  next_version_id: number;
  next_segment_id: number;
  config: string;
  vector_set: number;
}): LockedProject {
  return {
    projectId: row.project_id,
    accountId: row.account_id,
    nextVersionId: row.next_version_id,
    nextSegmentId: row.next_segment_id,
    // Only `createProject` and `switchSpace` write it.
    space: spaceOf(JSON.parse(row.config) as ProjectConfig),
    vectorSet: row.vector_set,
  };
}
