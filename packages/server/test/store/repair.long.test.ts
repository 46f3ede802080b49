/** Repairs of real segments in a real store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { repairSegment } from "../../src/engine/index/repair.ts";
import type { SegmentWork } from "../../src/engine/index/segment-work.ts";
import { createMergingService, isUpkeepDue } from "../../src/services/merging.ts";
import {
  damage,
  damages,
  ingest,
  local,
  open,
  segmentIds,
  wholeFromChunks,
  wholeIndex,
} from "./upkeep-setting.ts";

const jobLifeMs = Number.MAX_SAFE_INTEGER;

const texts = fc
  .array(fc.constantFrom("tern", "gull", "kelp", "dune", "reef"), { minLength: 1, maxLength: 9 })
  .map((words) => words.join(" "));

test("whatever is damaged, the index is again what the chunks make of it", async (context) => {
  const setting = await open(context);
  const { store } = setting.opened;
  const documents = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), texts), {
    minLength: 1,
    maxLength: 7,
  });
  const faults = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...damages), fc.boolean()), { maxLength: 6 });
  const property = fc.asyncProperty(documents, faults, fc.boolean(), async (list, faulty, mergesFirst) => {
    const { projectId } = await setting.scenario.project();
    for (const document of list) await ingest(setting, projectId, document);
    if (mergesFirst) await setting.settle();
    const ids = await segmentIds(setting, projectId);
    for (const [place, how, isReported] of faulty) {
      const segmentId = ids[place % ids.length] ?? 0;
      await damage(setting, projectId, segmentId, how);
      if (isReported) await store.reportDamagedSegment({ projectId, segmentId });
    }
    // A damage that nobody has met is found beside one that was, or by a question.
    const [first = 0] = ids;
    await store.reportDamagedSegment({ projectId, segmentId: first });
    await setting.settle();
    assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
    assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
    await store.deleteProject({ projectId });
  });
  await fc.assert(property, { numRuns: 25 });
});

test("a damaged segment that a merge meets is told of, rebuilt and merged", async (context) => {
  const setting = await open(context);
  const { projectId } = await setting.scenario.project();
  for (let at = 0; at < 9; at++) await ingest(setting, projectId, [`d${at}`, "tern gull"]);
  await damage(setting, projectId, 4, "flipped");
  await setting.settle();
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
  assert.equal((await segmentIds(setting, projectId)).length, 1);
  assert.equal(setting.logged.length, 1);
  const { event, fields } = setting.logged[0] ?? { event: "", fields: {} };
  assert.deepEqual([event, fields.projectId, fields.segmentId], ["segment_damaged", projectId, 4]);
  assert.match(String(fields.error), /checksum/);
});

test("two that repair and merge at once leave every chunk in the index once", async (context) => {
  const setting = await open(context);
  const { projectId } = await setting.scenario.project();
  const words = Array.from({ length: 24 }, (_, at) => `tern${at}`).join(" ");
  await ingest(setting, projectId, ["long", words]);
  const { store } = setting.opened;
  for (const segmentId of [2, 3, 5, 7, 11, 12]) {
    await damage(setting, projectId, segmentId, "cut");
    await store.reportDamagedSegment({ projectId, segmentId });
  }
  await Promise.all([setting.settle(), setting.settle(), setting.settle()]);
  await setting.settle();
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});

test("of two that rebuild segments with chunks of one document at once, one has to look again", async (context) => {
  const setting = await open(context);
  const { store } = setting.opened;
  const { projectId } = await setting.scenario.project();
  await ingest(setting, projectId, ["long", "tern gull kelp dune"]);
  for (const segmentId of [1, 2]) {
    await damage(setting, projectId, segmentId, "cut");
    await store.reportDamagedSegment({ projectId, segmentId });
  }
  // Both have decided which chunks they take before either writes.
  const both = Promise.withResolvers<void>();
  let built = 0;
  const work: SegmentWork = {
    ...local,
    async build(chunks) {
      if (++built === 2) both.resolve();
      await both.promise;
      return local.build(chunks);
    },
  };
  const deps = { store, work, stopping: () => false };
  const outcomes = await Promise.all(
    [1, 2].map((segmentId) => repairSegment({ projectId, segmentId }, deps)),
  );
  assert.deepEqual(outcomes.toSorted(), ["changed", "repaired"]);
  await setting.settle();
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});

test("a segment whose chunks are not stored stays marked, is told of, and is tried again ever more rarely", async (context) => {
  const setting = await open(context);
  const { store, authDatabase } = setting.opened;
  const { projectId } = await setting.scenario.project();
  await ingest(setting, projectId, ["a", "tern gull"]);
  await ingest(setting, projectId, ["b", "kelp"]);
  await damage(setting, projectId, 1, "cut");
  const { db } = authDatabase();
  await sql`create table kept as select * from chunks where text = ${Buffer.from("gull")}`.execute(db);
  await sql`delete from chunks where text = ${Buffer.from("gull")}`.execute(db);
  await store.reportDamagedSegment({ projectId, segmentId: 1 });

  const told = () => setting.logged.filter(({ event }) => event === "segment_repair_failed");
  await setting.settle();
  await setting.settle();
  assert.equal(told().length, 1);
  assert.match(String(told()[0]?.fields.error), /cannot be built again: 1 of its chunks are not stored/);
  assert.equal(await isUpkeepDue(store, setting.now), false);
  assert.deepEqual(await store.listDamagedSegments({ projectId }), [1]);
  setting.now += 60_000;
  await setting.settle();
  setting.now += 60_000;
  await setting.settle();
  assert.equal(told().length, 2, "the second pause is longer than the first");

  await sql`insert into chunks select * from kept`.execute(db);
  setting.now += 60_000;
  assert.equal(await isUpkeepDue(store, setting.now), true);
  await setting.settle();
  assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});

test("a project of many marked segments is read for damage once in an hour, not in each round", async (context) => {
  const setting = await open(context);
  const { store } = setting.opened;
  const { projectId } = await setting.scenario.project();
  await ingest(setting, projectId, ["a", Array.from({ length: 80 }, (_, at) => `tern${at}`).join(" ")]);
  for (let segmentId = 1; segmentId <= 36; segmentId++) {
    await store.reportDamagedSegment({ projectId, segmentId });
  }
  await damage(setting, projectId, 40, "cut");
  let looks = 0;
  const counting: SegmentWork = {
    ...local,
    positions(segment, versionIds) {
      if (versionIds.length === 0) looks++;
      return local.positions(segment, versionIds);
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  let told = 0;
  const onDamage = () => void told++;
  const deps = { store, work: counting, log, now: () => setting.now, jobLifeMs, onDamage };
  const merging = createMergingService(deps);
  for (let round = 0; await merging.mergeNext(() => false); round++) assert.ok(round < 50);
  assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
  assert.deepEqual([looks, told], [4, 1], "the four that were not marked");

  const [segmentId = 0] = await segmentIds(setting, projectId);
  setting.now += 3_600_000;
  await store.reportDamagedSegment({ projectId, segmentId });
  await ingest(setting, projectId, ["b", "gull"]);
  const unmarked = (await segmentIds(setting, projectId)).length - 1;
  await merging.mergeNext(() => false);
  assert.equal(looks, 4 + unmarked);
});

test("a damaged segment that is marked already keeps no round busy", async (context) => {
  const setting = await open(context);
  const { store } = setting.opened;
  const { projectId } = await setting.scenario.project();
  await ingest(setting, projectId, ["a", "tern gull kelp dune"]);
  await damage(setting, projectId, 2, "cut");
  await store.reportDamagedSegment({ projectId, segmentId: 1 });
  // Somebody else marks it between the look at the marks and the report.
  const blind = Object.create(store, {
    reportDamagedSegment: {
      async value(input: Parameters<typeof store.reportDamagedSegment>[0]) {
        await store.reportDamagedSegment(input);
        return store.reportDamagedSegment(input);
      },
    },
    readRepair: { value: async () => null },
  });
  const log = { debug() {}, info() {}, warn() {}, error: assert.fail };
  const deps = { store: blind, work: local, log, now: () => 0, jobLifeMs, onDamage: assert.fail };
  assert.equal(await createMergingService(deps).mergeNext(() => false), false);
});

test("a repair that is told to stop writes nothing and is taken up again", async (context) => {
  const setting = await open(context);
  const { store } = setting.opened;
  const { projectId } = await setting.scenario.project();
  await ingest(setting, projectId, ["a", "tern gull"]);
  await damage(setting, projectId, 1, "cut");
  await store.reportDamagedSegment({ projectId, segmentId: 1 });
  let asked = 0;
  const log = { debug() {}, info() {}, warn() {}, error: assert.fail };
  const merging = createMergingService({
    store,
    work: local,
    log,
    jobLifeMs,
    now: () => 0,
    onDamage() {},
  });
  await merging.mergeNext(() => asked++ > 0);
  assert.deepEqual(await segmentIds(setting, projectId), [1]);
  await setting.settle();
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});
