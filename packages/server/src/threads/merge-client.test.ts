import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads, startHangingThread } from "../../test/support/threads.ts";
import { buildSegment, type IndexableChunk } from "../engine/index/build.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createMergeThread, type MergeThread } from "./merge-client.ts";
import { ThreadError } from "./thread.ts";

let thread: MergeThread | null = null;
const start = (options?: Parameters<typeof createMergeThread>[1]): MergeThread => {
  thread = createMergeThread(createTestThreads().deps, options);
  return thread;
};
afterEach(() => thread?.close());

function chunksOf(versionId: number): IndexableChunk[] {
  return [0, 1].map((position) => ({
    versionId,
    sourceDocId: `document ${versionId}`,
    metadata: {},
    position,
    indexedText: `Terns of ${versionId} at ${position}`,
    vector: Float32Array.of(versionId, position, 1),
  }));
}

const storedOf = (versionId: number) => ({
  bytes: buildSegment(chunksOf(versionId)),
  chunkCount: 2,
  deadVersions: [],
});

test("segments are merged in another thread, and their bytes move there and back", async () => {
  const work = start();
  const inputs = [storedOf(2), storedOf(1)];
  const merged = await work.merge(inputs);
  assert(merged.kind === "made");
  assert.deepEqual(merged.bytes, buildSegment([...chunksOf(1), ...chunksOf(2)]));
  assert.equal(merged.chunkCount, 4);
  assert.deepEqual(
    inputs.map(({ bytes }) => bytes.byteLength),
    [0, 0],
  );
  const nothing = await work.merge([{ ...storedOf(1), deadVersions: [1] }]);
  assert.deepEqual(nothing, { kind: "made", bytes: null, chunkCount: 0 });
});

test("bytes that are a part of a larger buffer are copied", async () => {
  const work = start();
  const { bytes } = storedOf(3);
  const larger = new Uint8Array(bytes.length + 64);
  larger.set(bytes, 64);
  const held = await work.positions({ bytes: larger.subarray(64), chunkCount: 2 }, [3, 4]);
  assert.deepEqual(held, { kind: "positions", positions: new Map([[3, Uint32Array.of(0, 1)]]) });
  assert.equal(larger.byteLength, bytes.length + 64);
  await work.positions({ bytes, chunkCount: 2 }, []);
  assert.equal(bytes.byteLength, 0, "bytes with a buffer of their own move");
});

test("a damaged input is reported, with the reason", async () => {
  const work = start();
  const damaged = storedOf(2);
  damaged.bytes[100] = (damaged.bytes[100] ?? 0) ^ 1;
  const checksum = await work.merge([storedOf(1), damaged]);
  assert(checksum.kind === "damaged");
  assert.equal(checksum.input, 1);
  assert.match(checksum.fault, /checksum/);
  const other = await work.merge([{ ...storedOf(1), chunkCount: 3 }]);
  assert.match(other.kind === "damaged" ? other.fault : "", /holds 2 chunks and not 3/);
});

test("what cannot be built is refused, and the thread goes on", async () => {
  const work = start();
  await assert.rejects(work.build([...chunksOf(1), ...chunksOf(1)]), /twice|occurs|chunk/);
  assert.deepEqual((await work.build(chunksOf(1))).bytes, buildSegment(chunksOf(1)));
});

test("a thread that dies fails what it was asked, and the next request starts another", async () => {
  const starts: (() => Worker)[] = [
    () => new Worker("process.exit(3)", { eval: true }),
    () => new Worker("throw new Error('out of memory')", { eval: true }),
    () => new Worker(new URL("./merge-thread.ts", import.meta.url)),
  ];
  const work = start({ start: () => (starts.shift() ?? assert.fail)() });
  await assert.rejects(work.build(chunksOf(1)), ThreadError);
  await assert.rejects(
    work.build(chunksOf(1)),
    (error) => error instanceof ThreadError && error.fault === "died" && error.cause instanceof Error,
  );
  assert.equal((await work.build(chunksOf(1))).chunkCount, 2);
});

test("a thread that has nothing to do ends, and the next request starts another", async () => {
  const ended: Promise<unknown>[] = [];
  const work = start({
    kind: { ...THREAD_KINDS.merge, idleMs: 1 },
    start() {
      const worker = new Worker(new URL("./merge-thread.ts", import.meta.url));
      ended.push(new Promise((resolve) => worker.once("exit", resolve)));
      return worker;
    },
  });
  await work.build(chunksOf(1));
  await ended[0];
  assert.equal((await work.build(chunksOf(2))).chunkCount, 2);
  assert.equal(ended.length, 2);
});

test("closing ends a request that is under way, and refuses later ones", async () => {
  const work = start();
  const running = work.build(chunksOf(1));
  const closed = work.close();
  await assert.rejects(running, ThreadError);
  await closed;
  await assert.rejects(work.build(chunksOf(1)), ThreadError);
});

test("a thread that hangs is ended, fails what it was asked, and is replaced", async () => {
  const { deps, board, passSilence } = createTestThreads();
  const first = startHangingThread("merge");
  const starts = [() => first.worker, () => new Worker(new URL("./merge-thread.ts", import.meta.url))];
  thread = createMergeThread(deps, { start: () => (starts.shift() ?? assert.fail)() });
  const exited = once(first.worker, "exit");
  const hung = assert.rejects(thread.build(chunksOf(1)), { name: "ThreadError", fault: "hung" });
  await first.hangs;
  passSilence("merge");
  await hung;
  assert.equal((await thread.build(chunksOf(1))).chunkCount, 2);
  await exited;
  assert.deepEqual([board.read("merge", "hung"), board.read("merge", "died")], [1, 0]);
});
