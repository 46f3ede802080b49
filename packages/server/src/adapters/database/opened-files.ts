/**
 * Whether the files that a connection has open are still those at their paths. SQLite does not notice when they are moved,
 * deleted or replaced: it writes on to what nobody can open again.
 */
import { type BigIntStats, existsSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { StoreUnavailableError } from "../../ports/store.ts";

const faults = {
  database:
    "The database was moved, deleted or replaced while the service runs. Nothing is written until its files are back in the data directory. If they cannot be put back, stop the service, restore a backup, and start it again.",
  log: "The write-ahead log of the database (knowledge.sqlite-wal) was moved, deleted or replaced while the service runs. Nothing is written. Stop the service, which saves what the log contains, and start it again.",
  lock: "The file lock.sqlite was moved, deleted or replaced while the service runs, so another service may use the data directory, too. Nothing is written. Stop every service that uses the directory, then start one.",
} as const;

/** Plain data, for other threads. */
export interface OpenedFile {
  readonly path: string;
  readonly kind: keyof typeof faults;
  readonly device: bigint;
  readonly inode: bigint;
}

/** Of a file that has just been opened. @throws when there is none at the path */
export function identifyFile(path: string, kind: OpenedFile["kind"]): OpenedFile {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, kind, device: dev, inode: ino };
}

/** Of a database that is open. A file system without shared memory has none. */
export function identifyLog(path: string): readonly OpenedFile[] {
  const log = `${path}-wal`;
  return existsSync(log) ? [identifyFile(log, "log")] : [];
}

/** Takes a few microseconds. @throws StoreUnavailableError "misplaced" that names no path, because callers read it */
export function requireInPlace(files: readonly OpenedFile[]): void {
  for (const file of files) {
    if (!isInPlace(file, lookUp(file.path)))
      throw new StoreUnavailableError("misplaced", faults[file.kind], undefined);
  }
}

/** The first of the files that is not in its place. Does not block the thread where the file system does not answer. */
export async function findMisplaced(files: readonly OpenedFile[]): Promise<OpenedFile | null> {
  for (const file of files) {
    const found = await stat(file.path, { bigint: true }).catch(readError);
    if (!isInPlace(file, found)) return file;
  }
  return null;
}

type Found = BigIntStats | "nothing" | "unknown";

function lookUp(path: string): Found {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return readError(error);
  }
}

/** A folder that may not be read any more says nothing of its files. */
function readError(error: unknown): Found {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOENT" || code === "ENOTDIR" ? "nothing" : "unknown";
}

function isInPlace({ device, inode }: OpenedFile, found: Found): boolean {
  if (found === "nothing" || found === "unknown") return found === "unknown";
  return found.dev === device && found.ino === inode;
}
