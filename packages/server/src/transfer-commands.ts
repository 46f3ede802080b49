/** The commands that move everything between databases: `export` writes a file, `import` reads it. "-" is the standard stream. */
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { createAccountTables } from "./adapters/auth/auth.ts";
import { exportDatabase, type Moved } from "./adapters/database/transfer/export-database.ts";
import { importDatabase } from "./adapters/database/transfer/import-database.ts";
import {
  openSource,
  openTarget,
  type TransferDatabase,
} from "./adapters/database/transfer/transfer-database.ts";
import { TransferError } from "./adapters/database/transfer/transfer-error.ts";
import { readLines } from "./adapters/database/transfer/transfer-file.ts";
import { openObjects } from "./adapters/segments/open-outside.ts";
import { readWhole } from "./adapters/segments/outside-segments.ts";
import type { PatientObjects } from "./adapters/segments/patient-objects.ts";
import type { Config } from "./config.ts";
import { writeWholeFile } from "./partial-file.ts";
import type { Log } from "./ports/log.ts";
import type { SegmentObject } from "./ports/segment-objects.ts";
import { StoreUnavailableError } from "./ports/store.ts";

const STREAM = "-";
const PIECE_LENGTH = 64 * 1024;

type Source = Pick<Config, "databaseUrl" | "dataDir" | "segmentStore">;

/** A file has its name only once it is complete. @throws TransferError when it is there already, or there is no database */
export async function runExport(path: string, config: Source): Promise<string> {
  if (path === STREAM) return said("Exported", await exportInto(process.stdout, config));
  if (existsSync(path)) throw new TransferError(`${path} exists already.`);
  const moved = await writeWholeFile(path, ({ fd }) =>
    exportInto(createWriteStream(path, { fd, autoClose: false }), config),
  );
  return said("Exported", moved);
}

/** @throws TransferError when the file cannot be opened or is damaged, or the database is not empty; DatabaseStartError when a service uses it */
export async function runImport(
  path: string,
  config: Pick<Config, "databaseUrl" | "dataDir">,
  log: Log,
): Promise<string> {
  const file = path === STREAM ? process.stdin : await openFile(path);
  // What opens the database may fail first; then nobody reads the file.
  file.once("error", () => undefined);
  try {
    const moved = await withDatabase(openTarget(config), async (target) => {
      await createAccountTables({ database: { db: target.authDatabase(), type: target.kind }, log });
      return importDatabase(target, readLines(file), Date.now());
    });
    return said("Imported and verified", moved);
  } finally {
    file.destroy();
  }
}

/** Before the database is touched: a name that is mistyped must leave nothing behind. */
async function openFile(path: string): Promise<Readable> {
  const handle = await open(path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TransferError(`${path} cannot be opened (${reason}).`, { cause });
  });
  if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
  await handle.close();
  throw new TransferError(`${path} is a folder.`);
}

async function exportInto(out: Writable, config: Source): Promise<Moved> {
  const { segmentStore } = config;
  const objects = segmentStore === null ? null : await openObjects(segmentStore.place);
  const packer = createZstdCompress();
  const written = pipeline(packer, out);
  written.catch(() => undefined); // Awaited below.
  let piece = "";
  const flush = async () => {
    const hasRoom = packer.write(piece);
    piece = "";
    if (!hasRoom) await Promise.race([once(packer, "drain"), written]);
  };
  const write = async (lines: string) => {
    piece += lines;
    if (piece.length >= PIECE_LENGTH) await flush();
  };
  const moved = await withDatabase(openSource(config), async (source) =>
    exportDatabase(source, write, objects === null ? null : (object) => readUsable(objects, object)),
  ).catch((error: unknown) => {
    packer.destroy();
    throw error;
  });
  packer.end(piece);
  await written;
  return moved;
}

/** null also for one that cannot be read: it can be built again, and one object must not keep all from being exported. */
async function readUsable(objects: PatientObjects, object: SegmentObject): Promise<Uint8Array | null> {
  try {
    return await readWhole(objects, object);
  } catch (error) {
    if (error instanceof StoreUnavailableError && error.reason === "segment_object") return null;
    throw error;
  }
}

async function withDatabase<T>(
  database: TransferDatabase,
  run: (database: TransferDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

function said(what: string, { tables, rows, lost }: Moved): string {
  const rebuilt =
    lost === 0
      ? ""
      : ` ${lost} segments were not in the segment store or could not be read; the service builds them again after an import.`;
  return `${what} ${rows} rows of ${tables} tables.${rebuilt}`;
}
