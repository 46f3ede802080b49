/** What a small change reads and writes does not grow with what its names are joined to. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { toStored } from "../../src/adapters/database/operations/graph-facts.ts";
import { changeGraph } from "../../src/adapters/database/operations/graph-ledger.ts";
import { counting, type Work } from "../support/count-work.ts";
import { usePostgres } from "../support/postgres.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { chain, forms } from "./behaviours/graph-limits.ts";
import { chunkOf, createScenario, follow, ingest } from "./scenario.ts";

const postgres = usePostgres();

/** Facts of one chunk each, which are added to what a project says, and removed again. */
interface Case {
  readonly name: string;
  readonly textOf: (size: number) => string;
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a chain of names",
    textOf: (size) => chain("N", 0, size),
    changes: ["N50~Z", "N0~Z", "Thing:N50", "N20~N80"],
  },
  {
    name: "a name that a text gives many others",
    textOf: (size) => Array.from({ length: size }, (_, at) => `HUB~N${at}`).join(";"),
    changes: ["HUB~Z", "HUB", "N50~Z", "Thing:HUB", "N20~N80"],
  },
  {
    name: "names that a text gives twenty others each",
    textOf: (size) =>
      Array.from({ length: size * 10 }, (_, at) => `N${Math.floor(at / 10)}~N${(at + 1) % size}`).join(";"),
    changes: ["N50~Z", "N20~N80"],
  },
  {
    name: "a name with many longer forms",
    textOf: (size) => forms("N", [0, size], "HUB"),
    changes: ["HUB", "Z;Z?HUB", "N50~Z", "N50~HUB"],
  },
];

for (const kind of ["sqlite", "postgres"] as const) {
  describe(`the work of small changes on ${kind}`, () => {
    async function measure(context: TestContext, { textOf, changes }: Case, size: number) {
      const dataDir = mkdtempSync(join(tmpdir(), "kcs-work-"));
      context.after(() => rmSync(dataDir, { recursive: true, force: true }));
      const databaseUrl = kind === "postgres" ? await postgres.create() : null;
      const opened = await openStore({ dataDir, databaseUrl });
      context.after(() => opened.store.close());
      const scenario = createScenario(opened.store, "work");
      const project = await scenario.project();
      const { projectId } = project;
      // In chunks, as a document would be.
      const facts = textOf(size).split(";");
      const words = Array.from({ length: Math.ceil(facts.length / 40) }, (_, at) =>
        facts.slice(40 * at, 40 * at + 40).join(";"),
      );
      await ingest(scenario, project, [["a", words.join(" ")]], { graphOf });
      await follow(opened.store, projectId);
      const found: Record<string, Work> = {};
      for (const change of changes) {
        const stored = toStored(graphOf(chunkOf(change, 0)).facts ?? assert.fail());
        const chunk = { versionId: 9, position: 0, facts: stored ?? assert.fail() };
        for (const way of ["added", "removed"] as const) {
          const work = { statements: 0, rows: 0 };
          const db = counting(opened, work);
          await changeGraph(db, { projectId, added: [], removed: [], [way]: [chunk] });
          found[`${change} ${way}`] = work;
        }
      }
      return found;
    }

    for (const one of cases) {
      test(`${one.name}: no more for four times as many`, async (context) => {
        const small = await measure(context, one, 150);
        const large = await measure(context, one, 600);
        context.diagnostic(JSON.stringify(large));
        for (const [change, { statements, rows }] of Object.entries(large)) {
          const least = small[change] ?? assert.fail();
          assert.ok(
            statements <= least.statements,
            `${change}: ${least.statements}, then ${statements} statements`,
          );
          assert.ok(rows <= least.rows * 1.1, `${change}: ${least.rows}, then ${rows} rows`);
        }
      });
    }
  });
}
