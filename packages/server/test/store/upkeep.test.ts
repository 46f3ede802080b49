/** Merges of real segments in a real store that fail. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { SegmentWork } from "../../src/engine/index/segment-work.ts";
import type { LogFields } from "../../src/ports/log.ts";
import { createMergingService, isUpkeepDue } from "../../src/services/merging.ts";
import { ingest, local, open, segmentIds } from "./upkeep-setting.ts";

test("a merge that fails is tried again a few times, then left until the project changes", async (context) => {
  const setting = await open(context);
  const { projectId } = await setting.scenario.project();
  for (let at = 0; at < 9; at++) await ingest(setting, projectId, [`d${at}`, "tern"]);
  let asked = 0;
  const failing: SegmentWork = {
    ...local,
    merge() {
      asked++;
      return Promise.reject(new Error("the thread ended"));
    },
  };
  const { store } = setting.opened;
  const note = (event: string) => void setting.logged.push({ event, fields: {} });
  const log = { debug() {}, info() {}, warn: note, error: note };
  const merging = createMergingService({
    store,
    work: failing,
    log,
    now: () => 0,
    jobLifeMs: Number.MAX_SAFE_INTEGER,
    onDamage() {},
  });
  for (let round = 0; round < 6; round++) assert.equal(await merging.mergeNext(() => false), false);
  assert.equal(asked, 3);
  assert.deepEqual(
    setting.logged.map(({ event }) => event),
    ["merge_failed", "merge_failed", "merge_failed"],
  );
  assert.equal(await isUpkeepDue(store, 0), false);
  await ingest(setting, projectId, ["again", "tern"]);
  assert.equal(await isUpkeepDue(store, 0), true);
  await setting.settle();
  assert.equal((await segmentIds(setting, projectId)).length, 1);
});

test("a merge whose chunks are not those that the database lists is given up after a few tries", async (context) => {
  const setting = await open(context);
  const { store, authDatabase } = setting.opened;
  const { projectId } = await setting.scenario.project();
  for (let at = 0; at < 9; at++) await ingest(setting, projectId, [`d${at}`, "tern"]);
  await sql`update segment_documents set chunk_count = 2 where project_id = ${projectId} and segment_id = 3`.execute(
    authDatabase().db,
  );
  let merges = 0;
  const counting: SegmentWork = {
    ...local,
    merge(inputs) {
      merges++;
      return local.merge(inputs);
    },
  };
  const told: unknown[] = [];
  const error = (event: string, fields?: LogFields) => void told.push(event, String(fields?.error));
  const log = { debug() {}, info() {}, warn() {}, error };
  const merging = createMergingService({
    store,
    work: counting,
    log,
    now: () => 0,
    jobLifeMs: Number.MAX_SAFE_INTEGER,
    onDamage() {},
  });
  for (let round = 0; round < 6; round++) assert.equal(await merging.mergeNext(() => false), false);
  assert.deepEqual([merges, told.length], [3, 6]);
  assert.equal(told[0], "merge_failed");
  assert.match(String(told[1]), /do not hold the chunks that the database lists/);
  assert.equal(await isUpkeepDue(store, 0), false);
});
