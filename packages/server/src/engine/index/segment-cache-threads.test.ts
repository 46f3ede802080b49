/** Tests of the cache with real threads, which run this file as well. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildSegment } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { openSegment } from "./segment.ts";
import { type CacheClock, createSegmentCache, type SegmentLease } from "./segment-cache.ts";
import { createSharedIndexMemory, type SharedIndexMemory } from "./shared-memory.ts";

interface Task {
  readonly kind: "load" | "stress" | "damaged";
  readonly shared: SharedIndexMemory;
  readonly thread: number;
  readonly blobs: readonly Uint8Array[];
  /** Threads start when its word, the number of waiting threads, equals the number of threads. */
  readonly gate: Int32Array;
}

const THREADS = 4;
const ROUNDS = 400;
/** Far more than any load takes: a wait that ends by this limit was never notified. */
const NEVER_NOTIFIED_MS = 60_000;

/** A clock that does not advance, so that a load never exceeds its limit, however busy the machine is. */
const CLOCK: CacheClock = {
  now: () => 0,
  wait(words, index, value) {
    if (Atomics.wait(words, index, value, NEVER_NOTIFIED_MS) !== "timed-out") return;
    throw new Error("a thread that waits for another one is not woken");
  },
};

function startTogether({ gate, shared }: Task): void {
  if (Atomics.add(gate, 0, 1) + 1 === shared.threads) Atomics.notify(gate, 0);
  for (let here = Atomics.load(gate, 0); here < shared.threads; here = Atomics.load(gate, 0)) {
    Atomics.wait(gate, 0, here, 1_000);
  }
}

/** Adds every segment at the same time as the other threads. Returns the addresses of the rows. */
function load(task: Task): readonly number[] {
  const cache = createSegmentCache({ ...task, clock: CLOCK });
  startTogether(task);
  return task.blobs.map((bytes, segmentId) => {
    const lease = cache.add({ projectId: "p", segmentId }, bytes);
    return lease?.segment.rows.byteOffset ?? -1;
  });
}

/**
 * Leases, compares and releases segments at random, in a cache that does not hold all of them. Returns how many
 * segments it leased and how many of these had other bytes.
 */
function stress(task: Task): { readonly differing: number; readonly leased: number } {
  const cache = createSegmentCache({ ...task, clock: CLOCK });
  const expected = task.blobs.map((bytes) => Buffer.from(openSegment(bytes).rows));
  const random = createRandom(task.thread);
  let differing = 0;
  let leased = 0;
  startTogether(task);
  const open: { readonly segmentId: number; readonly lease: SegmentLease }[] = [];
  const release = () => {
    const { segmentId, lease } = open.splice(random(open.length), 1)[0]!;
    if (expected[segmentId]?.compare(Buffer.from(lease.segment.rows)) !== 0) differing++;
    lease.release();
  };
  for (let round = 0; round < ROUNDS; round++) {
    const segmentId = random(task.blobs.length);
    const key = { projectId: "p", segmentId };
    const lease = cache.find(key) ?? cache.add(key, task.blobs[segmentId]!);
    if (lease !== null) open.push({ segmentId, lease });
    if (lease !== null) leased++;
    if (open.length > 2) release();
    if (random(20) === 0) cache.retain("p", new Set([random(task.blobs.length), random(task.blobs.length)]));
  }
  while (open.length > 0) release();
  return { differing, leased };
}

function addDamaged(task: Task): string {
  const cache = createSegmentCache({ ...task, clock: CLOCK });
  startTogether(task);
  try {
    cache.add({ projectId: "p", segmentId: 1 }, task.blobs[0]!);
    return "kept";
  } catch (error) {
    return error instanceof DamagedSegmentError ? "damaged" : String(error);
  }
}

/** A linear congruential generator with a fixed seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function runInThreads(kind: Task["kind"], given: Pick<Task, "shared" | "blobs">): Promise<unknown[]> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  return Promise.all(
    Array.from({ length: THREADS }, (_, thread) => {
      const data: Task = { ...given, kind, thread, gate };
      const worker = new Worker(new URL(import.meta.url), { workerData: data });
      return new Promise((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
      });
    }),
  );
}

const blobOf = (versionId: number, count: number): Uint8Array =>
  buildSegment(
    Array.from({ length: count }, (_, position) => ({
      versionId,
      position,
      sourceDocId: "d",
      metadata: {},
      indexedText: `text ${versionId}`,
      vector: Float32Array.from({ length: 32 }, (_, index) => Math.sin(versionId + position * index)),
    })),
  );

function addTests(): void {
  const blobs = Array.from({ length: 12 }, (_, at) => blobOf(at, 20 + 40 * at));
  const bytes = blobs.reduce((sum, { byteLength }) => sum + Math.ceil(byteLength / 64) * 64, 0);

  test("threads that load the same segments at once share one copy of each and wake each other", async () => {
    const shared = createSharedIndexMemory({ cacheBytes: bytes, threads: THREADS, scratchBytes: 64 });
    const results = (await runInThreads("load", { shared, blobs })) as ReturnType<typeof load>[];
    for (const addresses of results) {
      assert.deepEqual(addresses, results[0]);
      assert.ok(!addresses.includes(-1));
    }
    const cache = createSegmentCache({ shared, thread: 0 });
    assert.equal(cache.segmentCount, blobs.length);
    assert.equal(cache.usedBytes, bytes);
  });

  test("with many threads and too little memory, no thread sees other bytes than those of its leases", async () => {
    const cacheBytes = Math.ceil(bytes / 2);
    const shared = createSharedIndexMemory({ cacheBytes, threads: THREADS, scratchBytes: 64 });
    const results = (await runInThreads("stress", { shared, blobs })) as ReturnType<typeof stress>[];
    for (const { differing } of results) assert.equal(differing, 0);
    // The share of one thread depends on how long the others hold their leases.
    assert.ok(results.reduce((sum, { leased }) => sum + leased, 0) > ROUNDS / 4);
    const cache = createSegmentCache({ shared, thread: 0 });
    assert.ok(cache.usedBytes <= cacheBytes);
    cache.retain("p", new Set());
    assert.equal(cache.usedBytes, 0);
    assert.equal(cache.segmentCount, 0);
  });

  test("a segment that one thread finds damaged is rejected by the threads that wait for it, too", async () => {
    const damaged = Uint8Array.from(blobs.at(-1)!);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 0x80;
    const shared = createSharedIndexMemory({ cacheBytes: bytes, threads: THREADS, scratchBytes: 64 });
    const results = await runInThreads("damaged", { shared, blobs: [damaged] });
    assert.deepEqual(results, new Array(THREADS).fill("damaged"));
    assert.equal(createSegmentCache({ shared, thread: 0 }).usedBytes, 0);
  });
}

if (isMainThread) addTests();
else {
  const task = workerData as Task; // Given by `runInThreads`.
  const work = { load, stress, damaged: addDamaged }[task.kind];
  parentPort?.postMessage(work(task));
}
