import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDataDirectory } from "./data-directory.ts";
import { identifyFile, type OpenedFile } from "./opened-files.ts";
import { isDamage } from "./sqlite-errors.ts";
import { DatabaseStartError } from "./start-error.ts";

/**
 * Locks a data directory for this process. Creates it with mode 0700 if it does not exist. The lock is an
 * exclusive SQLite transaction on a separate file, which the operating system releases when the process ends,
 * even after a crash.
 *
 * @throws DatabaseStartError that names the folder when another process holds the lock or the folder is not
 * writable.
 */
export function lockDataDirectory(dataDir: string): { readonly file: OpenedFile; release(): void } {
  const path = join(dataDir, "lock.sqlite");
  try {
    makeDataDirectory(dataDir);
    restrictToUser(dataDir);
    createPrivateFile(path);
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseStartError(
      `The data directory ${dataDir} cannot be used (${reason}). Give the service's user write access to it, or choose another directory.`,
      error,
    );
  }
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = memory");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (isDamage(error)) {
      throw new DatabaseStartError(
        `${path} is damaged. It contains only the lock: stop every service that uses the directory, then delete it.`,
        error,
      );
    }
    throw new DatabaseStartError(
      `The data directory ${dataDir} is in use by another process. Stop that process, or choose another directory for this one.`,
      error,
    );
  }
  return { file: identifyFile(path, "lock"), release: () => lock.close() };
}

/**
 * An existing directory may be readable by everybody. The mode of a directory of another user, or on a file
 * system without modes, stays unchanged.
 */
function restrictToUser(dataDir: string): void {
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // Creating the lock file shows whether the directory can be used.
  }
}

/**
 * Creates a file that only the service's user can access. SQLite gives its WAL and journal files the same
 * mode.
 *
 * @throws DatabaseStartError when a folder is at the path
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EISDIR")) throw error;
    throw new DatabaseStartError(`${path} is a folder, but must be a file. Move the folder away.`, error);
  }
}
