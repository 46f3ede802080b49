import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDataDirectory } from "./data-directory.ts";
import { isDamage } from "./sqlite-errors.ts";
import { DatabaseStartError } from "./start-error.ts";

/**
 * Takes a data directory for this process alone, making it when it is not there, with mode 0700. The lock is
 * an exclusive SQLite transaction on a file of its own: the system frees it when the process ends, however it ends.
 *
 * @throws DatabaseStartError naming the folder when another process holds it or it cannot be written.
 */
export function lockDataDirectory(dataDir: string): { release(): void } {
  const path = join(dataDir, "lock.sqlite");
  try {
    makeDataDirectory(dataDir);
    closeToOthers(dataDir);
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
      throw new DatabaseStartError(`${path} is damaged. Delete it: it holds nothing but the lock.`, error);
    }
    throw new DatabaseStartError(
      `The data directory ${dataDir} is in use by another process. Stop that process, or choose another directory for this one.`,
      error,
    );
  }
  return { release: () => lock.close() };
}

/** An older directory may be open to all. Another user's, or one on a file system without modes, stays as it is. */
function closeToOthers(dataDir: string): void {
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // Whether the directory can be used shows when the lock is made.
  }
}

/** Makes a file that only the service's user can read; SQLite gives its side files the same mode. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}
