import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseStartError } from "./start-error.ts";

const MODE = 0o700;

/** The file of the embedded database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, "knowledge.sqlite");
}

/**
 * Creates a data directory and its parent folders, each accessible only to the service's user. Idempotent.
 *
 * @throws DatabaseStartError that names the folder when it cannot be created.
 */
export function makeDataDirectory(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(
      `KCS_DATA_DIR: ${dataDir} cannot be used as a folder (${reason}). Choose one that the service's user may write to.`,
      error,
    );
  }
}

/**
 * Does not use `recursive: true`, which loops forever on a file system that reports a new folder as missing,
 * as /proc does.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || existsSync(parent)) throw error;
    makeFolder(parent);
    mkdirSync(path, { mode: MODE });
  }
}
