import assert from "node:assert/strict";
import { test } from "node:test";
import { CONTROL_WORDS, formatControl, STATE_CELL, VACANT } from "./directory-layout.ts";
import { createSegmentNames } from "./segment-names.ts";
import { createSharedLists } from "./shared-lists.ts";

/** Project hashes that differ in one word each. Those with equal first words share all buckets of names. */
const PROJECTS = [
  [7, 1, 2, 3],
  [7, 1, 2, 4],
  [7, 1, 9, 3],
  [7, 8, 2, 3],
  [6, 1, 2, 3],
].map((words) => Int32Array.from(words));

/** An empty directory's names, and its unused entries. */
function createNames() {
  const words = new Int32Array(CONTROL_WORDS);
  formatControl(words, { at: 64, byteLength: 1024 });
  const lists = createSharedLists(words);
  const entries: number[] = [];
  for (let cell = lists.next(VACANT); cell !== VACANT; cell = lists.next(cell)) {
    entries.push(cell - STATE_CELL);
  }
  return { names: createSegmentNames(words), entries };
}

test("projects whose hashes differ in any single word have separate segments", () => {
  const { names, entries } = createNames();
  for (const [at, project] of PROJECTS.entries()) {
    assert.equal(names.find({ project, segmentId: 5 }), null);
    names.list(entries[at]!, { project, segmentId: 5 });
  }
  for (const [at, project] of PROJECTS.entries()) {
    assert.equal(names.find({ project, segmentId: 5 }), entries[at]);
    assert.deepEqual(names.others(project, new Set()), [entries[at]]);
    assert.deepEqual(names.others(project, new Set([5])), []);
  }
});

test("an unlisted entry is not found, and unlisting it again has no effect", () => {
  const { names, entries } = createNames();
  const [project] = PROJECTS;
  const [first, second] = entries;
  names.list(first!, { project: project!, segmentId: 5 });
  names.list(second!, { project: project!, segmentId: 6 });
  assert.ok(names.isListed(first!));
  names.unlist(first!);
  names.unlist(first!);
  assert.ok(!names.isListed(first!));
  assert.equal(names.find({ project: project!, segmentId: 5 }), null);
  assert.equal(names.find({ project: project!, segmentId: 6 }), second);
  assert.deepEqual(names.others(project!, new Set()), [second]);
});
