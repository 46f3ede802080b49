/** Copies of objects on the disk: bounded, found again, never trusted, and nothing depends on them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { type DiskCache, openDiskCache } from "../../src/adapters/segments/disk-cache.ts";
import { readOutside } from "../../src/adapters/segments/outside-segments.ts";
import type { SegmentObject } from "../../src/ports/segment-objects.ts";
import type { Store } from "../../src/ports/store.ts";

const root = mkdtempSync(join(tmpdir(), "kcs-copies-"));
const folder = join(root, "copies");
after(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const MAX_BYTES = 64_000;
const open = (now?: () => number) => openDiskCache({ folder, maxBytes: MAX_BYTES }, now);
const bytesOf = (seed: number, length = 900) => Uint8Array.from({ length }, (_, at) => (at * seed) % 256);

function objectOf(seed: number, bytes = bytesOf(seed)): SegmentObject {
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { segmentId: seed, key: `project/${seed}-token`, byteLength: bytes.byteLength, hash };
}

function total(): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

test("a copy is found again, also by another start", async () => {
  const object = objectOf(3);
  await open().write(object.key, bytesOf(3));
  assert.deepEqual(await open().read(object), bytesOf(3));
  assert.equal(await open().read(objectOf(4)), null);
  await open().remove(object.key);
  assert.equal(await open().read(object), null);
});

test("copies take no more than their limit, whatever several threads write, and those used last stay", async () => {
  let now = 1_000_000;
  const threads = Array.from({ length: 4 }, () => open(() => (now += 1_000)));
  const [first] = threads;
  assert.ok(first);
  const used = objectOf(0);
  await first.write(used.key, bytesOf(0));
  for (let seed = 1; seed < 400; seed++) {
    const cache = threads[seed % threads.length] ?? first;
    await cache.write(objectOf(seed).key, bytesOf(seed));
    utimesSync(join(folder, `project~${seed}-token`), now / 1_000, now / 1_000);
    assert.notEqual(await first.read(used), null, `${seed}`);
    assert.ok(total() <= MAX_BYTES, `${total()} after ${seed}`);
  }
  assert.ok(total() > MAX_BYTES / 2);
  assert.equal(await first.read(objectOf(1)), null);
  assert.notEqual(await first.read(objectOf(399)), null);
  // One that would take too large a part of it.
  await first.write("large", bytesOf(1, MAX_BYTES / 8));
  assert.ok(!readdirSync(folder).includes("large"));
});

test("what is there at a start counts, and what an ended write left is removed", async () => {
  mkdirSync(folder);
  for (let at = 0; at < 100; at++) writeFileSync(join(folder, `old~${at}`), bytesOf(at));
  writeFileSync(join(folder, "half.part"), "half");
  utimesSync(join(folder, "half.part"), 1, 1);
  await open().write("new", bytesOf(7));
  assert.ok(total() <= MAX_BYTES);
  assert.ok(readdirSync(folder).includes("new") && !readdirSync(folder).includes("half.part"));
});

/** A store whose one segment is in a bucket, and how often it was read there. */
function readerOf(object: SegmentObject, bytes: readonly Uint8Array[], cache: DiskCache) {
  let reads = 0;
  const never = () => Promise.reject(new Error("is not used"));
  const store: Pick<Store, "findSegmentObject" | "readSegment"> = {
    findSegmentObject: async () => object,
    readSegment: async () => null,
  };
  const read = async () => bytes[Math.min(reads++, bytes.length - 1)] ?? null;
  const objects = { read, write: never, remove: never };
  const { readSegment } = readOutside(store, { objects, cache, storeId: "s" });
  return { reads: () => reads, read: () => readSegment({ projectId: "p", segmentId: object.segmentId }) };
}

test("a copy that was changed is not used, and is replaced", async () => {
  const object = objectOf(5);
  const { read, reads } = readerOf(object, [bytesOf(5)], open());
  assert.deepEqual(await read(), bytesOf(5));
  assert.deepEqual([await read(), reads()], [bytesOf(5), 1]);
  writeFileSync(join(folder, "project~5-token"), bytesOf(6));
  assert.deepEqual([await read(), reads()], [bytesOf(5), 2]);
  writeFileSync(join(folder, "project~5-token"), "short");
  assert.deepEqual([await read(), reads()], [bytesOf(5), 3]);
  assert.deepEqual([await read(), reads()], [bytesOf(5), 3]);
});

test("an object that arrives altered is read once more before it counts as damaged", async () => {
  const object = objectOf(5);
  const once = readerOf(object, [bytesOf(6), bytesOf(5)], open());
  assert.deepEqual([await once.read(), once.reads()], [bytesOf(5), 2]);
  rmSync(folder, { recursive: true });
  await assert.rejects(readerOf(object, [bytesOf(6)], open()).read(), { name: "DamagedIndexError" });
  assert.deepEqual(readdirSync(root), []);
});

test("without its folder, or on a disk that takes nothing, everything is read from the store", async () => {
  const object = objectOf(5);
  const cache = open();
  const { read, reads } = readerOf(object, [bytesOf(5)], cache);
  await read();
  rmSync(folder, { recursive: true });
  assert.deepEqual([await read(), reads()], [bytesOf(5), 2]);
  assert.deepEqual([await read(), reads()], [bytesOf(5), 2]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file in its place");
  assert.deepEqual([await read(), await read(), reads()], [bytesOf(5), bytesOf(5), 4]);
  rmSync(folder);
  // The folder of a data directory that was moved away is not made again.
  const away = openDiskCache({ folder: join(root, "away", "copies"), maxBytes: MAX_BYTES });
  await away.write("key", bytesOf(1));
  assert.deepEqual(readdirSync(root), []);
});
