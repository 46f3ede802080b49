import assert from "node:assert/strict";
import { test } from "node:test";
import {
  OLDER_VERSION,
  ONE_VERSION,
  TWO_VERSIONS,
  toOlderVersion,
} from "../../../test/support/older-segment.ts";
import { SEGMENT_VERSION } from "../../domain/segment-version.ts";
import { buildSegment } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { toCurrentVersion } from "./readable-versions.ts";
import { openSegment } from "./segment.ts";

const current = buildSegment(
  ["oil pump", "oil oil valve", "seal"].map((indexedText, position) => ({
    versionId: 7,
    sourceDocId: "manual",
    metadata: { team: "north" },
    position,
    indexedText,
    vector: Float32Array.of(position, -1, 0.5),
  })),
);
const older = toOlderVersion(current);

const open = (bytes: Uint8Array) => openSegment(toCurrentVersion(bytes, TWO_VERSIONS));

test("a segment of the current version is returned as it is, without a copy", () => {
  assert.equal(toCurrentVersion(current), current);
  assert.equal(toCurrentVersion(current, TWO_VERSIONS), current);
});

test("a segment of the version before is read as what it holds", () => {
  assert.notDeepEqual(older.subarray(64), current.subarray(64));
  assert.deepEqual(toCurrentVersion(older, TWO_VERSIONS), current);
  assert.deepEqual([...open(older).positions], [0, 1, 2]);
});

test("a version without a reader is damage, and the fault names the version and those that are read", () => {
  const faultOf = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      return error instanceof DamagedSegmentError ? error.message : null;
    }
    return null;
  };
  const [now, before] = [SEGMENT_VERSION, OLDER_VERSION];
  const assertFault = (read: () => unknown, fault: string) =>
    assert.ok(faultOf(read)?.includes(`: ${fault};`), String(faultOf(read)));
  assertFault(
    () => toCurrentVersion(older, ONE_VERSION),
    `its version is ${before}, this service reads ${now}`,
  );
  const oldest = older.slice();
  oldest[4] = 0;
  assertFault(() => open(oldest), `its version is 0, this service reads ${now} and ${before}`);
  assertFault(() => openSegment(older), `its version is ${before}, not ${now}`);
});

test("every flipped byte and every truncation of a readable version is detected, also in its version number", () => {
  for (const bytes of [current, older]) {
    for (let at = 0; at < bytes.length; at++) {
      for (const bits of [1, 3, 0x80, 0xff]) {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ bits;
        assert.throws(() => open(damaged), DamagedSegmentError, `byte ${at}`);
      }
      assert.throws(() => open(bytes.slice(0, at)), DamagedSegmentError, `first ${at} bytes`);
    }
    assert.throws(() => open(Uint8Array.from([...bytes, 0])), DamagedSegmentError);
  }
});

test("a segment of one readable version never passes for one of another", () => {
  for (const [bytes, version] of [
    [current, OLDER_VERSION],
    [older, SEGMENT_VERSION],
  ] as const) {
    const renumbered = bytes.slice();
    renumbered[4] = version;
    assert.throws(() => open(renumbered), /checksum/);
  }
});
