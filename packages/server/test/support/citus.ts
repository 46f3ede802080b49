/** Databases on a Citus cluster that is there: `CITUS_URL` is the address of its coordinator, with a user who may create databases on all nodes. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { closeAtEnd } from "../../../../scripts/test/lane-end.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";

/** null: none is given. Tests that need one are skipped, and say so. */
export const citusUrl = process.env["CITUS_URL"] ?? null;
export const skip = citusUrl === null ? "needs CITUS_URL, the coordinator of a Citus cluster" : false;

const created: { readonly href: string; readonly name: string }[] = [];
// Before services begin, because what began last is closed first.
closeAtEnd(async () => {
  for (const { href, name } of created.splice(0)) await query(href, `drop database ${name} with (force)`);
});

const SHARDS = 4;
const script = readFileSync(new URL("../../../../deploy/citus.sql", import.meta.url), "utf8");

interface Node {
  readonly nodename: string;
  readonly nodeport: number;
}

/** A database with the schema of today, distributed. It is dropped at the end. */
export async function createCitus(): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const coordinator = new URL(citusUrl ?? "");
  const nodes = await query<Node>(
    coordinator.href,
    "select nodename, nodeport from pg_dist_node where isactive",
  );
  const addresses = [coordinator, ...nodes.map((node) => addressOf(coordinator, node))];
  for (const { href } of new Map(addresses.map((url) => [url.host, url])).values()) {
    await query(href, `create database ${name}`);
    created.push({ href, name });
    await query(databaseAt(href, name), "create extension citus");
  }
  const url = databaseAt(coordinator.href, name);
  for (const { nodename, nodeport } of nodes) {
    const isCoordinator = addressOf(coordinator, { nodename, nodeport }).host === coordinator.host;
    const add = isCoordinator ? "citus_set_coordinator_host" : "citus_add_node";
    await query(url, `select ${add}('${nodename}', ${nodeport})`);
  }
  const { store } = await openStore({ databaseUrl: url, dataDir: "" });
  await store.close();
  await query(url, `set citus.shard_count = ${SHARDS}; ${script}`);
  return url;
}

function addressOf(coordinator: URL, { nodename, nodeport }: Node): URL {
  const url = new URL(coordinator);
  url.hostname = nodename;
  url.port = String(nodeport);
  return url;
}

function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
