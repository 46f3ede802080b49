/** Copies of the data that a release left behind, and direct access to their databases. */
import { readFileSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import type { Databases } from "../support/postgres.ts";
import { type DatabaseName, type Home, sqlite } from "../support/service.ts";
import type { Recorded } from "./scene.ts";

const pathOf = (release: string, file: string) =>
  fileURLToPath(new URL(`./${release}/${file}`, import.meta.url));

/** What the release answered. */
export function readRecorded(release: string, database: DatabaseName): Recorded {
  return JSON.parse(readFileSync(pathOf(release, "answers.json"), "utf8"))[database];
}

/** A home with a copy of the release's data, before any migration. */
export async function copyData(release: string, database: DatabaseName, postgres: Databases): Promise<Home> {
  const home = { ...(await sqlite.createHome()), ownerKey: readRecorded(release, database).ownerKey };
  if (database === "sqlite") {
    const bytes = gunzipSync(readFileSync(pathOf(release, "sqlite/knowledge.sqlite.gz")));
    writeFileSync(join(home.dataDir, "knowledge.sqlite"), bytes);
    await copyFile(pathOf(release, "sqlite/secret"), join(home.dataDir, "secret"));
    return home;
  }
  const databaseUrl = await postgres.createEmpty();
  await queryRows(
    { ...home, databaseUrl },
    gunzipSync(readFileSync(pathOf(release, "postgres.sql.gz"))).toString(),
  );
  return { ...home, databaseUrl };
}

/** Runs SQL that both databases understand, without parameters; the rows of its last statement. */
export async function queryRows(
  home: Home,
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (home.databaseUrl === "") {
    const database = new DatabaseSync(join(home.dataDir, "knowledge.sqlite"), { timeout: 5_000 });
    try {
      return database.prepare(statement).all();
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: home.databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** The number in the first column of a statement's only row. */
export async function queryNumber(home: Home, statement: string): Promise<number> {
  const [row = {}] = await queryRows(home, statement);
  return Number(Object.values(row)[0]);
}
