/** The objects of segments outside of the database: those of segments, and those that no segment has. */
import { type RawBuilder, sql } from "kysely";
import {
  SEGMENT_STORE_SETTING,
  type SegmentObject,
  type SegmentObjectStore,
  type UnownedObject,
} from "../../../ports/segment-objects.ts";
import { StoreUnavailableError } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { readSetting } from "./accounts.ts";
import { padded } from "./bulk.ts";
import { isUpkeepDueAt } from "./stray-times.ts";

type Input<Name extends keyof SegmentObjectStore> = Parameters<SegmentObjectStore[Name]>[0];

/** Of objects whose segments were removed. */
const notChosen = 0;
/** Rows that get their time in one step. */
const maxChosen = 1_000;

export async function reserveSegment(
  db: Database,
  { projectId, storeId, token, removeAt }: Input<"reserveSegment">,
): Promise<Pick<SegmentObject, "segmentId" | "key"> | null> {
  const row = await db
    .updateTable("projects")
    .set((eb) => ({ next_segment_id: eb("next_segment_id", "+", 1) }))
    .where("project_id", "=", projectId)
    .returning("next_segment_id")
    .executeTakeFirst();
  if (row === undefined) return null;
  if ((await readSetting(db, { name: SEGMENT_STORE_SETTING })) !== storeId) throw otherStore();
  const segmentId = row.next_segment_id - 1;
  const key = `${encodeURIComponent(projectId)}/${segmentId}-${token}`;
  await db
    .insertInto("segment_objects")
    .values({ project_id: projectId, object_key: key, remove_at: removeAt, is_claimed: 0 })
    .execute();
  return { segmentId, key };
}

function otherStore(): StoreUnavailableError {
  return new StoreUnavailableError(
    "segment_store",
    "The segments of this database belong into another store than this process's KCS_SEGMENT_STORE, which was changed while it runs. Start all processes with the same setting.",
    undefined,
  );
}

/** The new segment has its object. @throws StoreUnavailableError when that is being removed: the upload took too long */
export async function ownObject(db: Database, projectId: string, { key }: SegmentObject): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("segment_objects")
    .where("project_id", "=", projectId)
    .where("object_key", "=", key)
    .where("is_claimed", "=", 0)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 1n) return;
  throw new StoreUnavailableError(
    "busy",
    "A part of the search index was written too slowly and is written again.",
    undefined,
  );
}

/** Lists the objects of segments that the transaction is about to remove. */
export async function disownObjects(db: Database, segments: RawBuilder<unknown>): Promise<void> {
  await sql`insert into segment_objects (project_id, object_key, remove_at, is_claimed)
    select project_id, object_key, ${sql.lit(notChosen)}, 0 from segments
    where ${segments} and object_key is not null`.execute(db);
}

export async function findSegmentObject(
  db: Database,
  { projectId, segmentId }: Input<"findSegmentObject">,
): Promise<SegmentObject | null> {
  const row = await db
    .selectFrom("segments")
    .select(["object_key", "object_hash", "byte_length"])
    .where("project_id", "=", projectId)
    .where("segment_id", "=", segmentId)
    .executeTakeFirst();
  if (row === undefined || row.object_key === null || row.object_hash === null) return null;
  return { segmentId, key: row.object_key, byteLength: row.byte_length, hash: row.object_hash };
}

export async function hasSegmentObjects(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from segments where object_key is not null limit 1`.execute(db);
  return rows.length > 0;
}

/** Of segments, at random. */
export async function sampleObjects(db: Database, limit: number): Promise<readonly SegmentObject[]> {
  const rows = await db
    .selectFrom("segments")
    .select(["segment_id", "object_key", "object_hash", "byte_length"])
    .where("object_key", "is not", null)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    segmentId: row.segment_id,
    key: row.object_key ?? "",
    byteLength: row.byte_length,
    hash: row.object_hash ?? "",
  }));
}

export async function nextObjects(db: Database, { now }: Input<"nextObjects">): Promise<boolean> {
  const { rows } =
    await sql`select 1 from segment_objects where ${isUpkeepDueAt(sql.ref("remove_at"), now)} limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

export async function claimObjects(
  db: Database,
  { now, keptMs, again, limit }: Input<"claimObjects">,
): Promise<readonly UnownedObject[]> {
  await sql`update segment_objects set remove_at = ${now + keptMs} where (project_id, object_key) in (
    select project_id, object_key from segment_objects where remove_at = ${sql.lit(notChosen)}
    limit ${sql.lit(maxChosen)})`.execute(db);
  const due = await db
    .selectFrom("segment_objects")
    .select(["project_id", "object_key"])
    .where("remove_at", ">", notChosen)
    .where(isUpkeepDueAt(sql.ref("remove_at"), now))
    .orderBy("remove_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  const objects = due.map((row) => ({ projectId: row.project_id, key: row.object_key }));
  if (objects.length > 0) {
    await db
      .updateTable("segment_objects")
      .set({ remove_at: again, is_claimed: 1 })
      .where(areThese(objects))
      .execute();
  }
  return objects;
}

export async function forgetObjects(db: Database, { objects }: Input<"forgetObjects">): Promise<void> {
  if (objects.length > 0) await db.deleteFrom("segment_objects").where(areThese(objects)).execute();
}

function areThese(objects: readonly UnownedObject[]): RawBuilder<boolean> {
  const keys = padded(objects).map(({ projectId, key }) => sql`(${projectId}, ${key})`);
  return sql<boolean>`(project_id, object_key) in (values ${sql.join(keys)})`;
}
