/** Merges and repairs of real segments in a real store. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { indexedText } from "../../src/domain/document.ts";
import { buildSegment, type IndexableChunk } from "../../src/engine/index/build.ts";
import { mergeSegments } from "../../src/engine/index/merge.ts";
import { repairSegment } from "../../src/engine/index/repair.ts";
import { openSegment } from "../../src/engine/index/segment.ts";
import { createSegmentWork, doSegmentWork, type SegmentWork } from "../../src/engine/index/segment-work.ts";
import type { LogFields } from "../../src/ports/log.ts";
import { createMergingService, isUpkeepDue } from "../../src/services/merging.ts";
import { chunkOf, createScenario, leaseMs, month, type Scenario, TEST_SPACE, wordsOf } from "./scenario.ts";

const local: SegmentWork = createSegmentWork(async (request) => doSegmentWork(request));

interface Setting {
  readonly opened: OpenedStore;
  readonly scenario: Scenario;
  readonly logged: { readonly event: string; readonly fields: LogFields }[];
  now: number;
  /** Rounds until one finds nothing to do. */
  settle(work?: SegmentWork): Promise<void>;
}

async function open(context: TestContext): Promise<Setting> {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-upkeep-"));
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(async () => {
    await opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const logged: { event: string; fields: LogFields }[] = [];
  const note = (event: string, fields: LogFields = {}) => void logged.push({ event, fields });
  const log = { debug() {}, info() {}, warn: note, error: note };
  const setting: Setting = {
    opened,
    scenario: createScenario(opened.store, "upkeep"),
    logged,
    now: 1_000,
    async settle(work = local) {
      const { store } = opened;
      const merging = createMergingService({ store, work, log, now: () => setting.now, onDamage() {} });
      for (let round = 0; await merging.mergeNext(() => false); round++) assert.ok(round < 500);
    },
  };
  return setting;
}

/** Ingests one document, a batch for so many words, with the segments that the service would make. */
async function ingest(setting: Setting, projectId: string, document: readonly [string, string], batch = 2) {
  const { store } = setting.opened;
  const project = await store.findProject({ projectId });
  assert(project);
  await setting.scenario.accept(project, [document]);
  const claimed = await setting.scenario.claim();
  const [job] = claimed.jobs;
  if (job === undefined) return; // The document has this text already.
  const words = wordsOf(job.text);
  for (let from = 0; from < words.length; from += batch) {
    const chunks = words.slice(from, from + batch).map((word, index) => chunkOf(word, from + index));
    const indexable = chunks.map((chunk) => indexableOf(job.versionId, job.sourceDocId, chunk));
    const outcome = await store.commitBatch({
      space: TEST_SPACE,
      projectId,
      leaseToken: claimed.leaseToken,
      now: 3_000,
      leaseUntil: 3_000 + leaseMs,
      segment: buildSegment(indexable),
      parts: [
        {
          jobId: job.jobId,
          versionId: job.versionId,
          chunks,
          tokens: 0,
          finished: from + batch >= words.length,
        },
      ],
      tokenLimit: null,
      month,
    });
    assert.equal(outcome, "committed");
  }
}

function indexableOf(
  versionId: number,
  sourceDocId: string,
  chunk: ReturnType<typeof chunkOf>,
): IndexableChunk {
  const { position, vector } = chunk;
  return { versionId, sourceDocId, metadata: {}, position, vector, indexedText: indexedText(chunk) };
}

/** Everything that the index shows, as one segment; fails where a chunk is in two segments. */
async function wholeIndex({ opened: { store } }: Setting, projectId: string): Promise<Uint8Array | null> {
  const state = await store.readIndexState({ projectId });
  const inputs = [];
  for (const { segmentId, dead } of state?.segments ?? []) {
    const bytes = await store.readSegment({ projectId, segmentId });
    assert(bytes);
    inputs.push({ segment: openSegment(bytes), hiddenForGood: new Set(dead) });
  }
  return mergeSegments(inputs);
}

/** The same, made of the chunks that are stored. */
async function wholeFromChunks({ opened }: Setting, projectId: string): Promise<Uint8Array | null> {
  const rows = await sql<{ version_id: number; source_doc_id: string; position: number; text: Uint8Array }>`
    select c.version_id, v.source_doc_id, c.position, c.text from chunks c join document_versions v
    on v.project_id = c.project_id and v.version_id = c.version_id where c.project_id = ${projectId}`.execute(
    opened.authDatabase().db,
  );
  const chunks = rows.rows.map((row) => {
    const chunk = chunkOf(new TextDecoder().decode(row.text), row.position);
    return indexableOf(row.version_id, row.source_doc_id, chunk);
  });
  return chunks.length === 0 ? null : buildSegment(chunks);
}

const damages = ["cut", "flipped", "older", "other", "missing"] as const;

async function damage(setting: Setting, projectId: string, segmentId: number, how: (typeof damages)[number]) {
  const { store, authDatabase } = setting.opened;
  const { db } = authDatabase();
  if (how === "missing") {
    await sql`delete from segment_blobs where project_id = ${projectId} and segment_id = ${segmentId}`.execute(
      db,
    );
    return;
  }
  const bytes = await store.readSegment({ projectId, segmentId });
  if (bytes === null) return; // A damage before this one took them.
  const damaged = damagedBytes(bytes.slice(), how);
  await sql`update segment_blobs set bytes = ${damaged} where project_id = ${projectId}
    and segment_id = ${segmentId}`.execute(db);
}

function damagedBytes(bytes: Uint8Array, how: (typeof damages)[number]): Uint8Array {
  if (how === "cut") return bytes.subarray(0, bytes.length - 8);
  if (how === "older") bytes[4] = 0;
  if (how === "flipped") bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  if (how === "other")
    return buildSegment([1, 2, 3, 4, 5].map((at) => indexableOf(900, "z", chunkOf("z", at))));
  return bytes;
}

async function segmentIds({ opened: { store } }: Setting, projectId: string): Promise<readonly number[]> {
  const state = await store.readIndexState({ projectId });
  return (state?.segments ?? []).map(({ segmentId }) => segmentId);
}

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
  const merging = createMergingService({ store, work: failing, log, now: () => 0, onDamage() {} });
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
  const merging = createMergingService({ store, work: counting, log, now: () => 0, onDamage() {} });
  for (let round = 0; round < 6; round++) assert.equal(await merging.mergeNext(() => false), false);
  assert.deepEqual([merges, told.length], [3, 6]);
  assert.equal(told[0], "merge_failed");
  assert.match(String(told[1]), /do not hold the chunks that the database lists/);
  assert.equal(await isUpkeepDue(store, 0), false);
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
  const deps = { store, work: counting, log, now: () => setting.now, onDamage };
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
  const deps = { store: blind, work: local, log, now: () => 0, onDamage: assert.fail };
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
  const merging = createMergingService({ store, work: local, log, now: () => 0, onDamage() {} });
  await merging.mergeNext(() => asked++ > 0);
  assert.deepEqual(await segmentIds(setting, projectId), [1]);
  await setting.settle();
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
});
