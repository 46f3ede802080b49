/** PgBouncer, Debian's transaction pooler, before a PostgreSQL server. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { enterableTemp, findFreePort, findServerUser } from "../../../../scripts/test/postgres-server.ts";

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const START_LIMIT_MS = 10_000;

/** Its program, installed where a superuser of Debian can; null where it cannot be had. */
export async function findPooler(): Promise<string | null> {
  const find = () => run("sh", ["-c", "PATH=$PATH:/usr/sbin command -v pgbouncer"]);
  const install = () =>
    run("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", "pgbouncer"], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  const found = await find()
    .catch(() => install().then(find))
    .catch(() => null);
  return found === null ? null : found.stdout.trim();
}

/** A session of the server for each transaction; it has few, so that transactions of several processes share them. */
export async function startPooler(program: string, serverUrl: string): Promise<Pooler> {
  const serverUser = process.getuid?.() === 0 ? findServerUser() : null;
  const server = new URL(serverUrl);
  const port = await findFreePort();
  const folder = mkdtempSync(join(enterableTemp(), "kcs-pooler-"));
  const target = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`;
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: "20",
    max_client_conn: "200",
    logfile: "",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, ["[databases]", `* = ${target}`, "[pgbouncer]", ...lines, ""].join("\n"));
  if (serverUser !== null) for (const path of [folder, file]) chownSync(path, serverUser.uid, serverUser.gid);
  const child = spawn(program, [file], { ...serverUser, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const killWithProcess = () => void child.kill("SIGKILL");
  process.once("exit", killWithProcess);
  await listens(child);
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      process.removeListener("exit", killWithProcess);
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listens(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = () => reject(new Error(`PgBouncer did not start: ${output}`));
    const limit = setTimeout(fail, START_LIMIT_MS);
    child.once("error", reject);
    child.once("close", fail);
    child.stderr?.on("data", (part: Buffer) => {
      output = `${output}${part}`.slice(-4_000);
      if (!output.includes("process up")) return;
      clearTimeout(limit);
      resolve();
    });
  });
}
