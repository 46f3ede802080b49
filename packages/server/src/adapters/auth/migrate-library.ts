import { setTimeout as wait } from "node:timers/promises";
import { getMigrations } from "better-auth/db/migration";
import type { Log } from "../../ports/log.ts";
import type { libraryOptions } from "./library.ts";

const maxAttempts = 20;
const pauseMs = 100;

/**
 * Creates the library's tables and columns that are not there yet. Two processes may do so at once: whoever
 * finds a table made meanwhile looks again at what is left.
 */
export async function migrateLibrary(options: ReturnType<typeof libraryOptions>, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const plan = await getMigrations(options);
    if (plan.toBeCreated.length + plan.toBeAdded.length + plan.toBeAddedIndexes.length === 0) return;
    try {
      await plan.runMigrations();
      return;
    } catch (error) {
      if (attempt >= maxAttempts) throw error;
      log.debug("auth_migration_again", { attempt, error });
      await wait(pauseMs);
    }
  }
}
