/** Large changes are divided: the work of a transaction, a process that is killed in between, and writes of others. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { usePostgres } from "../support/postgres.ts";
import { longGraphOf } from "./behaviours/graph-facts.ts";
import {
  commit,
  createScenario,
  follow,
  LONG_AGO,
  type Scenario,
  visibleWords,
  wordsOf,
} from "./scenario.ts";

const postgres = usePostgres();
const page = { limit: 100, offset: 0 };
const now = 3_000;

/** All tables of which a document's size makes the number of rows. */
const tables = [
  ...["chunks", "chunk_facts", "passage_graphs", "passage_subjects", "unfit_facts"],
  ...["entities", "entity_joins", "entity_places", "entity_properties", "property_places"],
  ...["relationship_places", "version_texts"],
];

async function countRows({ authDatabase }: OpenedStore): Promise<readonly number[]> {
  const columns = tables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(authDatabase().db);
  return tables.map((table) => Number(rows[0]?.[table]));
}

/** Takes the steps one by one. Returns their number, and the most rows that one of them made or removed. */
async function measure(
  opened: OpenedStore,
  steps: readonly (() => Promise<unknown>)[],
  next: () => Promise<boolean>,
): Promise<{ count: number; most: number }> {
  let [count, most] = [0, 0];
  let before = await countRows(opened);
  const take = async <T>(step: () => Promise<T>) => {
    const result = await step();
    const after = await countRows(opened);
    most = Math.max(
      most,
      after.reduce((sum, rows, at) => sum + Math.abs(rows - (before[at] ?? 0)), 0),
    );
    [count, before] = [count + 1, after];
    return result;
  };
  for (const step of steps) await take(step);
  while (await take(next));
  return { count, most };
}

const BATCH = 48;

/** Ingests a text in batches; the last one is not committed by this, but by the function that is returned. */
async function prepare(scenario: Scenario, project: Project, text: string): Promise<() => Promise<string>> {
  const { store } = scenario;
  await scenario.accept(project, [["a", text]]);
  const held = await scenario.claim();
  const graphOf = (chunk: Parameters<typeof longGraphOf>[0]) => longGraphOf(chunk, 8);
  let from = 0;
  for (; from < wordsOf(text).length - BATCH; from += BATCH) {
    await commit(store, held, { from, count: BATCH, graphOf });
    await follow(store, project.projectId);
  }
  return () => commit(store, held, { from, count: BATCH, graphOf });
}
type Project = Awaited<ReturnType<Scenario["project"]>>;

/** Words of one length, each with two names, a relationship and a join. */
function textOf(size: number, letter: string): string {
  const nameOf = (at: number) => `${letter}${String(at).padStart(4, "0")}`;
  return Array.from({ length: size }, (_, at) =>
    [nameOf(at), `${nameOf(at)}>knows>${nameOf(at + 1)}`, `${nameOf(at)}?${letter}`].join(";"),
  ).join(" ");
}

for (const kind of ["sqlite", "postgres"] as const) {
  describe(`large changes on ${kind}`, () => {
    async function place(context: TestContext) {
      const dataDir = mkdtempSync(join(tmpdir(), "kcs-changes-"));
      context.after(() => rmSync(dataDir, { recursive: true, force: true }));
      return { dataDir, databaseUrl: kind === "postgres" ? await postgres.create() : null };
    }

    async function open(context: TestContext, at: Awaited<ReturnType<typeof place>>) {
      const opened = await openStore(at);
      context.after(() => opened.store.close());
      return { opened, store: opened.store, scenario: createScenario(opened.store, "changes") };
    }

    /** The steps of a replacement, of a deletion and of the deletion of a project with a document of so many chunks. */
    async function measureAll(context: TestContext, size: number) {
      const { opened, store, scenario } = await open(context, await place(context));
      const project = await scenario.project();
      const { projectId } = project;
      const next = () => store.applyVersionChanges({ projectId, now });
      await (await prepare(scenario, project, textOf(size, "N")))();
      await follow(store, projectId);
      const replacement = await measure(opened, [await prepare(scenario, project, textOf(size, "M"))], next);
      const deletion = { projectId, sourceDocId: "a", now, errorMessage: "deleted" };
      const deleted = await measure(opened, [() => store.deleteDocument(deletion)], next);
      assert.ok((await countRows(opened)).every((rows) => rows === 0));
      await (await prepare(scenario, project, textOf(size, "N")))();
      await follow(store, projectId);
      const whole = await measure(opened, [() => store.deleteProject({ projectId })], () =>
        store.reclaim({ now, maxPages: 0 }),
      );
      assert.ok((await countRows(opened)).every((rows) => rows === 0));
      return { replacement, deleted, project: whole };
    }

    test("no transaction has more to do for four times the document", async (context) => {
      const small = await measureAll(context, 96);
      const large = await measureAll(context, 384);
      for (const change of ["replacement", "deleted", "project"] as const) {
        const [one, four] = [small[change], large[change]];
        context.diagnostic(`${change}: ${JSON.stringify([one, four])}`);
        assert.ok(four.most <= one.most * 2, `${change}: ${one.most} rows, then ${four.most}`);
        assert.ok(four.count >= one.count * 2, `${change}: ${one.count} steps, then ${four.count}`);
      }
    });

    test("others write between two steps of a deletion", async (context) => {
      const { store, scenario } = await open(context, await place(context));
      const [project, other] = [await scenario.project(), await scenario.project()];
      const { projectId } = project;
      await (await prepare(scenario, project, textOf(144, "N")))();
      await follow(store, projectId);
      await store.deleteDocument({ projectId, sourceDocId: "a", now, errorMessage: "deleted" });
      const written: string[] = [];
      do {
        const { total } = await store.listEntities({ projectId, page });
        const { outcome } = await scenario.accept(other, [[`d${written.length}`, "one"]]);
        written.push(`${outcome.kind} ${total > 0}`);
      } while (await store.applyVersionChanges({ projectId, now }));
      assert.ok(written.length >= 3);
      assert.deepEqual(new Set(written), new Set(["accepted true"]));
      assert.equal((await store.listEntities({ projectId, page })).total, 0);
    });

    test("killed in between, a deletion, a replacement and the deletion of a project are finished by the next start", async (context) => {
      const at = await place(context);
      const { projectId, jobId, goneId } = await runUntilKilled(at);
      const { opened, store } = await open(context, at);
      await store.expireAllLeases({ now: LONG_AGO });
      assert.deepEqual(await visibleWords(store, projectId), { replaced: ["Ada", "Hugo", "Ines"] });
      assert.equal((await store.findJob({ projectId, jobId }))?.status, "running");
      assert.equal(await store.findProject({ projectId: goneId }), null);
      assert.ok((await countRows(opened)).some((rows) => rows > 100));
      for (let rounds = 0; await store.reclaim({ now, maxPages: 0 }); rounds++) assert.ok(rounds < 99);
      assert.equal((await store.findJob({ projectId, jobId }))?.status, "completed");
      const { entities } = await store.listEntities({ projectId, page });
      assert.deepEqual(
        entities.map(({ key }) => key),
        ["ada", "hugo", "ines"],
      );
      const counts = await countRows(opened);
      // Three chunks with facts, three entities, each in one place, and a text.
      assert.deepEqual(counts, [3, 3, 0, 0, 0, 3, 0, 3, 0, 0, 0, 1]);
      assert.deepEqual(await store.nextUpkeep({ now, minSegments: 99 }), { readyNow: false });
    });
  });
}

async function runUntilKilled(at: { dataDir: string; databaseUrl: string | null }) {
  const path = join(import.meta.dirname, "version-changes-child.ts");
  const child = spawn(process.execPath, [path, at.dataDir, at.databaseUrl ?? ""], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill("SIGKILL");
    await ended;
    return JSON.parse(line) as { projectId: string; jobId: string; goneId: string };
  }
  throw new Error("The process ended by itself.");
}
