import assert from "node:assert/strict";
import { test } from "node:test";
import type { SegmentWork } from "../engine/index/segment-work.ts";
import {
  type DamagedSegment,
  type IndexState,
  type SegmentState,
  type Store,
  StoreUnavailableError,
} from "../ports/store.ts";
import { createMergingService } from "./merging.ts";

const NOW = 1_000_000;
const HOUR_MS = 60 * 60_000;

function sceneOf(given: Partial<Store>, now = () => NOW) {
  const logged: string[] = [];
  const store: Partial<Store> = {
    listRepairs: async () => [],
    listRewrites: async () => [],
    listMergeCandidates: async () => [],
    listDamagedSegments: async () => [],
    listOutdatedSegments: async () => [],
    readIndexState: async () => null,
    reclaim: async () => false,
    ...given,
  };
  const log = (event: string) => void logged.push(event);
  const merging = createMergingService({
    store: store as Store, // Has the methods that a round calls.
    work: {} as SegmentWork, // Nothing is read that work could be done on.
    log: { debug: log, info: log, warn: log, error: log },
    now,
    jobLifeMs: 9 * HOUR_MS,
    endedJobs: 7,
    onDamage: () => assert.fail("no damage was found"),
  });
  return { mergeNext: () => merging.mergeNext(() => false), logged };
}

test("a failed repair or rewrite is due again after a pause that doubles, up to six hours", async () => {
  const due = [0, 1, 9, 1_000].map(
    (failures): DamagedSegment => ({ projectId: "p", segmentId: failures, failures }),
  );
  const postponed: (readonly [number, number])[] = [];
  const postpone: Store["postponeRepair"] = async ({ segmentId, until }) =>
    void postponed.push([segmentId, until - NOW]);
  const expected = [
    [0, 60_000],
    [1, 120_000],
    [9, 6 * HOUR_MS],
    [1_000, 6 * HOUR_MS],
  ];
  const readRepair = () => Promise.reject(new Error("cannot be read"));
  const repairs = sceneOf({ listRepairs: async () => due, postponeRepair: postpone, readRepair });
  assert.equal(await repairs.mergeNext(), false);
  assert.deepEqual(postponed.splice(0), expected);
  const rewrites = sceneOf({ listRewrites: async () => due, postponeRewrite: postpone, readRepair });
  assert.equal(await rewrites.mergeNext(), false);
  assert.deepEqual(postponed, expected);
  assert.deepEqual(
    [repairs.logged, rewrites.logged],
    [due.map(() => "segment_repair_failed"), due.map(() => "segment_rewrite_failed")],
  );
});

test("a project whose merge fails three times is left alone until it changes", async () => {
  const checked: number[] = [];
  const segments = Array.from({ length: 8 }, (_, segmentId): SegmentState => {
    const counts = { byteLength: 1, chunkCount: 1, deadChunkCount: 0 };
    return { segmentId, ...counts, isDamaged: false, dead: [], staged: [] };
  });
  const { mergeNext, logged } = sceneOf({
    listMergeCandidates: async () => ["p"],
    readIndexState: async () => ({ segments, indexVersion: 7 }) as Partial<IndexState> as IndexState, // What is read.
    readSegment: () => Promise.reject(new Error("cannot be read")),
    markMergeChecked: async ({ indexVersion }) => void checked.push(indexVersion),
  });
  for (const marks of [[], [], [7]]) {
    assert.equal(await mergeNext(), false);
    assert.deepEqual(checked, marks);
  }
  assert.deepEqual(logged, ["merge_failed", "merge_failed", "merge_failed"]);
});

test("each round tells the store how long jobs are kept, and how many, in each of its transactions", async () => {
  const given: unknown[] = [];
  const { mergeNext } = sceneOf({ reclaim: async (input) => given.push(input) > 4 });
  assert.equal(await mergeNext(), false);
  const [jobLifeMs, endedJobs] = [9 * HOUR_MS, 7];
  const same = { now: NOW, jobLifeMs, endedJobs, passedOver: 0 };
  const parts = ["changes", "moves", "entities", "rows"].map((part) => ({
    part,
    maxPages: part === "rows" ? 256 : 0,
  }));
  assert.deepEqual(
    given,
    parts.map((part) => ({ ...same, ...part })),
  );
});

test("a project whose step fails is passed over for a minute; the rest of the upkeep and other projects go on", async () => {
  let now = NOW;
  const given: unknown[] = [];
  const { mergeNext, logged } = sceneOf(
    {
      async reclaim({ part, passedOver }) {
        if (part === "changes") given.push(passedOver);
        if (passedOver === 0) throw new Error("the first project's step fails");
        return false;
      },
    },
    () => now,
  );
  assert.deepEqual([await mergeNext(), await mergeNext(), await mergeNext()], [true, false, false]);
  now += 61_000;
  await mergeNext();
  assert.deepEqual(given, [0, 1, 1, 0]);
  assert.deepEqual(logged, ["upkeep_step_failed", "upkeep_step_failed"]);
});

test("an object that cannot be used costs its segment or project a turn; one that cannot be removed, nothing", async () => {
  const fault = () =>
    Promise.reject(new StoreUnavailableError("segment_object", "The object p/1-a cannot be read.", null));
  const postponed: string[] = [];
  const merged: string[] = [];
  const removals: unknown[] = [];
  const { mergeNext, logged } = sceneOf({
    listRepairs: async () => [{ projectId: "p", segmentId: 1, failures: 1 }],
    listRewrites: async () => [{ projectId: "p", segmentId: 2, failures: 1 }],
    readRepair: fault,
    postponeRepair: async ({ segmentId }) => void postponed.push(`repair ${segmentId}`),
    postponeRewrite: async ({ segmentId }) => void postponed.push(`rewrite ${segmentId}`),
    listMergeCandidates: async () => ["p", "q"],
    readIndexState({ projectId }) {
      merged.push(projectId);
      return projectId === "p" ? fault() : Promise.resolve(null);
    },
    reclaim: ({ part, passedOver }) =>
      part === "rows" && removals.push(passedOver) === 1 ? fault() : Promise.resolve(false),
  });
  assert.deepEqual([await mergeNext(), await mergeNext()], [true, false]);
  assert.deepEqual(postponed, ["repair 1", "rewrite 2", "repair 1", "rewrite 2"]);
  assert.deepEqual(merged, ["p", "q", "p", "q"]);
  assert.deepEqual(removals, [0, 0]);
  const events = ["segment_repair_failed", "segment_rewrite_failed", "merge_failed"];
  assert.deepEqual(logged, [...events, "object_removal_failed", ...events]);
});

test("while the segment store is full, what is no longer needed is removed all the same", async () => {
  const removed: unknown[] = [];
  const full = () => Promise.reject(new StoreUnavailableError("disk_full", "The disk is full.", null));
  const { mergeNext } = sceneOf({
    listMergeCandidates: async () => ["p"],
    readIndexState: full,
    reclaim: async ({ part }) => removed.push(part) < 0,
  });
  await assert.rejects(mergeNext(), StoreUnavailableError);
  assert.ok(removed.includes("rows"));
});

test("a fault of everything ends the round, and so does a database that does not answer", async () => {
  const { mergeNext } = sceneOf({ reclaim: () => Promise.reject(new Error("broken")) });
  for (let rounds = 0; rounds < 32; rounds++) assert.equal(await mergeNext(), true);
  await assert.rejects(mergeNext(), /broken/);
  const gone = sceneOf({ reclaim: () => Promise.reject(new StoreUnavailableError("busy", "later", null)) });
  await assert.rejects(gone.mergeNext(), StoreUnavailableError);
});
