/**
 * The ranked lists of `ranked-lists.json`, which every database, way of cutting into batches, order of merges and number
 * of segments must give, to the last bit. `KCS_WRITE_GOLDEN=1` writes the file anew: only where the ranking was meant to change.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { usePostgres } from "../support/postgres.ts";
import {
  type Asked,
  askAfresh,
  createDatabase,
  createWorld,
  type DocumentText,
  newProject,
  type RankedList,
} from "./world.ts";

const FILE = new URL("./ranked-lists.json", import.meta.url);
const postgres = usePostgres();

const WORDS =
  "harbour crane ferry tide rope mast hull cargo winch pilot signal storm chart anchor barrel ledger lamp coal timber salt " +
  "the of and to ax-20 err_conn_17 v2.4.1 10.0.0.7 quay@example.org straße café naïve 港 東京都 ท่าเรือ Hafenkran 1,250 C++";

/** A sequence of numbers below a limit that is the same everywhere (Numerical Recipes' generator). */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makeText(next: (below: number) => number, sentences: number): string {
  const words = WORDS.split(" ");
  const sentence = () =>
    `${Array.from({ length: 3 + next(9) }, () => words[next(words.length)] ?? "").join(" ")}.`;
  return Array.from({ length: sentences }, sentence).join(" ");
}

function makeDocuments(): ReadonlyMap<string, DocumentText> {
  const next = createNumbers(7);
  return new Map(
    Array.from({ length: 60 }, (_, place) => {
      const metadata = place % 4 === 0 ? {} : { year: 2000 + next(20), kind: `kind ${next(3)}` };
      // A twin now and then, so that ties are common.
      const text = makeText(place % 7 === 3 ? createNumbers(99) : next, 1 + next(12));
      return [`doc ${(place * 37) % 60}`, { text, metadata }];
    }),
  );
}

function makeQuestions(): readonly Asked[] {
  const next = createNumbers(11);
  return Array.from({ length: 24 }, (_, place): Asked => {
    const question = makeText(next, 1);
    if (place % 4 === 1)
      return { question, filter: { sourceDocIds: ["doc 3", "doc 30", "doc 7"], metadata: [] } };
    if (place % 4 === 2) {
      return {
        question,
        filter: { sourceDocIds: null, metadata: [{ key: "year", range: { gte: 2004, lte: 2013 } }] },
      };
    }
    return { question, filter: null };
  });
}

function asJson(lists: readonly RankedList[]): unknown {
  const first = lists.map((list) =>
    list.slice(0, 12).map(({ sourceDocId, position, score, lexical, dense }) => {
      return { sourceDocId, position, score, lexical, dense };
    }),
  );
  return JSON.parse(JSON.stringify(first));
}

async function answersOf(context: TestContext, databaseUrl: string | null, batchChunks: number) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-golden-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = createDatabase(() => openStore({ databaseUrl, dataDir }), batchChunks);
  const world = await createWorld(newProject(`golden ${batchChunks}`), database);
  const documents = [...makeDocuments()];
  // Every third document had another text before, so that there are dead chunks.
  for (const [name, document] of documents) {
    if (name.endsWith("3")) await world.accept(name, { ...document, text: `Old ${document.text}` });
  }
  await world.work();
  for (const [name, document] of documents) await world.accept(name, document);
  await world.work();
  const askAll = async () => {
    const lists: RankedList[] = [];
    for (const asked of makeQuestions()) lists.push(await world.ask(asked));
    return asJson(lists);
  };
  const before = await askAll();
  while (await world.merge());
  const after = await askAll();
  await database.close();
  return { before, after };
}

const golden = (): unknown => JSON.parse(readFileSync(FILE, "utf8"));

test("an index of one segment gives the golden lists", async () => {
  const memory = createMemoryIndex();
  const lists: RankedList[] = [];
  for (const asked of makeQuestions()) lists.push(await askAfresh(makeDocuments(), asked, memory));
  if (process.env["KCS_WRITE_GOLDEN"] === "1")
    writeFileSync(FILE, `${JSON.stringify(asJson(lists), null, 1)}\n`);
  assert.deepEqual(asJson(lists), golden());
});

for (const batchChunks of [1, 5, 64]) {
  test(`the embedded database gives them in batches of ${batchChunks}, before and after merges`, async (context) => {
    const { before, after } = await answersOf(context, null, batchChunks);
    assert.deepEqual(before, golden());
    assert.deepEqual(after, golden());
  });
}

test("PostgreSQL gives them, before and after merges", async (context) => {
  const { before, after } = await answersOf(context, await postgres.create(), 5);
  assert.deepEqual(before, golden());
  assert.deepEqual(after, golden());
});
