import { setTimeout as wait } from "node:timers/promises";
import { getMigrations } from "better-auth/db/migration";
import type { Log } from "../../ports/log.ts";
import type { libraryOptions } from "./library.ts";

const maxAttempts = 20;
const pauseMs = 100;

/**
 * Creates the library's missing tables and columns. Two processes may do this at once: if one fails because
 * the other has created a table, it computes the remaining changes again.
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
