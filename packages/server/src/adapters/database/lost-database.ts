/** A start that finds no database where there was one: an empty one would look like a new service, and hide the loss. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseStartError } from "./start-error.ts";

/** `wasUsed`: the data directory has the secret of a service. @throws DatabaseStartError that says how to go on */
export function refuseLostDatabase(path: string, { wasUsed }: { readonly wasUsed: boolean }): void {
  const size = sizeOf(path);
  // SQLite would delete the log of an empty database.
  const hasLog = (sizeOf(`${path}-wal`) ?? 0) > 0;
  if ((size ?? 0) > 0 || !(wasUsed || hasLog)) return;
  const state = size === null ? "is missing" : "is empty";
  const rest = wasUsed ? "secret" : "knowledge.sqlite-wal";
  throw new DatabaseStartError(
    `${path} ${state}, but ${dirname(path)} was used by a service before: it contains the file ${rest}. ` +
      "Restore a backup of the database, choose the right directory with KCS_DATA_DIR, or set DATABASE_URL if the data are in PostgreSQL. " +
      `To start with an empty database instead, delete the file ${rest}.`,
  );
}

/** null: there is no such file. */
function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
