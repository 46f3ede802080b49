/** Databases for tests on the PostgreSQL server of the run, or on one of this process where a file is run by itself. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { closeAtEnd } from "../../../../scripts/test/lane-end.ts";
import { type PostgresServer, startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";

export interface Databases {
  /** A database with nothing in it. */
  createEmpty(): Promise<string>;
  /** A database with the schema of today, copied from a template. */
  create(): Promise<string>;
}

const TEMPLATE = "kcs_template";
/** Any number: whoever holds this advisory lock makes the template. */
const TEMPLATE_LOCK = 20_001;

let ownServer: Promise<PostgresServer> | null = null;

/** Call it at the top of a test file. The databases go when the server does. */
export function usePostgres(): Databases {
  const create = async (source: "template0" | typeof TEMPLATE) => {
    const url = await serverUrl();
    if (source === TEMPLATE) await makeTemplate(url);
    const name = `test_${randomBytes(6).toString("hex")}`;
    await query(url, `create database ${name} template ${source}`);
    return databaseUrl(url, name);
  };
  return { createEmpty: () => create("template0"), create: () => create(TEMPLATE) };
}

/** A server that could not be started fails every later call at once, with the same words. */
async function serverUrl(): Promise<string> {
  const given = process.env["KCS_TEST_POSTGRES"];
  if (given !== undefined) return given;
  if (ownServer === null) {
    ownServer = startPostgres();
    closeAtEnd(async () => (await ownServer)?.stop());
  }
  return (await ownServer).url;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Once a server, whichever process comes first. */
async function makeTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [TEMPLATE]);
    if (rowCount !== 0) return;
    // Under another name until it is complete: whoever is killed in between leaves no half-made template.
    const making = `template_${randomBytes(6).toString("hex")}`;
    await client.query(`create database ${making} template template0`);
    const { store } = await openStore({ databaseUrl: databaseUrl(server, making), dataDir: "" });
    await store.close();
    await client.query(`alter database ${making} rename to ${TEMPLATE}`);
  } finally {
    await client.end(); // Gives the lock back, too.
  }
}
