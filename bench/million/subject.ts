/** The running service that is measured: one process on SQLite, or three for the API and a worker on PostgreSQL. */
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi } from "../../evals/client.ts";
import { type StartedService, startService } from "../../evals/service.ts";
import { type PostgresServer, startPostgres } from "../../scripts/test/postgres-server.ts";

export const DATABASES = ["sqlite", "postgres"] as const;
export type Database = (typeof DATABASES)[number];

/** Where the data are. */
export interface Place {
  readonly database: Database;
  /** With `service`, the data directory, and on PostgreSQL `postgres`. */
  readonly folder: string;
  /** null on SQLite. */
  readonly postgres: PostgresServer | null;
}

export interface Subject {
  /** Those that answer questions. */
  readonly apis: readonly StartedService[];
  /** All of them by turns. */
  readonly api: Api;
  readonly services: Readonly<Record<string, StartedService>>;
  stop(): Promise<void>;
}

export interface SubjectOptions {
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
}

const APIS = 3;
/** As for a server that has some gigabytes; commits are on the disk. */
const POSTGRES_SETTINGS = {
  fsync: "on",
  full_page_writes: "on",
  shared_buffers: "1GB",
  max_wal_size: "4GB",
} as const;
const DEBIAN = "/usr/lib/postgresql";

export async function openPlace(database: Database, folder: string): Promise<Place> {
  await mkdir(dataDirOf({ folder }), { recursive: true });
  if (database === "sqlite") return { database, folder, postgres: null };
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const keepIn = join(folder, "postgres");
  await mkdir(keepIn, { recursive: true });
  const binaries = debianBinaries();
  const settings = POSTGRES_SETTINGS;
  return { database, folder, postgres: await startPostgres({ durable: true, keepIn, binaries, settings }) };
}

/** The newest of Debian's; undefined where there is none. */
function debianBinaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isFinite) : [];
  return versions.length === 0 ? undefined : join(DEBIAN, String(Math.max(...versions)), "bin");
}

export function describePostgres() {
  return { binaries: debianBinaries() ?? "npm package", ...POSTGRES_SETTINGS };
}

export function dataDirOf({ folder }: Pick<Place, "folder">): string {
  return join(folder, "service");
}

/** What a process with the first data directory needs, without that of its role. */
export function environmentOf({ postgres }: Place): Readonly<Record<string, string>> {
  return { KCS_LOG_LEVEL: "warn", ...(postgres !== null && { DATABASE_URL: postgres.url }) };
}

export async function startSubject(place: Place, { key, env }: SubjectOptions): Promise<Subject> {
  const dataDir = dataDirOf(place);
  const started: Record<string, StartedService> = {};
  const stop = async () => {
    for (const service of Object.values(started)) await service.kill("SIGTERM");
  };
  const start = async (name: string, options: { dataDir: string; role?: string }) => {
    const role = options.role === undefined ? {} : { KCS_ROLE: options.role };
    const all = { ...environmentOf(place), ...env, ...role };
    started[name] = await startService({ dataDir: options.dataDir, key, env: all });
    return started[name];
  };
  try {
    if (place.postgres === null) return subjectOf([await start("service", { dataDir })], started, stop);
    const apis: StartedService[] = [];
    for (let at = 1; at <= APIS; at++)
      apis.push(await start(`api ${at}`, { dataDir: at === 1 ? dataDir : `${dataDir}-${at}`, role: "api" }));
    await start("worker", { dataDir: `${dataDir}-worker`, role: "worker" });
    return subjectOf(apis, started, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

function subjectOf(
  apis: readonly StartedService[],
  services: Readonly<Record<string, StartedService>>,
  stop: () => Promise<void>,
): Subject {
  const clients = apis.map(({ baseUrl, key }) => createApi(baseUrl, key));
  let next = 0;
  const api: Api = {
    request(method, path, body) {
      const client = clients[next++ % clients.length];
      if (client === undefined) throw new Error("There is no service.");
      return client.request(method, path, body);
    },
  };
  return { apis, api, services, stop };
}
