/** What a move to another embedding model leaves on disk. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { chunkOf, createScenario, ingest, month } from "./scenario.ts";

const NEW_SPACE = { model: "other/model", dimensions: 2 };
const NOW = 10_000;

test("once it is cleaned up a moved project has its vectors in its chunks' rows, and one set of segments", async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), "kcs-moved-"));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(() => opened.store.close());
  const { store } = opened;
  const { db } = opened.authDatabase();
  const scenario = createScenario(store, "moved");
  const project = await scenario.project();
  const { projectId, accountId } = project;
  const words = Array.from({ length: 300 }, (_, at) => `w${at}`);
  await ingest(scenario, project, [["a", words.join(" ")]]);
  await store.startReembedding({ projectId, accountId, to: NEW_SPACE, now: NOW });
  const held = { leaseToken: "lease", now: NOW, leaseUntil: NOW + 60_000 };
  const vectorSet = (await store.claimReembedding(held))?.vectorSet ?? -1;
  await store.stageBatch({
    ...held,
    ...{ projectId, vectorSet, tokens: 0, tokenLimit: null, month },
    vectors: words.map((word, at) => ({
      contentHash: chunkOf(word, at).contentHash,
      vector: Float32Array.of(at, 1),
    })),
    segment: new Uint8Array([1]),
    places: [{ versionId: 1, from: 0, count: words.length }],
  });
  assert.equal(await store.switchSpace({ projectId, vectorSet, leaseToken: "lease", now: NOW }), "switched");
  const left = async () => {
    const { rows } = await sql<{ moved: number; segments: number; new_size: number }>`
      select (select count(*) from moved_vectors) as moved, (select count(*) from segments) as segments,
        (select count(*) from chunks where length(vector) = 8) as new_size`.execute(db);
    return rows[0];
  };
  assert.deepEqual({ ...(await left()) }, { moved: 300, segments: 2, new_size: 0 });
  assert.equal((await store.nextUpkeep({ now: NOW, minSegments: 8 })).readyNow, true);
  for (let steps = 0; await store.reclaim({ now: NOW, maxPages: 0 }); steps++) assert.ok(steps < 50);
  assert.deepEqual({ ...(await left()) }, { moved: 0, segments: 1, new_size: 300 });
  assert.equal((await store.nextUpkeep({ now: NOW, minSegments: 8 })).readyNow, false);
});
