/** Segments of the format version before the current one: answered from at once, rewritten in the background. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { DamagedIndexError } from "../../src/domain/index-damage.ts";
import type { ReadableVersions } from "../../src/engine/index/readable-versions.ts";
import { createSegmentWork, doSegmentWork } from "../../src/engine/index/segment-work.ts";
import { createSegmentReader } from "../../src/engine/query/segment-reader.ts";
import { isUpkeepDue } from "../../src/services/merging.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { OLDER_VERSION, ONE_VERSION, TWO_VERSIONS, toOlderVersion } from "../support/older-segment.ts";
import {
  damage,
  ingest,
  open,
  type Setting,
  segmentIds,
  wholeFromChunks,
  wholeIndex,
} from "./upkeep-setting.ts";

const CACHE_BYTES = 1 << 20;
const work = createSegmentWork(async (request) => doSegmentWork(request, TWO_VERSIONS));

/** A project with one segment for every two words of a document, all in the older format. */
async function leaveOutdated(
  context: TestContext,
  documents: readonly (readonly [string, string])[],
): Promise<{ setting: Setting; projectId: string }> {
  const setting = await open(context);
  const { projectId } = await setting.scenario.project();
  for (const document of documents) await ingest(setting, projectId, document);
  for (const segmentId of await segmentIds(setting, projectId)) await outdate(setting, projectId, segmentId);
  return { setting, projectId };
}

async function outdate({ opened }: Setting, projectId: string, segmentId: number): Promise<void> {
  const { db } = opened.authDatabase();
  const bytes = await opened.store.readSegment({ projectId, segmentId });
  assert.ok(bytes);
  await sql`update segment_blobs set bytes = ${toOlderVersion(bytes)} where project_id = ${projectId}
    and segment_id = ${segmentId}`.execute(db);
  await sql`update segments set format_version = ${OLDER_VERSION} where project_id = ${projectId}
    and segment_id = ${segmentId}`.execute(db);
}

/** The chunks that a question reads, as `version:position`, segment by segment. */
async function readForQuestion({ opened }: Setting, projectId: string, versions: ReadableVersions) {
  const { store } = opened;
  const state = await store.readIndexState({ projectId });
  assert.ok(state);
  const { cache } = createMemoryIndex(CACHE_BYTES);
  const index = await createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES, versions }).open(
    projectId,
    state,
  );
  assert.ok(index);
  const chunks: string[] = [];
  await index.visit((segment) => {
    for (const [ordinal, position] of segment.positions.entries()) {
      chunks.push(`${segment.versionIdAt(segment.documentOf(ordinal))}:${position}`);
    }
  });
  index.release();
  return chunks;
}

test("questions read an outdated segment, and nothing marks it as damaged", async (context) => {
  const { setting, projectId } = await leaveOutdated(context, [
    ["a", "tern gull kelp"],
    ["b", "dune"],
  ]);
  const { store } = setting.opened;
  assert.deepEqual(await readForQuestion(setting, projectId, TWO_VERSIONS), ["1:0", "1:1", "1:2", "2:0"]);
  assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
  await assert.rejects(() => readForQuestion(setting, projectId, ONE_VERSION), DamagedIndexError);
});

test("outdated segments are rewritten from their chunks in the background, and only once", async (context) => {
  const { setting, projectId } = await leaveOutdated(context, [
    ["a", "tern gull kelp dune reef"],
    ["b", "tern"],
  ]);
  const { store } = setting.opened;
  assert.deepEqual(await store.listOutdatedSegments({ projectId }), [1, 2, 3, 4]);
  assert.equal(await isUpkeepDue(store, setting.now), true);
  await setting.settle(work);
  assert.deepEqual(await store.listOutdatedSegments({ projectId }), []);
  assert.deepEqual(await segmentIds(setting, projectId), [5, 6, 7, 8]);
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
  assert.equal((await readForQuestion(setting, projectId, ONE_VERSION)).length, 6);
  assert.deepEqual(setting.logged, []);
  assert.equal(await isUpkeepDue(store, setting.now), false);
});

test("no outdated segment is merged before it has been rewritten", async (context) => {
  const documents = Array.from({ length: 9 }, (_, at) => [`d${at}`, "tern gull"] as const);
  const { setting, projectId } = await leaveOutdated(context, documents);
  const { store } = setting.opened;
  await store.postponeRewrite({ projectId, segmentId: 4, until: setting.now + 1 });
  let merged = 0;
  const counting = {
    ...work,
    merge(inputs: Parameters<typeof work.merge>[0]) {
      for (const { bytes } of inputs) assert.equal(bytes[4], OLDER_VERSION + 1);
      merged = Math.max(merged, inputs.length);
      return work.merge(inputs);
    },
  };
  await setting.settle(counting);
  assert.equal(merged, 8);
  assert.deepEqual(await store.listOutdatedSegments({ projectId }), [4]);
  setting.now += 1;
  await setting.settle(counting);
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});

test("an outdated segment that is damaged is repaired, and its neighbours are rewritten", async (context) => {
  const { setting, projectId } = await leaveOutdated(context, [["a", "tern gull kelp dune reef wrack"]]);
  const { store } = setting.opened;
  await damage(setting, projectId, 2, "flipped");
  await assert.rejects(() => readForQuestion(setting, projectId, TWO_VERSIONS), DamagedIndexError);
  await setting.settle(work);
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
  assert.deepEqual(await store.listOutdatedSegments({ projectId }), []);
  assert.deepEqual(
    setting.logged.map(({ event, fields }) => [event, fields.segmentId]),
    [["segment_damaged", 2]],
  );
});

test("a damaged segment of an older format is left to the repair", async (context) => {
  const { setting, projectId } = await leaveOutdated(context, [["a", "tern gull"]]);
  const { store } = setting.opened;
  await store.reportDamagedSegment({ projectId, segmentId: 1 });
  await store.postponeRepair({ projectId, segmentId: 1, until: setting.now + 1 });
  assert.deepEqual(await store.listRewrites({ now: setting.now, limit: 10 }), []);
  assert.equal(await isUpkeepDue(store, setting.now), false);
  setting.now += 1;
  await setting.settle(work);
  assert.deepEqual(await store.listOutdatedSegments({ projectId }), []);
});

test("a rewrite that fails is tried again ever more rarely, and the segment answers all the time", async (context) => {
  const { setting, projectId } = await leaveOutdated(context, [["a", "tern gull"]]);
  const { store, authDatabase } = setting.opened;
  const { db } = authDatabase();
  await sql`create table kept as select * from chunks where text = ${Buffer.from("gull")}`.execute(db);
  await sql`delete from chunks where text = ${Buffer.from("gull")}`.execute(db);
  const failed = () => setting.logged.filter(({ event }) => event === "segment_rewrite_failed");
  await setting.settle(work);
  await setting.settle(work);
  assert.equal(failed().length, 1);
  assert.equal(await isUpkeepDue(store, setting.now), false);
  assert.equal((await readForQuestion(setting, projectId, TWO_VERSIONS)).length, 2);
  assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
  setting.now += 60_000;
  await setting.settle(work);
  setting.now += 60_000;
  await setting.settle(work);
  assert.equal(failed().length, 2, "the second pause is longer than the first");

  await sql`insert into chunks select * from kept`.execute(db);
  setting.now += 60_000;
  await setting.settle(work);
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});
