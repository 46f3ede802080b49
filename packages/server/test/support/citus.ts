/** Databases on a Citus cluster that is there: `CITUS_URL` is the address of its coordinator, with a user who may create databases on all nodes. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { closeAtEnd } from "../../../../scripts/test/lane-end.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";

/** null: none is given. Tests that need one are skipped, and say so. */
export const citusUrl = process.env["CITUS_URL"] ?? null;
export const skip = citusUrl === null ? "needs CITUS_URL, the coordinator of a Citus cluster" : false;

/** By its name, the servers that have a database. */
const created = new Map<string, string[]>();
// Before services begin, because what began last is closed first.
closeAtEnd(async () => {
  for (const name of created.keys()) await drop(name);
});

async function drop(name: string): Promise<void> {
  const servers = created.get(name) ?? [];
  created.delete(name);
  await Promise.all(servers.map((href) => query(href, `drop database ${name} with (force)`)));
}

/** Drops a database from `createCitus` before the end of the process. A run makes many, and each takes a while to go. */
export async function dropCitus(url: string): Promise<void> {
  await drop(new URL(url).pathname.slice(1));
}

const SHARDS = 4;
const script = readFileSync(new URL("../../../../deploy/citus.sql", import.meta.url), "utf8");

interface Node {
  readonly nodename: string;
  readonly nodeport: number;
}

/** A database with the schema of today, distributed over so many workers, or all. It is dropped at the end. */
export async function createCitus(workers?: number): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const coordinator = new URL(citusUrl ?? "");
  const nodes = await query<Node>(
    coordinator.href,
    "select nodename, nodeport from pg_dist_node where isactive",
  );
  const addresses = [coordinator, ...nodes.map((node) => addressOf(coordinator, node))];
  for (const { href } of new Map(addresses.map((url) => [url.host, url])).values()) {
    await query(href, `create database ${name}`);
    created.set(name, [...(created.get(name) ?? []), href]);
    await query(databaseAt(href, name), "create extension citus");
  }
  const url = databaseAt(coordinator.href, name);
  const isCoordinator = (node: Node) => addressOf(coordinator, node).host === coordinator.host;
  for (const { nodename, nodeport } of nodes.filter(isCoordinator))
    await query(url, `select citus_set_coordinator_host('${nodename}', ${nodeport})`);
  for (const node of nodes.filter((node) => !isCoordinator(node)).slice(0, workers))
    await addWorker(url, node);
  const { store } = await openStore({ databaseUrl: url, dataDir: "" });
  await store.close();
  await query(url, `set citus.shard_count = ${SHARDS}; ${script}`);
  return url;
}

/** Gives a database from `createCitus` the workers that it does not have, and moves shards to them until all have as many; their numbers of shards. */
export async function rebalance(url: string): Promise<readonly number[]> {
  const known = await query<Node>(url, "select nodename, nodeport from pg_dist_node");
  const isKnown = (node: Node) =>
    known.some(({ nodename, nodeport }) => nodename === node.nodename && nodeport === node.nodeport);
  const nodes = await query<Node>(
    citusUrl ?? "",
    "select nodename, nodeport from pg_dist_node where isactive",
  );
  for (const node of nodes.filter((node) => !isKnown(node))) await addWorker(url, node);
  await query(url, "select citus_rebalance_start()");
  await query(url, "select citus_rebalance_wait()");
  const counts = await query<{ shards: number }>(
    url,
    `select count(*)::int as shards from citus_shards where citus_table_type = 'distributed' group by nodename, nodeport`,
  );
  return counts.map(({ shards }) => shards);
}

async function addWorker(url: string, { nodename, nodeport }: Node): Promise<void> {
  await query(url, `select citus_add_node('${nodename}', ${nodeport})`);
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
