import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseStartError } from "./start-error.ts";

const MODE = 0o700;

/**
 * Makes a data directory and the folders above it, each for the service's user alone; harmless when it is there.
 *
 * @throws DatabaseStartError naming the folder when it cannot be made.
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

/** Not `recursive: true`: that never returns on a file system that says of a new folder that it is not there, as /proc does. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: MODE });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== "ENOENT" || above === path || existsSync(above)) throw error;
    makeFolder(above);
    mkdirSync(path, { mode: MODE });
  }
}
