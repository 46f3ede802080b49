/** Reads the state of an index directly from the embedded database. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

export interface IndexView {
  readonly segments: number;
  /** Total number of chunks in the segments, and their size. */
  readonly chunks: number;
  readonly bytes: number;
  /** Including segments that merges have replaced. */
  readonly segmentsEver: number;
}

const POLL_MS = 200;
/** The service checks for merges every five seconds. After two checks without a merge they have ended. */
const QUIET_MS = 12_000;
const LIMIT_MS = 20 * 60_000;

export function readIndex(dataDir: string, projectId: string): IndexView {
  return withDatabase(dataDir, (db) => {
    const row = db
      .prepare(
        `select count(*) as segments, coalesce(sum(chunk_count), 0) as chunks, coalesce(sum(byte_length), 0) as bytes,
           (select next_segment_id from projects where project_id = ?1) as next_segment
         from segments where project_id = ?1`,
      )
      .get(projectId);
    return {
      segments: Number(row?.["segments"]),
      chunks: Number(row?.["chunks"]),
      bytes: Number(row?.["bytes"]),
      segmentsEver: Number(row?.["next_segment"]) - 1,
    };
  });
}

/** Waits until no segment of any project has changed for `QUIET_MS`. Resolves to the seconds until the last change. */
export async function waitForMerges(dataDir: string): Promise<number> {
  const began = performance.now();
  let last = segmentIds(dataDir);
  let changedAt = began;
  while (performance.now() - changedAt < QUIET_MS) {
    if (performance.now() - began > LIMIT_MS) throw new Error("The merges did not end in time.");
    await sleep(POLL_MS);
    const now = segmentIds(dataDir);
    if (now === last) continue;
    last = now;
    changedAt = performance.now();
  }
  return (changedAt - began) / 1000;
}

function segmentIds(dataDir: string): string {
  return withDatabase(dataDir, (db) =>
    JSON.stringify(db.prepare("select project_id, segment_id from segments order by 1, 2").all()),
  );
}

function withDatabase<T>(dataDir: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, "knowledge.sqlite"), { readOnly: true, timeout: 10_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
