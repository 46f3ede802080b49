import assert from "node:assert/strict";
import { test } from "node:test";
import { SEGMENT_VERSION } from "../../domain/segment-version.ts";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { checksumOf, DamagedSegmentError } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment, type Segment } from "./segment.ts";
import { doSegmentWork, type StoredMergeInput } from "./segment-work.ts";

const chunkOf = (versionId: number, position: number): IndexableChunk => ({
  versionId,
  position,
  sourceDocId: `d${versionId}`,
  metadata: {},
  indexedText: `oil pump ${versionId}`,
  vector: Float32Array.of(1, versionId),
});
const chunks = [chunkOf(1, 0), chunkOf(1, 2), chunkOf(2, 1), chunkOf(2, 3), chunkOf(3, 0), chunkOf(3, 7)];
const stored = { bytes: buildSegment(chunks), chunkCount: chunks.length };
const inputOf = (bytes: Uint8Array, chunkCount: number): StoredMergeInput => ({
  bytes,
  chunkCount,
  deadVersions: [],
});

test("the positions of each requested version are exactly those of its chunks", () => {
  assert.deepEqual(doSegmentWork({ kind: "positions", segment: stored, versionIds: [1, 2, 3, 9] }), {
    kind: "positions",
    positions: new Map([
      [1, Uint32Array.of(0, 2)],
      [2, Uint32Array.of(1, 3)],
      [3, Uint32Array.of(0, 7)],
    ]),
  });
});

test("a segment with another number of chunks than its row is damaged", () => {
  const segment = { ...stored, chunkCount: chunks.length + 1 };
  assert.deepEqual(doSegmentWork({ kind: "positions", segment, versionIds: [] }), {
    kind: "damaged",
    input: 0,
    fault: "it holds 6 chunks and not 7",
  });
});

/** A segment that can be opened, but whose postings or dictionary cannot be merged. */
function forgeUnmergeable(): Uint8Array {
  for (let at = 12; at < stored.bytes.length; at++) {
    const forged = stored.bytes.slice();
    forged[at] = (forged[at] ?? 0) ^ 0xff;
    new DataView(forged.buffer).setUint32(8, checksumOf(forged, SEGMENT_VERSION), true);
    if (isUnmergeable(forged)) return forged;
  }
  throw new Error("no flipped byte makes a segment that can be opened but not merged");
}

function isUnmergeable(bytes: Uint8Array): boolean {
  let segment: Segment;
  try {
    segment = openSegment(bytes);
  } catch {
    return false; // Most flipped bytes are detected here.
  }
  try {
    mergeSegments([{ segment, deadVersions: new Set() }]);
    return false;
  } catch (error) {
    return segment.chunkCount === chunks.length && error instanceof DamagedSegmentError;
  }
}

test("a merge reports which input is damaged, even if that is detected only during the merge", () => {
  const sound = buildSegment([chunkOf(8, 0)]);
  const inputs = [inputOf(sound, 1), inputOf(forgeUnmergeable(), chunks.length)];
  const result = doSegmentWork({ kind: "merge", inputs });
  assert.equal(result.kind === "damaged" && result.input, 1);
  const wrongCount = [inputOf(sound, 1), inputOf(stored.bytes, 5)];
  const other = doSegmentWork({ kind: "merge", inputs: wrongCount });
  assert.equal(other.kind === "damaged" && other.input, 1);
});

test("a merge gives the number of surviving chunks, and no bytes if none survives", () => {
  const result = doSegmentWork({ kind: "merge", inputs: [{ ...stored, deadVersions: [2] }] });
  assert.equal(result.kind === "made" && result.chunkCount, 4);
  assert.deepEqual(doSegmentWork({ kind: "merge", inputs: [{ ...stored, deadVersions: [1, 2, 3] }] }), {
    kind: "made",
    bytes: null,
    chunkCount: 0,
  });
  assert.deepEqual(doSegmentWork({ kind: "build", chunks: [] }), {
    kind: "made",
    bytes: null,
    chunkCount: 0,
  });
});
