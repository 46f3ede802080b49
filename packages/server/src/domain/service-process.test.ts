import assert from "node:assert/strict";
import { test } from "node:test";
import { findDifferences, findLeft, isRunning, type ListedProcess } from "./service-process.ts";

const bundled = { model: "bundled", dimensions: 3 };
const remote = { model: "remote", dimensions: 5 };
const one: ListedProcess = {
  ...{ processId: "1", place: "here", version: "1", roles: ["api"], spaces: [bundled] },
  ...{
    readsWithModel: false,
    maxTextBytes: 9,
    secretMark: "m",
    startedAt: 0,
    seenAt: 100_000,
    isStopped: false,
  },
};

test("what is left to others is what they can do and this process cannot", () => {
  assert.equal(findLeft(one, []), null);
  assert.equal(findLeft(one, [one, { ...one, spaces: [] }]), null);
  const able = { spaces: [remote, bundled], readsWithModel: true };
  assert.deepEqual(findLeft(one, [able, able]), { spaces: [remote], readsWithModel: true });
  assert.equal(findLeft(able, [one]), null);
});

test("processes differ in each thing that should be the same in all", () => {
  assert.deepEqual(findDifferences([one, { ...one, processId: "2", place: "there" }]), []);
  // The order of models is that of each configuration.
  const both = { ...one, spaces: [bundled, remote] };
  assert.deepEqual(findDifferences([both, { ...both, spaces: [remote, bundled] }]), []);
  const other = { ...both, version: "2", readsWithModel: true, maxTextBytes: 8, secretMark: "n" };
  const all = ["version", "embedding_models", "extraction", "text_limit", "secret"];
  assert.deepEqual(findDifferences([one, other]), all);
  assert.deepEqual(findDifferences([one, { ...one, maxTextBytes: null }]), []);
});

test("a process runs until it has stopped or was silent for half a minute", () => {
  assert.equal(isRunning(one, 130_000), true);
  assert.equal(isRunning(one, 130_001), false);
  assert.equal(isRunning({ ...one, isStopped: true }, 100_000), false);
});
