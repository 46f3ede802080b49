/** The cache under real threads: this file is what they run, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { buildSegment } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { openSegment } from "./segment.ts";
import { createSegmentCache, type SegmentLease } from "./segment-cache.ts";
import { createSharedIndexMemory, type SharedIndexMemory } from "./shared-memory.ts";

interface Task {
  readonly kind: "meet" | "hammer" | "damaged";
  readonly shared: SharedIndexMemory;
  readonly thread: number;
  readonly blobs: readonly Uint8Array[];
  /** All begin when its word is as high as there are threads. */
  readonly gate: Int32Array;
}

const THREADS = 4;
const ROUNDS = 400;

function startTogether({ gate, shared }: Task): void {
  if (Atomics.add(gate, 0, 1) + 1 === shared.threads) Atomics.notify(gate, 0);
  for (let here = Atomics.load(gate, 0); here < shared.threads; here = Atomics.load(gate, 0)) {
    Atomics.wait(gate, 0, here, 1_000);
  }
}

/** Adds every segment when the others do, and tells where they are and how long it took. */
function meet(task: Task): { readonly places: readonly number[]; readonly elapsedMs: number } {
  const cache = createSegmentCache(task);
  startTogether(task);
  const start = performance.now();
  const places = task.blobs.map((bytes, segmentId) => {
    const lease = cache.add({ projectId: "p", segmentId }, bytes);
    return lease?.segment.rows.byteOffset ?? -1;
  });
  return { places, elapsedMs: performance.now() - start };
}

/** Leases, compares and gives back at random, in a cache that does not hold all. Tells how often it differed. */
function hammer(task: Task): { readonly differing: number; readonly leased: number } {
  const cache = createSegmentCache(task);
  const wanted = task.blobs.map((bytes) => Buffer.from(openSegment(bytes).rows));
  const random = createRandom(task.thread);
  let differing = 0;
  let leased = 0;
  startTogether(task);
  const open: { readonly segmentId: number; readonly lease: SegmentLease }[] = [];
  const giveBack = () => {
    const { segmentId, lease } = open.splice(random(open.length), 1)[0]!;
    if (wanted[segmentId]?.compare(Buffer.from(lease.segment.rows)) !== 0) differing++;
    lease.release();
  };
  for (let round = 0; round < ROUNDS; round++) {
    const segmentId = random(task.blobs.length);
    const key = { projectId: "p", segmentId };
    const lease = cache.find(key) ?? cache.add(key, task.blobs[segmentId]!);
    if (lease !== null) open.push({ segmentId, lease });
    if (lease !== null) leased++;
    if (open.length > 2) giveBack();
    if (random(20) === 0) cache.retain("p", new Set([random(task.blobs.length), random(task.blobs.length)]));
  }
  while (open.length > 0) giveBack();
  return { differing, leased };
}

function addDamaged(task: Task): string {
  const cache = createSegmentCache(task);
  startTogether(task);
  try {
    cache.add({ projectId: "p", segmentId: 1 }, task.blobs[0]!);
    return "kept";
  } catch (error) {
    return error instanceof DamagedSegmentError ? "damaged" : String(error);
  }
}

/** A linear congruential generator: the same numbers at each run. */
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

  test("threads that load the same segments at once end with one copy of each", async () => {
    const shared = createSharedIndexMemory({ cacheBytes: bytes, threads: THREADS, scratchBytes: 64 });
    const results = (await runInThreads("meet", { shared, blobs })) as ReturnType<typeof meet>[];
    for (const { places, elapsedMs } of results) {
      assert.deepEqual(places, results[0]?.places);
      assert.ok(elapsedMs < 4_000, "who waits for another is woken, not timed out");
    }
    const cache = createSegmentCache({ shared, thread: 0 });
    assert.equal(cache.segmentCount, blobs.length);
    assert.equal(cache.usedBytes, bytes);
  });

  test("under many threads and too little room nobody sees other bytes than those it leased", async () => {
    const cacheBytes = Math.ceil(bytes / 2);
    const shared = createSharedIndexMemory({ cacheBytes, threads: THREADS, scratchBytes: 64 });
    const results = (await runInThreads("hammer", { shared, blobs })) as ReturnType<typeof hammer>[];
    for (const { differing } of results) assert.equal(differing, 0);
    // How many one thread gets depends on how long the others hold theirs.
    assert.ok(results.reduce((sum, { leased }) => sum + leased, 0) > ROUNDS / 4);
    const cache = createSegmentCache({ shared, thread: 0 });
    assert.ok(cache.usedBytes <= cacheBytes);
    cache.retain("p", new Set());
    assert.equal(cache.usedBytes, 0);
    assert.equal(cache.segmentCount, 0);
  });

  test("a segment that one thread finds damaged is given up by those that wait for it, too", async () => {
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
  const work = { meet, hammer, damaged: addDamaged }[task.kind];
  parentPort?.postMessage(work(task));
}
