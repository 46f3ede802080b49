/** Filled data, and copies of them, so that a measurement can be repeated. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createApi } from "../../evals/client.ts";
import { startService } from "../../evals/service.ts";
import { createProject } from "../first-answer.ts";
import { type FillRequest, type FillResult, fillProjects } from "./fill.ts";
import { type Database, dataDirOf, environmentOf, openPlace } from "./subject.ts";

export interface Wanted extends Pick<FillRequest, "folder" | "real" | "projects" | "chunks"> {
  /** Of the folders. */
  readonly name: string;
  readonly database: Database;
  /** Of the real documents. */
  readonly sha256: string;
}

export interface Prepared {
  readonly folder: string;
  readonly key: string;
  readonly filled: FillResult;
  /** Filled on SQLite, and moved by `kcs-server export` and `import`. */
  readonly moved: boolean;
}

interface Kept extends Omit<Prepared, "folder" | "moved"> {
  readonly wanted: string;
}

export interface Folders {
  /** For data that are measured. */
  readonly work: string;
  /** Copies are kept there, and the vectors of real chunks. */
  readonly keep: string | null;
  /** Copies are taken from there. */
  readonly data: string | null;
}

const RECORD = "million.json";
const SERVER = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));

/** Nothing runs on the data afterwards. */
export async function prepare(wanted: Wanted, { work, keep, data }: Folders): Promise<Prepared> {
  const folder = join(work, wanted.name);
  if (data !== null) {
    const [own, sqlite] = [join(data, wanted.name), join(data, "sqlite")];
    if (wanted.database === "postgres" && !existsSync(own)) return move(wanted, { kept: sqlite, folder });
    return reuse(wanted, { kept: own, folder });
  }
  const vectorFolder = keep ?? work;
  await mkdir(vectorFolder, { recursive: true });
  const { key, filled } = await fill(wanted, { folder, vectorFolder });
  const record: Kept = { key, filled, wanted: describe(wanted) };
  await writeFile(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  if (keep !== null) await copy(folder, join(keep, wanted.name));
  return { folder, key, filled, moved: false };
}

async function reuse(wanted: Wanted, { kept, folder }: { kept: string; folder: string }): Promise<Prepared> {
  const { key, filled } = await readRecord(wanted, kept);
  await copy(kept, folder);
  return { folder, key, filled, moved: false };
}

async function readRecord(wanted: Wanted, kept: string): Promise<Kept> {
  const record = JSON.parse(await readFile(join(kept, RECORD), "utf8")) as Kept; // Written above.
  if (record.wanted === describe(wanted)) return record;
  throw new Error(`${kept} was filled otherwise: give the same FOLDER, --chunks and --real.`);
}

/** Moves data that were filled on SQLite. */
async function move(wanted: Wanted, { kept, folder }: { kept: string; folder: string }): Promise<Prepared> {
  const { key, filled } = await readRecord({ ...wanted, name: "sqlite", database: "sqlite" }, kept);
  const file = join(folder, "moved.kcs");
  const place = await openPlace("postgres", folder);
  try {
    await runServer("export", file, { KCS_DATA_DIR: dataDirOf({ folder: kept }) });
    await runServer("import", file, { ...environmentOf(place), KCS_DATA_DIR: dataDirOf(place) });
  } finally {
    await place.postgres?.stop();
  }
  await rm(file);
  return { folder, key, filled, moved: true };
}

async function runServer(
  command: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await promisify(execFile)(process.execPath, [SERVER, command, file], { env: { ...process.env, ...env } });
}

function describe({ name, database, real, projects, chunks, sha256 }: Wanted): string {
  return JSON.stringify({ name, database, real, projects, chunks, sha256 });
}

/** With owners, because PostgreSQL runs as another user. */
async function copy(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await promisify(execFile)("cp", ["-a", "--reflink=auto", `${from}/.`, to]);
}

async function fill(
  { database, name, sha256: _, ...wanted }: Wanted,
  { folder, vectorFolder }: { readonly folder: string; readonly vectorFolder: string },
): Promise<Omit<Prepared, "folder" | "moved">> {
  const place = await openPlace(database, folder);
  try {
    const dataDir = dataDirOf(place);
    const key = `kcs_${randomBytes(24).toString("hex")}`;
    const service = await startService({ dataDir, key, env: environmentOf(place) });
    const projectId = await createProject(createApi(service.baseUrl, key), name).finally(() =>
      service.kill("SIGTERM"),
    );
    const databaseUrl = place.postgres?.url ?? null;
    const filled = await fillProjects({ ...wanted, databaseUrl, dataDir, vectorFolder, projectId });
    return { key, filled };
  } finally {
    await place.postgres?.stop();
  }
}
