/**
 * Makes the data that `previous-release.long.test.ts` opens: runs the service of the checkout that this file is in, fills
 * it with the scene, records its answers and writes everything to a folder. Run by hand, once for each release, in a
 * checkout of that release (copy this file and `scene.ts` there if it has none):
 *
 *     node packages/server/test/release/make-data.ts <folder> <URL of an empty PostgreSQL database>
 *
 * Needs `pg_dump` on the path, of the major version of that server. Writes:
 *
 * - `sqlite/knowledge.sqlite.gz` and `sqlite/secret`: the data directory, without the model cache
 * - `postgres.sql.gz`: the database as SQL that the `pg` client can run as one query
 * - `answers.json`: ids, keys and the answers of the release, for each database
 */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { constants, gzipSync } from "node:zlib";
import {
  ONTOLOGY,
  type Recorded,
  type RecordedAnswer,
  type RecordedProject,
  SCENE,
  type SceneDocument,
  type SceneProject,
} from "./scene.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const MODELS = fileURLToPath(new URL("../../../../node_modules/.cache/kcs-models", import.meta.url));
const START_LIMIT_MS = 60_000;
const JOB_LIMIT_MS = 60_000;
const POLL_MS = 50;

const [folder, postgresUrl] = process.argv.slice(2);
if (folder === undefined || postgresUrl === undefined) {
  process.stderr.write("Usage: make-data.ts <folder> <URL of an empty PostgreSQL database>\n");
  process.exit(2);
}
await makeData(folder, postgresUrl);

async function makeData(folder: string, postgresUrl: string): Promise<void> {
  mkdirSync(join(folder, "sqlite"), { recursive: true });
  const sqlite = await withDataDirectory(async (dataDir) => {
    const recorded = await record({ dataDir, databaseUrl: "" });
    // One file without a write-ahead log and without free pages.
    const database = new DatabaseSync(join(dataDir, "knowledge.sqlite"));
    database.exec("pragma wal_checkpoint(truncate); vacuum; pragma wal_checkpoint(truncate);");
    database.close();
    const bytes = readFileSync(join(dataDir, "knowledge.sqlite"));
    writeFileSync(join(folder, "sqlite", "knowledge.sqlite.gz"), compress(bytes));
    copyFileSync(join(dataDir, "secret"), join(folder, "sqlite", "secret"));
    return recorded;
  });
  const postgres = await withDataDirectory(async (dataDir) => {
    const recorded = await record({ dataDir, databaseUrl: postgresUrl });
    writeFileSync(join(folder, "postgres.sql.gz"), compress(await dump(postgresUrl)));
    return recorded;
  });
  const answers = `${JSON.stringify({ sqlite, postgres }, null, 2)}\n`;
  writeFileSync(join(folder, "answers.json"), answers);
}

function compress(data: string | Uint8Array): Uint8Array {
  return gzipSync(data, { level: constants.Z_BEST_COMPRESSION });
}

async function withDataDirectory<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-release-"));
  mkdirSync(MODELS, { recursive: true });
  symlinkSync(MODELS, join(dataDir, "models"), "junction");
  try {
    return await run(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Comments and psql's own commands are left out, because only psql understands the latter. */
async function dump(databaseUrl: string): Promise<string> {
  const options = ["--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges"];
  const { stdout } = await promisify(execFile)("pg_dump", [...options, databaseUrl], { maxBuffer: 1 << 28 });
  return `${stdout
    .split("\n")
    .filter((line) => line !== "" && !/^(--|\\)/.test(line))
    .join("\n")}\n`;
}

/** Starts the service, fills it, records its answers and stops it. */
async function record(home: { readonly dataDir: string; readonly databaseUrl: string }): Promise<Recorded> {
  const ownerKey = `kcs_${randomBytes(24).toString("hex")}`;
  const receiver = await startReceiver();
  const service = await startService({
    KCS_DATA_DIR: home.dataDir,
    DATABASE_URL: home.databaseUrl,
    KCS_BOOTSTRAP_API_KEY: ownerKey,
    KCS_PORT: "0",
    KCS_SIGN_UP: "open",
    KCS_INGEST_PER_MINUTE: "0",
    KCS_WEBHOOK_PRIVATE: "allow",
    KCS_LOG_LEVEL: "warn",
  });
  try {
    const send = createSender(`${service.url}/api/v1`, ownerKey);
    const strangerKey = await signUp(service.url);
    const webhookId = await deliverOnce(send, receiver);
    const projects: RecordedProject[] = [];
    for (const project of SCENE) projects.push(await fill(project, send));
    return { ownerKey, strangerKey, webhookId, projects };
  } finally {
    await service.stop();
    receiver.server.close();
  }
}

type Send = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

function createSender(base: string, key: string): Send {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
}

async function fill(project: SceneProject, send: Send): Promise<RecordedProject> {
  const ontology = async () =>
    (await send("POST", "/ontologies", { name: project.name, schema: ONTOLOGY }))["id"];
  const { project_id } = await send("POST", "/projects", {
    name: project.name,
    vector_only: project.kind === "vectors",
    ...(project.kind === "ontology" ? { ontology_id: await ontology() } : {}),
  });
  const projectId = String(project_id);
  // One job per document, so that the index has several segments.
  for (const document of project.documents) await ingest(projectId, document, send);
  for (const document of project.replacements) await ingest(projectId, document, send);
  for (const id of project.deleted) await send("DELETE", `/projects/${projectId}/documents/${id}`);
  const answers: { question: object; answer: RecordedAnswer }[] = [];
  for (const question of project.questions) {
    const answer = await send("POST", `/projects/${projectId}/query`, question);
    answers.push({ question, answer: answer as unknown as RecordedAnswer }); // The contract's body of an answer.
  }
  const deleted = new Set(project.deleted);
  const documents = project.documents
    .map(({ source_doc_id }) => source_doc_id)
    .filter((id) => !deleted.has(id));
  return { projectId, name: project.name, documents: documents.toSorted(), answers };
}

async function ingest(projectId: string, document: SceneDocument, send: Send): Promise<void> {
  const { job_id } = await send("POST", `/projects/${projectId}/ingest`, document);
  const job = await poll(`the job of ${document.source_doc_id}`, async () => {
    const job = await send("GET", `/projects/${projectId}/jobs/${String(job_id)}`);
    return job["status"] === "completed" || job["status"] === "failed" ? job : null;
  });
  if (job["status"] === "failed")
    throw new Error(`${document.source_doc_id}: ${String(job["error_message"])}`);
}

/** A webhook with one delivered event: the deletion of a project. Its id. */
async function deliverOnce(send: Send, receiver: Receiver): Promise<string> {
  const { webhook_id } = await send("POST", "/webhooks", { url: receiver.url, events: ["project.deleted"] });
  const { project_id } = await send("POST", "/projects", { name: "Short-lived", vector_only: true });
  await send("DELETE", `/projects/${String(project_id)}`);
  await poll("the delivery", async () => {
    const { deliveries } = await send("GET", `/webhooks/${String(webhook_id)}/deliveries`);
    return JSON.stringify(deliveries).includes('"delivered"') ? true : null;
  });
  return String(webhook_id);
}

/** A second account; its key. */
async function signUp(base: string): Promise<string> {
  const post = async (path: string, body: object, cookie = "") => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { origin: base, cookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const account = { email: "second@mail.example", password: "a phrase of the release data" };
  await post("/api/auth/sign-up/email", { name: "Second", ...account });
  const signedIn = await post("/api/auth/sign-in/email", account);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const created = await post("/api/auth/api-key/create", { name: "release" }, cookie);
  const { key } = (await created.json()) as { key: string }; // The library's answer to a new key.
  return key;
}

interface Receiver {
  readonly url: string;
  readonly server: Server;
}

/** Accepts every event. */
async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/events` };
}

async function startService(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let printed = "";
  child.stdout.on("data", (part: Buffer) => {
    printed += part.toString();
  });
  const url = await poll(
    "the address",
    async () => /listens on (http:\S+)/.exec(printed)?.[1] ?? null,
    START_LIMIT_MS,
  );
  await poll("readiness", async () => ((await fetch(`${url}/ready`)).ok ? true : null), START_LIMIT_MS);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      const code = await ended;
      if (code !== 0) throw new Error(`The service ended with code ${code}.`);
    },
  };
}

async function poll<T>(what: string, read: () => Promise<T | null>, limitMs = JOB_LIMIT_MS): Promise<T> {
  const limit = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    if (performance.now() > limit) throw new Error(`${what}: not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
