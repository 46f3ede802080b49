import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { buildSegment } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { WASM_PAGE_BYTES } from "./kernels/web-assembly.ts";
import { openSegment, type Segment } from "./segment.ts";
import { type CacheClock, createSegmentCache, type SegmentLease } from "./segment-cache.ts";
import { createSegmentDirectory } from "./segment-directory.ts";
import { createSharedIndexMemory, scratchAddress } from "./shared-memory.ts";

const THREADS = 3;
const blob = (versionId: number, count = 10): Uint8Array =>
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
const keyOf = (segmentId: number, projectId = "p") => ({ projectId, segmentId });
const roundedUp = (bytes: Uint8Array): number => Math.ceil(bytes.byteLength / 64) * 64;
const size = roundedUp(blob(1));

/** The caches of several threads, all used from this thread; that works as long as none waits for another. */
const cachesFor = (cacheBytes: number) => {
  const shared = createSharedIndexMemory({ cacheBytes, threads: THREADS, scratchBytes: 1000 });
  return Array.from({ length: THREADS }, (_, thread) => createSegmentCache({ shared, thread }));
};
const roomFor = (count: number) => {
  const [first, second] = cachesFor(size * count);
  return { first: first!, second: second! };
};
const held = (lease: SegmentLease | null): SegmentLease => {
  assert.ok(lease !== null);
  return lease;
};
const contentOf = ({ rows, scales, postings, positions, lengths }: Segment) =>
  [rows, scales, postings, positions, lengths].map((section) => [...section]);

test("a segment that one thread adds is found by the others, at the same address", () => {
  const { first, second } = roomFor(2);
  const added = held(first.add(keyOf(1), blob(1)));
  const found = held(second.find(keyOf(1)));
  assert.equal(found.segment.rows.byteOffset, added.segment.rows.byteOffset);
  assert.equal(held(second.add(keyOf(1), blob(1))).segment, found.segment);
  assert.deepEqual(contentOf(found.segment), contentOf(openSegment(blob(1))));
  assert.equal(second.usedBytes, size);
});

test("segments start at multiples of 64, after all scratch areas", () => {
  const shared = createSharedIndexMemory({ cacheBytes: 9 * size, threads: THREADS, scratchBytes: 1000 });
  const cache = createSegmentCache({ shared, thread: 0 });
  for (const id of [1, 2, 3]) {
    const { rows } = held(cache.add(keyOf(id), blob(id, 10 + id))).segment;
    const start = rows.byteOffset - openSegment(blob(id, 10 + id)).rows.byteOffset;
    assert.equal(start % 64, 0);
    assert.ok(start >= scratchAddress(shared, THREADS - 1) + 1000);
  }
  assert.deepEqual(
    [0, 1, 2].map((thread) => scratchAddress(shared, thread) - scratchAddress(shared, 0)),
    [0, 1024, 2048],
  );
  assert.equal(scratchAddress(shared, 0), WASM_PAGE_BYTES, "the kernels' constants are in the first page");
  for (const wrong of [THREADS, 0.5, Number.NaN]) {
    assert.throws(() => scratchAddress(shared, wrong), RangeError);
  }
  assert.throws(() => createSegmentCache({ shared, thread: -1 }), RangeError);
});

test("a shared memory of more than 4 GiB is rejected", () => {
  assert.throws(
    () => createSharedIndexMemory({ cacheBytes: 2 ** 32, threads: 1, scratchBytes: 64 }),
    /limited to 4 GiB/,
  );
});

test("the segment that any thread used least recently is evicted first", () => {
  const { first, second } = roomFor(3);
  for (const id of [1, 2, 3]) first.add(keyOf(id), blob(id))?.release();
  second.find(keyOf(1))?.release();
  second.add(keyOf(4), blob(4))?.release();
  const isCached = [1, 2, 3, 4].map((id) => {
    const lease = first.find(keyOf(id));
    lease?.release();
    return lease !== null;
  });
  assert.deepEqual(isCached, [true, false, true, true]);
  assert.equal(first.segmentCount, 3);
  assert.equal(first.usedBytes, 3 * size);
});

test("a leased segment stays until every thread has released its lease; a repeated release has no effect", () => {
  const { first, second } = roomFor(1);
  const one = held(first.add(keyOf(1), blob(1)));
  const again = held(second.find(keyOf(1)));
  const expected = contentOf(one.segment);
  one.release();
  one.release();
  assert.equal(first.add(keyOf(2), blob(2)), null);
  assert.deepEqual(contentOf(again.segment), expected);
  again.release();
  assert.notEqual(first.add(keyOf(2), blob(2)), null);
  assert.equal(second.find(keyOf(1)), null);
});

test("nothing is evicted for a segment for which the leased segments leave no room", () => {
  const { first } = roomFor(3);
  for (const id of [1, 2, 3]) first.add(keyOf(id), blob(id))?.release();
  const middle = held(first.find(keyOf(2)));
  assert.equal(first.add(keyOf(4), blob(4, 20)), null);
  assert.equal(first.segmentCount, 3);
  middle.release();
  assert.notEqual(first.add(keyOf(4), blob(4, 20)), null);
});

test("a segment that is 64 bytes too long for the free memory is not added, one that fits exactly is", () => {
  for (const [spare, fits] of [
    [-64, false],
    [-1, false],
    [0, true],
  ] as const) {
    const [cache] = cachesFor(3 * size + spare);
    const leases = [1, 2].map((id) => held(cache!.add(keyOf(id), blob(id))));
    assert.equal(cache?.add(keyOf(3), blob(3)) !== null, fits);
    assert.deepEqual(
      leases.map(({ segment }) => contentOf(segment)),
      [1, 2].map((id) => contentOf(openSegment(blob(id)))),
    );
  }
});

test("a thread does not confuse a cached segment with a later one at the same address", () => {
  const { first, second } = roomFor(1);
  first.add(keyOf(1), blob(1))?.release();
  // The third segment gets the directory entry of the first one, but its columns start at other addresses.
  for (const id of [2, 3]) {
    second.add(keyOf(id), blob(id, 5))?.release();
    const lease = held(first.find(keyOf(id)));
    assert.equal(lease.segment.versionIdAt(0), id);
    assert.deepEqual(contentOf(lease.segment), contentOf(openSegment(blob(id, 5))));
    lease.release();
  }
});

test("segments with equal ids in two projects are different segments, and ids beyond 32 bits are distinguished", () => {
  const { first } = roomFor(3);
  first.add(keyOf(1, "a"), blob(1))?.release();
  assert.equal(first.find(keyOf(1, "b")), null);
  assert.equal(first.find(keyOf(1 + 2 ** 32, "a")), null);
  first.add(keyOf(2 ** 53 - 1, "a"), blob(2))?.release();
  first.retain("a", new Set([2 ** 53 - 1]));
  assert.notEqual(first.find(keyOf(2 ** 53 - 1, "a")), null);
});

test("a project's merged segments are dropped, leased ones when they are released", () => {
  const { first, second } = roomFor(9);
  const leased = held(first.add(keyOf(1), blob(1)));
  for (const id of [2, 3]) first.add(keyOf(id), blob(id))?.release();
  first.add(keyOf(1, "other"), blob(4))?.release();
  const expected = contentOf(leased.segment);
  second.retain("p", new Set([3]));
  assert.deepEqual(
    [1, 2].map((id) => first.find(keyOf(id))),
    [null, null],
  );
  assert.notEqual(first.find(keyOf(3)), null);
  assert.notEqual(first.find(keyOf(1, "other")), null);
  assert.equal(first.usedBytes, 3 * size);
  const readded = held(second.add(keyOf(1), blob(1)));
  assert.notEqual(readded.segment.rows.byteOffset, leased.segment.rows.byteOffset);
  assert.deepEqual(contentOf(leased.segment), expected);
  leased.release();
  assert.equal(first.usedBytes, 3 * size);
  assert.equal(first.segmentCount, 3);
});

test("a segment that a thread died while loading is given up after the load limit", () => {
  const shared = createSharedIndexMemory({ cacheBytes: size, threads: THREADS, scratchBytes: 1000 });
  const digest = createHash("sha256").update("p").digest();
  const project = Int32Array.from({ length: 4 }, (_, at) => digest.readInt32LE(4 * at));
  createSegmentDirectory(new Int32Array(shared.control)).claim({ project, segmentId: 1 }, size);
  let time = 0;
  const waits: number[] = [];
  const clock: CacheClock = {
    now: () => time,
    wait(_words, _index, _value, timeoutMs) {
      waits.push(timeoutMs);
      time += waits.length === 1 ? 1_000 : timeoutMs;
    },
  };
  const cache = createSegmentCache({ shared, thread: 0, clock });
  assert.equal(cache.find(keyOf(1)), null);
  assert.deepEqual(waits, [5_000, 4_000]);
  assert.equal(cache.add(keyOf(1), blob(1)), null);
});

test("a damaged segment is not cached", () => {
  const { first, second } = roomFor(1);
  const bytes = blob(1);
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  assert.throws(() => first.add(keyOf(1), bytes), DamagedSegmentError);
  assert.equal(first.usedBytes, 0);
  assert.equal(second.find(keyOf(1)), null);
  assert.notEqual(second.add(keyOf(1), blob(1)), null);
});

test("when the directory is full, the least recently used segment is evicted although memory is free", () => {
  const entries = 8192;
  const bytes = buildSegment([]);
  const [cache] = cachesFor(2 * entries * roundedUp(bytes));
  for (let id = 0; id <= entries; id++) cache?.add(keyOf(id), bytes)?.release();
  assert.equal(cache?.segmentCount, entries);
  assert.equal(cache?.find(keyOf(0)), null);
  assert.notEqual(cache?.find(keyOf(1)), null);
  assert.notEqual(cache?.find(keyOf(entries)), null);
});

const counts = [1, 2, 3, 5, 8, 13, 21, 34];
const blobs = counts.map((count, at) => blob(at + 1, count));
const contents = blobs.map((bytes) => contentOf(openSegment(bytes)));
const largest = blob(99, 60);
const projects = ["p", "q"];
const thread = fc.nat(THREADS - 1);
const place = fc.record({ project: fc.constantFrom(...projects), at: fc.nat(blobs.length - 1) });
const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), thread, place }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("find" as const), thread, place }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("release" as const), which: fc.nat() }) },
    fc.record({ kind: fc.constant("damaged" as const), thread, place }),
    fc.record({
      kind: fc.constant("retain" as const),
      thread,
      project: fc.constantFrom(...projects),
      keeps: fc.uniqueArray(fc.nat(blobs.length - 1)),
    }),
  ),
  { maxLength: 60 },
);
type Command = (typeof commands extends fc.Arbitrary<infer Value> ? Value : never)[number];

interface Known {
  readonly project: string;
  readonly at: number;
  leases: number;
  isListed: boolean;
}

/** A model of the caches: cached segments, the most recently used last, and the open leases. */
function createModel() {
  const caches = cachesFor(roundedUp(largest));
  const open: { readonly known: Known; readonly lease: SegmentLease }[] = [];
  let known: Known[] = [];
  const evictable = () => known.filter(({ leases }) => leases === 0);
  const listed = ({ project, at }: { project: string; at: number }) =>
    known.find((each) => each.isListed && each.project === project && each.at === at);
  const leased = (one: Known, lease: SegmentLease | null) => {
    one.leases++;
    open.push({ known: one, lease: held(lease) });
  };
  const forget = (removed: readonly Known[]) => {
    known = known.filter((each) => !removed.includes(each));
  };

  function add(command: { thread: number; place: { project: string; at: number } }, bytes: Uint8Array) {
    const cache = caches[command.thread]!;
    const one = listed(command.place);
    const before = cache.segmentCount;
    const lease = cache.add(keyOf(command.place.at, command.place.project), bytes);
    if (one !== undefined) return leased(one, lease);
    const evictedCount = before + (lease === null ? 0 : 1) - cache.segmentCount;
    if (lease === null) {
      assert.equal(evictedCount, 0);
      assert.ok(open.length > 0, "without leases every segment fits");
      return;
    }
    forget(evictable().slice(0, evictedCount));
    const added = { ...command.place, leases: 0, isListed: true };
    known.push(added);
    leased(added, lease);
  }

  function addDamaged(command: { thread: number; place: { project: string; at: number } }) {
    if (listed(command.place) !== undefined) return;
    const cache = caches[command.thread]!;
    const bytes = Uint8Array.from(blobs[command.place.at]!);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0x80;
    const before = cache.segmentCount;
    try {
      assert.equal(cache.add(keyOf(command.place.at, command.place.project), bytes), null);
    } catch (error) {
      assert.ok(error instanceof DamagedSegmentError);
    }
    forget(evictable().slice(0, before - cache.segmentCount));
  }

  function release(which: number) {
    const [ended] = open.splice(which % Math.max(1, open.length), 1);
    if (ended === undefined) return;
    ended.lease.release();
    ended.known.leases--;
    if (ended.known.leases > 0) return;
    forget([ended.known]);
    if (ended.known.isListed) known.push(ended.known);
  }

  function retain(command: { thread: number; project: string; keeps: readonly number[] }) {
    caches[command.thread]!.retain(command.project, new Set(command.keeps));
    for (const each of known) {
      if (each.project === command.project && !command.keeps.includes(each.at)) each.isListed = false;
    }
    forget(known.filter(({ leases, isListed }) => leases === 0 && !isListed));
  }

  function find(command: { thread: number; place: { project: string; at: number } }) {
    const lease = caches[command.thread]!.find(keyOf(command.place.at, command.place.project));
    const one = listed(command.place);
    if (one === undefined) assert.equal(lease, null);
    else leased(one, lease);
  }

  function check() {
    for (const cache of caches) {
      assert.equal(cache.segmentCount, known.length);
      assert.equal(
        cache.usedBytes,
        known.reduce((sum, { at }) => sum + roundedUp(blobs[at]!), 0),
      );
      assert.ok(cache.usedBytes <= roundedUp(largest));
    }
    for (const { known: one, lease } of open) assert.deepEqual(contentOf(lease.segment), contents[one.at]);
  }

  function run(command: Command) {
    if (command.kind === "add") add(command, blobs[command.place.at]!);
    else if (command.kind === "damaged") addDamaged(command);
    else if (command.kind === "release") release(command.which);
    else if (command.kind === "retain") retain(command);
    else find(command);
  }

  function end() {
    while (open.length > 0) release(0);
    for (const project of projects) retain({ thread: 0, project, keeps: [] });
    assert.equal(caches[0]!.usedBytes, 0);
    assert.equal(caches[0]!.segmentCount, 0);
    assert.ok(caches[1]!.add(keyOf(99), largest) !== null, "all memory is free again");
  }
  return { run, check, end };
}

test("for any sequence of operations, leased bytes stay, eviction is LRU and no memory is lost", () => {
  fc.assert(
    fc.property(commands, (sequence) => {
      const model = createModel();
      for (const command of sequence) {
        model.run(command);
        model.check();
      }
      model.end();
    }),
    { numRuns: 60 },
  );
});
