/** An index that was ingested, replaced, merged, crashed and reopened at random answers like one made in a single stroke. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import fc from "fast-check";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { SearchFilter } from "../../src/domain/metadata.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { usePostgres } from "../support/postgres.ts";
import { askAfresh, createDatabase, createWorld, type DocumentText, newProject } from "./world.ts";

const postgres = usePostgres();

const WORDS = "harbour crane ferry tide rope ax-20 err_404 mast hull of the cargo winch".split(" ");
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
  .map((words) => `${words.join(" ")}.`);
const document = fc.record<DocumentText>({
  text: fc.array(sentence, { minLength: 1, maxLength: 9 }).map((sentences) => sentences.join(" ")),
  metadata: fc.constantFrom({}, { year: 3 }, { year: 7, kind: "log" }),
});
const names = fc.constantFrom("a", "b", "c", "d", "e", "f");
const death = fc.record({ at: fc.integer({ min: 1, max: 5 }), isDoneFirst: fc.boolean() });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("accept" as const), name: names, document }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("work" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("die at work" as const), death }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("die at merge" as const), death }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);
const filters = fc.constantFrom<SearchFilter | null>(
  null,
  { sourceDocIds: ["a", "c"], metadata: [] },
  { sourceDocIds: null, metadata: [{ key: "year", range: { gt: 3 } }] },
);
const questions = fc.array(fc.record({ question: sentence, filter: filters }), {
  minLength: 1,
  maxLength: 3,
});

/** Every open of a file or a round trip to a server costs. */
const runs = { sqlite: 12, postgres: 6 };

async function databaseOf(kind: "sqlite" | "postgres", context: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-life-"));
  const databaseUrl = kind === "postgres" ? await postgres.create() : null;
  const database = createDatabase(() => openStore({ databaseUrl, dataDir }), 3);
  context.after(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return database;
}

for (const kind of ["sqlite", "postgres"] as const) {
  describe(`an index on ${kind}`, () => {
    test("answers after any life like one that was made at once", async (context) => {
      const database = await databaseOf(kind, context);
      const fresh = createMemoryIndex();
      let life = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 45 }), questions, async (steps, asked) => {
          const world = await createWorld(newProject(`${kind} ${++life}`), database);
          const documents = new Map<string, DocumentText>();
          for (const each of steps) {
            if (each.kind === "accept") {
              await world.accept(each.name, each.document);
              documents.set(each.name, each.document);
            } else if (each.kind === "work") await world.work();
            else if (each.kind === "die at work") await world.work(each.death);
            else if (each.kind === "merge") await world.merge();
            else if (each.kind === "die at merge") await world.merge(each.death);
            else await world.reopen();
          }
          const compare = async () => {
            for (const question of asked) {
              assert.deepEqual(await world.ask(question), await askAfresh(documents, question, fresh));
            }
          };
          await world.work();
          await compare();
          while (await world.merge());
          await compare();
          assert.ok((await world.segmentCount()) < 16, "merging leaves few segments");
        }),
        { numRuns: runs[kind], seed: 20_310_406, endOnFailure: true },
      );
    });
  });
}
