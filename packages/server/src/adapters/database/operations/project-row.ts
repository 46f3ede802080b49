import { sql } from "kysely";
import { type EmbeddingSpace, spaceOf } from "../../../domain/embedding-space.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import type { Database } from "../schema.ts";

/**
 * The order in which every operation takes row locks, so that none waits in a circle:
 * project, then its jobs by `seq`, then the account's row, then its token meter.
 */
export interface LockedProject {
  readonly projectId: string;
  readonly accountId: string;
  readonly nextVersionId: number;
  readonly nextSegmentId: number;
  /** Of all its vectors. */
  readonly space: EmbeddingSpace;
  /** The number of those. */
  readonly vectorSet: number;
}

/** Locks a project's row until the transaction ends; null when the project does not exist (any more). */
export async function lockProject(db: Database, projectId: string): Promise<LockedProject | null> {
  const row = await projectRow(db, projectId).forUpdate().executeTakeFirst();
  return row === undefined ? null : toLocked(row);
}

/** Like `lockProject`, but null as well when another transaction holds the row. */
export async function tryLockProject(db: Database, projectId: string): Promise<LockedProject | null> {
  const row = await projectRow(db, projectId).forUpdate().skipLocked().executeTakeFirst();
  return row === undefined ? null : toLocked(row);
}

/** Changes of the numbers that a project's row carries; the caller holds its lock. */
export interface ProjectChange {
  readonly versions?: number;
  readonly segmentsMade?: number;
  readonly segmentCount?: number;
  /** True when what a query may see has changed. */
  readonly index: boolean;
  /** True when the project was merged, and now stands behind the others that need it. */
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

/** Above every project's turn so far. Two that take it at once stand side by side. */
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
    space: spaceOf(JSON.parse(row.config) as ProjectConfig), // Written by `createProject` and `switchSpace` alone.
    vectorSet: row.vector_set,
  };
}
