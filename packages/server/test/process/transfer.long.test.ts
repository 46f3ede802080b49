/** `kcs-server export` and `import`: everything moves between the databases, while the service runs, or nothing does. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { makeResetLink, migrateDatabase } from "../../src/commands.ts";
import { loadConfig } from "../../src/config.ts";
import type { Log } from "../../src/ports/log.ts";
import { runExport, runImport } from "../../src/transfer-commands.ts";
import { copyData, queryRows } from "../release/open-data.ts";
import { downloadPath, upload } from "../support/files.ts";
import type { Client } from "../support/http-client.ts";
import { createProject, ingestAll, waitForJob } from "../support/ingestion.ts";
import { usePostgres } from "../support/postgres.ts";
import {
  environmentOf,
  type Home,
  postgresOf,
  sqlite,
  startSession,
  type TestService,
  withHome,
  withService,
} from "../support/service.ts";

const databases = usePostgres();
const postgres = postgresOf(databases);
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const ignore = () => undefined;
const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const configOf = (home: Home) => loadConfig(environmentOf(home));

async function exported(home: Home, name: string): Promise<{ readonly path: string; readonly said: string }> {
  const path = join(home.dataDir, name);
  return { path, said: await runExport(path, configOf(home)) };
}

const imported = (path: string, home: Home) => runImport(path, configOf(home), log);

const TEXTS = [
  ["founder", "Odile Brandt\n\nOdile Brandt kept bees. She was born in Kestrel Bay."],
  ["mill", "Larkspur Mill\n\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871."],
  ["odd", "Ligatures ﬁ, a zero \u0000 and 😀 in one line of the ledger."],
] as const;

/** One project with all that a caller can have. */
async function fill({ owner, nobody, baseUrl }: TestService): Promise<{ projectId: string; cookie: string }> {
  const { project_id: projectId } = await owner.succeed("createProject", { body: { name: "Mill" } });
  await ingestAll(
    owner,
    projectId,
    TEXTS.map(([source_doc_id, text]) => ({ source_doc_id, text })),
  );
  const sent = await upload(owner, projectId, [
    { path: "a/gauge.txt", content: "The gauge is read at noon." },
  ]);
  const { jobs } = Object(sent.json);
  await waitForJob(owner, projectId, jobs[0].job_id);
  await owner.succeed("createWebhook", { body: { url: "https://hooks.example.com/kcs" } });
  await owner.succeed("query", { params: { project_id: projectId }, body: { query: "Who kept bees?" } });
  return { projectId, cookie: await startSession(nobody, baseUrl) };
}

/** What the service says of it, without what is counted while it is asked. */
async function answersOf(owner: Client, project_id: string): Promise<unknown> {
  const params = { project_id };
  const ask = (query: string) =>
    owner.succeed("query", { params, body: { query, top_k: 10, include: ["provenance"] } });
  const download = await owner.call("GET", downloadPath(project_id, "a/gauge.txt"));
  return {
    answers: [
      await ask("Where was the founder of Larkspur Mill born?"),
      await ask("noon"),
      await ask("ledger"),
    ],
    documents: await owner.succeed("listDocuments", { params }),
    jobs: await owner.succeed("listJobs", { params, query: { limit: 100 } }),
    entities: await owner.succeed("listEntities", { params }),
    webhooks: await owner.succeed("listWebhooks", {}),
    file: [download.status, download.text],
  };
}

/** The lines that say what a file holds: of each table its rows and checksum. */
async function tallies(path: string): Promise<readonly string[]> {
  const lines = zstdDecompressSync(await readFile(path))
    .toString()
    .split("\n");
  return lines.filter((line) => line.startsWith('{"table"'));
}

test("a service answers alike from SQLite, from PostgreSQL, and from SQLite again, exported while it runs", {
  timeout: 300_000,
}, async () => {
  await withHome(sqlite, async (first) => {
    const { projectId, answers, file } = await withService({ home: first }, async (service) => {
      const { projectId } = await fill(service);
      const answers = await answersOf(service.owner, projectId);
      // Others write meanwhile.
      const other = await createProject(service.owner, "Other");
      const busy = ingestAll(service.owner, other, [
        { source_doc_id: "b", text: "The quay is busy. ".repeat(400) },
      ]);
      const file = await exported(first, "first.kcs");
      await busy;
      return { projectId, answers, file };
    });
    assert.match(file.said, /^Exported \d+ rows of \d+ tables\.$/);
    assert.equal((await stat(file.path)).mode & 0o777, 0o600);
    await withHome(postgres, async (second) => {
      const home = { ...second, ownerKey: first.ownerKey };
      await imported(file.path, home);
      // Before a service uses it, so nothing has changed.
      const copy = await exported(home, "second.kcs");
      assert.deepEqual(await tallies(copy.path), await tallies(file.path));
      await withService({ home }, async (service) => {
        assert.deepEqual(await answersOf(service.owner, projectId), answers);
        // Numbers that the database gives continue behind those that came with the file.
        await ingestAll(service.owner, projectId, [
          { source_doc_id: "new", text: "Ada Lune met Odile Brandt." },
        ]);
      });
      await withHome(sqlite, async (third) => {
        const back = { ...third, ownerKey: first.ownerKey };
        await imported(copy.path, back);
        await withService({ home: back }, async ({ owner }) => {
          assert.deepEqual(await answersOf(owner, projectId), answers);
        });
      });
    });
  });
});

test("a database is copied through a pipe", async () => {
  await withHome(sqlite, async (from) => {
    await withService({ home: from }, async ({ owner }) => createProject(owner, "Piped"));
    await withHome(sqlite, async (to) => {
      await pipe(from, to);
      assert.equal((await queryRows(to, "select name from projects"))[0]?.["name"], "Piped");
    });
  });
});

/** `kcs-server export - | kcs-server import -`. */
async function pipe(from: Home, to: Home): Promise<void> {
  const run = (home: Home, command: "export" | "import") =>
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, command, "-"], {
      env: { PATH: process.env["PATH"], ...environmentOf(home) },
      stdio: ["pipe", "pipe", "pipe"],
    });
  const reader = run(from, "export");
  const writer = run(to, "import");
  let said = "";
  for (const { stderr } of [reader, writer]) stderr.on("data", (part: Buffer) => (said += part.toString()));
  const ended = Promise.all([once(reader, "close"), once(writer, "close")]);
  await pipeline(reader.stdout, writer.stdin);
  for (const [code] of await ended) assert.equal(code, 0, said);
  assert.match(said, /Imported and verified \d+ rows/);
}

test("a file holds every table but those of migrations, processes and objects outside", async () => {
  for (const setting of [sqlite, postgres]) {
    await withHome(setting, async (home) => {
      await withService({ home }, async () => undefined);
      const { path } = await exported(home, "all.kcs");
      const held = (await tallies(path)).map((line) => JSON.parse(line).table);
      const listed = await queryRows(
        home,
        setting === sqlite
          ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
          : "select tablename as name from pg_tables where schemaname = 'public'",
      );
      const expected = listed.map(({ name }) => String(name)).sort();
      assert.deepEqual([...held, "processes", "schema_migrations", "segment_objects"].sort(), expected);
    });
  }
});

test("a file of an earlier release becomes a database of this one", async () => {
  const old = await copyData("0.1.0", "sqlite", databases);
  try {
    const { path } = await exported(old, "old.kcs");
    const home = { ...old, databaseUrl: await databases.createEmpty() };
    await imported(path, home);
    await withService({ home }, async ({ owner }) => {
      const { projects } = await owner.succeed("listProjects", {});
      assert.ok(projects.length > 1);
    });
    // One that this release has migrated is no place for it.
    const migrated = { ...old, databaseUrl: await databases.create() };
    await assert.rejects(
      imported(path, migrated),
      /schema version \d+ and the file \d+\. Import it into a database without/,
    );
  } finally {
    await old.remove();
  }
});

test("a file that is not there, or a folder, is said to be so, and leaves no database", async () => {
  await withHome(sqlite, async (home) => {
    const missing = join(home.dataDir, "missing.kcs");
    await assert.rejects(imported(missing, home), /missing\.kcs cannot be opened \(ENOENT/);
    await assert.rejects(imported(home.dataDir, home), /is a folder\.$/);
    await assert.rejects(makeResetLink(configOf(home), log), /There is no database in/);
    assert.equal((await readdir(home.dataDir)).includes("knowledge.sqlite"), false);
  });
});

test("an import is refused as a whole where the database is used, or the file is cut off, altered or another's", async () => {
  await withHome(sqlite, async (source) => {
    await withService({ home: source }, async ({ owner }) => createProject(owner));
    const { path } = await exported(source, "whole.kcs");
    await assert.rejects(runExport(path, configOf(source)), /exists already/);
    for (const setting of [sqlite, postgres]) {
      await withHome(setting, async (home) => {
        const bytes = await readFile(path);
        const text = zstdDecompressSync(bytes).toString();
        const refused = async (name: string, content: Uint8Array | string, reason: RegExp) => {
          const file = join(home.dataDir, name);
          await writeFile(
            file,
            typeof content === "string" ? zstdCompressSync(Buffer.from(content)) : content,
          );
          await assert.rejects(imported(file, home), reason);
        };
        await refused("cut", bytes.subarray(0, bytes.length - 20), /cut off, damaged or no export/);
        await refused("short", text.slice(0, text.lastIndexOf('{"table"')), /ends before its last table/);
        await refused(
          "altered",
          text.replace("Field notes", "Other notes"),
          /table projects has 1 rows with the checksum/,
        );
        await refused("text", Buffer.from("a letter"), /cut off, damaged or no export/);
        await refused(
          "empty",
          `${text.slice(0, text.indexOf("\n")).replace(/"tables":.*$/, '"tables":[]}')}\n`,
          /not an export of this service/,
        );
        await refused("other", '{"format":"x"}\n', /not an export of this service/);
        await refused("newer", text.replace(/"migration":\d+/, '"migration":999'), /knows only/);
        await migrateDatabase(configOf(home), log);
        await imported(path, home);
        await assert.rejects(imported(path, home), /The database is not empty/);
      });
    }
  });
});
