/**
 * The graph and the stored rows follow the visible versions in steps of bounded work. The transaction that shows or removes a
 * version lists it in `version_changes` and takes the first step, which is the only one for short documents. Whoever made the
 * change takes the others, each in a transaction of its own; upkeep takes those that are left after a crash.
 */
import { type SqlBool, sql } from "kysely";
import { type ChunkKey, formatChunkId } from "../../../domain/document.ts";
import type { Database, DocumentVersionRow, VersionChangeRow } from "../schema.ts";
import { padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import {
  correctNew,
  correctOutdated,
  countCorrections,
  fitStep,
  forgetCorrected,
} from "./correction-steps.ts";
import { finishJobs } from "./finish-jobs.ts";
import type { Created } from "./graph-created.ts";
import { evidenceTables, type FactsOfChunk, type FactsRow, readFactRows, toFacts } from "./graph-evidence.ts";
import { changeGraph } from "./graph-ledger.ts";
import { passageTables, showPassages } from "./graph-passages.ts";
import { insertAll, type Row } from "./graph-sql.ts";
import { isUnfinished } from "./job-rows.ts";
import { findLeft, inTurns } from "./left-changes.ts";
import { followLessons } from "./lessons.ts";
import { type LockedProject, lockProject, tryLockProject } from "./project-row.ts";

/** Limits of one step: tens of milliseconds of the writer. */
const maxChunks = 256;
const maxFactCharacters = 64 * 1024;
/** How many projects upkeep tries until it finds one that no other transaction has locked. */
const maxCandidates = 5;

/** A live version of which the graph lacks facts. It has those of the first `inGraph` chunks. */
export interface ShownVersion {
  readonly versionId: number;
  readonly inGraph: number;
  readonly chunkCount: number;
}

/** A version whose row in `document_versions` has just been deleted. */
export type RemovedVersion = Pick<DocumentVersionRow, "version_id" | "state" | "chunk_count">;

/** The caller takes a step (`applyChanges`) after it. */
export async function listChanges(
  db: Database,
  projectId: string,
  {
    shown,
    removed,
  }: { readonly shown: readonly ShownVersion[]; readonly removed: readonly RemovedVersion[] },
): Promise<void> {
  const rows = [
    ...shown.map((version) => ["add", version.versionId, version.chunkCount, version.inGraph] as const),
    ...removed.map(({ version_id: versionId, state, chunk_count: count }) => {
      return ["remove", versionId, count, state === "live" ? count : 0] as const;
    }),
  ];
  await insertAll(db, {
    table: "version_changes",
    columns: {
      project_id: "text",
      kind: "text",
      version_id: "bigint",
      chunk_count: "bigint",
      in_graph: "bigint",
    },
    rows: rows.map((row): Row => [projectId, ...row]),
    // A version that is listed already keeps its `in_graph`, which tells what the graph has.
    end: sql`on conflict (project_id, version_id) do update set kind = excluded.kind, chunk_count = excluded.chunk_count`,
  });
}

/** One step of a project's changes. True when more may be left. */
export async function applyVersionChanges(
  db: Database,
  { projectId, now }: { projectId: string; now: number },
): Promise<boolean> {
  const project = await lockProject(db, projectId);
  return project !== null && (await applyChanges(db, project, now));
}

/**
 * One step for one project: of the account with the least left, so that it need not wait for one with much; the first `passedOver` of
 * them are left alone. True when more may be left.
 */
export async function applyAnyChanges(
  db: Database,
  { now, passedOver = 0 }: { readonly now: number; readonly passedOver?: number },
): Promise<boolean> {
  const projects = await inTurns(db, await findLeft(db, now), now);
  for (const projectId of projects.slice(passedOver, passedOver + maxCandidates)) {
    const project = await tryLockProject(db, projectId);
    if (project === null) continue;
    await applyChanges(db, project, now);
    return true;
  }
  return false;
}

/**
 * One step for a locked project: adds come before removals, so that a name that both have stays the same entity. After the last
 * step it ends the jobs whose version is complete. True when more is left.
 */
export async function applyChanges(db: Database, project: LockedProject, now: number): Promise<boolean> {
  const { projectId } = project;
  const rows = await db
    .selectFrom("version_changes")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("kind")
    .orderBy("version_id")
    .limit(maxChunks + 1)
    .execute();
  const isLast =
    (rows.length === 0 || (await applyStep(db, projectId, rows))) &&
    !(await correctOutdated(db, projectId)) &&
    !(await followLessons(db, projectId));
  if (isLast) await endCompleted(db, project, now);
  return !isLast;
}

/** True when nothing is left. */
async function applyStep(
  db: Database,
  projectId: string,
  rows: readonly VersionChangeRow[],
): Promise<boolean> {
  const corrections = await countCorrections(db, projectId);
  const keys = firstKeys(rows, fitStep(maxChunks, corrections));
  const facts = await readFactRows(db, projectId, keys);
  const taken = Map.groupBy(fittingKeys(keys, facts), ({ versionId }) => versionId);
  const steps = rows.map((row) => ({ row, keys: taken.get(row.version_id) ?? [] }));
  const [added, removed] = [stepsOf("add", steps), stepsOf("remove", steps)];
  const shown = factsOf(added, facts);
  const created = await changeGraph(db, {
    projectId,
    added: corrections > 0 ? await correctNew(db, projectId, shown) : shown,
    removed: factsOf(removed, facts),
  });
  await countInJobs(db, projectId, created);
  await showPassages(
    db,
    projectId,
    added.flatMap((step) => step.keys),
  );
  await removeChunks(
    db,
    projectId,
    removed.flatMap((step) => step.keys),
  );
  const ended = steps.filter((step) => step.keys.length === sizeOf(step.row));
  await endChanges(db, projectId, ended);
  for (const step of steps) if (step.keys.length > 0 && !ended.includes(step)) await recordStep(db, step);
  return ended.length === rows.length && rows.length <= maxChunks;
}

interface Step {
  readonly row: VersionChangeRow;
  readonly keys: readonly ChunkKey[];
}

const stepsOf = (kind: VersionChangeRow["kind"], steps: readonly Step[]) =>
  steps.filter(({ row }) => row.kind === kind);

/** Chunks that are left to be added or removed. */
function sizeOf({ kind, chunk_count: count, in_graph: inGraph }: VersionChangeRow): number {
  return kind === "add" ? count - inGraph : count;
}

/** The chunks of the changes in order, up to `most`: added ones from the first on, removed ones from the last on. */
function firstKeys(rows: readonly VersionChangeRow[], most: number): readonly ChunkKey[] {
  const keys: ChunkKey[] = [];
  for (const row of rows) {
    const size = Math.min(sizeOf(row), most - keys.length);
    for (let at = 0; at < size; at++) {
      const position = row.kind === "add" ? row.in_graph + at : row.chunk_count - 1 - at;
      keys.push({ versionId: row.version_id, position });
    }
  }
  return keys;
}

/** The first keys whose facts are within `maxFactCharacters`; at least one. */
function fittingKeys(keys: readonly ChunkKey[], facts: ReadonlyMap<string, FactsRow>): readonly ChunkKey[] {
  let characters = 0;
  const end = keys.findIndex((key, at) => {
    characters += facts.get(formatChunkId(key))?.facts.length ?? 0;
    return at > 0 && characters > maxFactCharacters;
  });
  return end === -1 ? keys : keys.slice(0, end);
}

/** The facts of the chunks that are to enter the graph, or that it has. */
function factsOf(steps: readonly Step[], facts: ReadonlyMap<string, FactsRow>): readonly FactsOfChunk[] {
  return steps
    .flatMap(({ row, keys }) =>
      row.kind === "add" ? keys : keys.filter((key) => key.position < row.in_graph),
    )
    .flatMap((key) => facts.get(formatChunkId(key)) ?? [])
    .map(toFacts);
}

async function countInJobs(
  db: Database,
  projectId: string,
  created: ReadonlyMap<number, Created>,
): Promise<void> {
  for (const [versionId, { nodes, edges }] of created) {
    await db
      .updateTable("jobs")
      .set((eb) => ({
        nodes_created: eb("nodes_created", "+", nodes),
        edges_created: eb("edges_created", "+", edges),
      }))
      .where("project_id", "=", projectId)
      .where("version_id", "=", versionId)
      .where(isUnfinished)
      .execute();
  }
}

async function removeChunks(db: Database, projectId: string, keys: readonly ChunkKey[]): Promise<void> {
  if (keys.length === 0) return;
  await forgetCorrected(db, projectId, keys);
  for (const table of [...passageTables, ...evidenceTables, "outdated_facts", "chunks"] as const) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where(matchesKey(table, padded(keys)))
      .execute();
  }
}

async function endChanges(db: Database, projectId: string, steps: readonly Step[]): Promise<void> {
  const ended = steps.map(({ row }) => row.version_id);
  const removed = stepsOf("remove", steps).map(({ row }) => row.version_id);
  for (const [table, ids] of [
    ["version_changes", ended],
    ["version_texts", removed],
  ] as const) {
    if (ids.length === 0) continue;
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("version_id", "in", padded(ids))
      .execute();
  }
}

async function recordStep(db: Database, { row, keys }: Step): Promise<void> {
  const size = keys.length;
  await db
    .updateTable("version_changes")
    .set(row.kind === "add" ? { in_graph: row.in_graph + size } : { chunk_count: row.chunk_count - size })
    .where("project_id", "=", row.project_id)
    .where("version_id", "=", row.version_id)
    .execute();
}

/** Ends the jobs that have nothing left to do: their version is complete, and the graph and rows have followed. */
async function endCompleted(db: Database, project: LockedProject, now: number): Promise<void> {
  const rows = await db
    .selectFrom("jobs as j")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .select(["j.seq", "j.source_doc_id", "v.chunk_count"])
    .where("j.project_id", "=", project.projectId)
    .where(sql<SqlBool>`j.status = 'running'`)
    .where("v.state", "=", "live")
    .where("v.complete", "=", 1)
    .orderBy("j.seq")
    .forUpdate("j")
    .execute();
  const jobs = rows.map((row) => ({
    seq: row.seq,
    sourceDocId: row.source_doc_id,
    chunksProcessed: row.chunk_count,
  }));
  await finishJobs(db, project, { jobs, now, errorMessage: null });
}
