import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../domain/job.ts";
import type { JobProgress } from "../domain/progress.ts";
import { createProgressRate } from "./progress-rate.ts";

const job: Job = {
  jobId: "job",
  projectId: "project",
  sourceDocId: "a",
  status: "running",
  chunksProcessed: 0,
  nodesCreated: 0,
  edgesCreated: 0,
  startedAt: 0,
  completedAt: null,
  errorMessage: null,
};
const at = (chunks: number, changes: Partial<JobProgress> = {}): JobProgress => ({
  job: { ...job, chunksProcessed: chunks },
  chunksTotal: 1_000,
  chunksIndexed: chunks,
  ...changes,
});

test("the rate is unknown before the first chunks, then measured from the start, then over the window", () => {
  const rate = createProgressRate();
  assert.deepEqual(rate.pace(at(0), 1_000), { chunksPerSecond: null, secondsLeft: null });
  const first = createProgressRate().pace(at(50), 10_000);
  assert.deepEqual(first, { chunksPerSecond: 5, secondsLeft: 190 });
  rate.pace(at(100), 2_000);
  assert.deepEqual(rate.pace(at(300), 4_000), { chunksPerSecond: 100, secondsLeft: 7 });
  // Time without a change counts too.
  const stalled = rate.pace(at(300), 9_000);
  assert.deepEqual(stalled, { chunksPerSecond: 37.5, secondsLeft: 19 });
  rate.forgetOthers();
  assert.deepEqual(rate.pace(at(300), 9_000), stalled);
});

test("chunks of an earlier job reduce the remaining chunks, but do not count for the rate", () => {
  const rate = createProgressRate();
  const resumed = at(20, { chunksIndexed: 520 });
  assert.deepEqual(rate.pace(resumed, 2_000), { chunksPerSecond: 10, secondsLeft: 48 });
});

test("a pending job has no rate, and an ended job has no time left", () => {
  const rate = createProgressRate();
  const pending = at(0, { job: { ...job, status: "pending", startedAt: null }, chunksTotal: null });
  assert.deepEqual(rate.pace(pending, 5_000), { chunksPerSecond: null, secondsLeft: null });
  const ended = at(9, { job: { ...job, status: "failed", completedAt: 4_000 } });
  assert.deepEqual(rate.pace(ended, 5_000), { chunksPerSecond: null, secondsLeft: 0 });
});
