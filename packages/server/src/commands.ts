/** The commands that do one thing to the database and end. */
import { existsSync } from "node:fs";
import { createAccountTables } from "./adapters/auth/auth.ts";
import { databaseFile } from "./adapters/database/data-directory.ts";
import { openStore } from "./adapters/database/open-store.ts";
import { isOutdatedSchema } from "./adapters/database/postgres-errors.ts";
import type { Config } from "./config.ts";
import { findDifferences, isRunning, type ListedProcess } from "./domain/service-process.ts";
import { openFoundation } from "./foundation.ts";
import type { Log } from "./ports/log.ts";
import { hasSecret } from "./secrets.ts";

/** Brings the database up to date and returns. It stays empty if it was, so that an import can fill it. */
export async function migrateDatabase({ databaseUrl, dataDir }: Place, log: Log): Promise<void> {
  const opened = await openStore({ databaseUrl, dataDir, wasUsed: hasSecret(dataDir) });
  await createAccountTables({ database: opened.authDatabase(), log }).finally(() => opened.store.close());
}

type Place = Pick<Config, "databaseUrl" | "dataDir">;

/** A new one-time link to set the owner's e-mail address and password. Creates no embedded database. */
export async function makeResetLink(config: Config, log: Log): Promise<string> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null && !existsSync(databaseFile(dataDir)))
    throw new Error(`There is no database in ${dataDir} (KCS_DATA_DIR).`);
  const { opened, auth, setUp } = await openFoundation(config, log);
  const link = await setUp.resetLink({ email: null });
  await auth.authenticator.close();
  await opened.store.close();
  if (link === null) throw new Error("There is no account to make a link for.");
  return link;
}

/** The processes of the database, a line each, and in what those that run differ. Changes nothing. */
export async function describeProcesses({ databaseUrl, dataDir }: Place): Promise<string> {
  if (databaseUrl === null)
    throw new Error("Only processes on PostgreSQL are listed (DATABASE_URL); the embedded database has one.");
  const { store } = await openStore({ databaseUrl, dataDir, migrate: false });
  const listed = await store
    .listProcesses()
    .catch((error: unknown) => {
      throw isOutdatedSchema(error) ? new Error(OUTDATED, { cause: error }) : error;
    })
    .finally(() => store.close());
  const now = store.now();
  const running = listed.filter((process) => isRunning(process, now));
  const differences = findDifferences(running);
  return [
    `${running.length} running, ${listed.length - running.length} ended within an hour`,
    ...listed.map((process) => lineOf(process, now)),
    ...(differences.length === 0 ? [] : [`Those that run differ in: ${differences.join(", ")}`]),
  ].join("\n");
}

const OUTDATED =
  "The database has no list of processes that this version can read: no process of this version has used it yet. Start one, or run kcs-server migrate, while no older process runs.";

function lineOf(process: ListedProcess, now: number): string {
  const { processId, version, roles, place, spaces, readsWithModel, seenAt, isStopped } = process;
  const silent = isStopped ? "stopped" : "silent";
  return [
    processId,
    isRunning(process, now) ? "running" : silent,
    `seen ${Math.max(0, Math.round((now - seenAt) / 1000))} s ago`,
    `version ${version}`,
    roles.join("+"),
    `embeds ${spaces.map(({ model, dimensions }) => `${model} (${dimensions})`).join(", ")}`,
    readsWithModel ? "reads with a model" : "reads without a model",
    ...(process.maxTextBytes === null ? [] : [`texts of up to ${process.maxTextBytes} bytes`]),
    `secret ${process.secretMark}`,
    place,
  ].join(" | ");
}
