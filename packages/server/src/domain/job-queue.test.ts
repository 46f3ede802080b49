import assert from "node:assert/strict";
import { test } from "node:test";
import { type JobQueueState, queuePace } from "./job-queue.ts";

const state = {
  reread: null,
  pending: 58,
  running: 2,
  completed: 9,
  failed: 0,
  batch: { completed: 9, failed: 0 },
  othersUnfinished: 0,
  failures: [],
};
const now = 1_000_000;

test("the rate is that of the jobs that ended of late, and the time left follows from it", () => {
  const lastEnds = [now, now - 10_000, now - 20_000, now - 60_000];
  assert.deepEqual(queuePace({ ...state, lastEnds }, now), { jobsPerMinute: 3, secondsLeft: 1200 });
});

test("the time left is also that of documents to be read again that have no job yet", () => {
  const lastEnds = [now, now - 10_000, now - 20_000, now - 60_000];
  const reread = {
    ...{ documentsProcessed: 40, documentsFailed: 0, documentsQueued: 60, documentsTotal: 160 },
    createdAt: now - 800_000,
  };
  const secondsOf = (queue: Partial<JobQueueState>) =>
    queuePace({ ...state, reread, lastEnds, ...queue }, now).secondsLeft;
  assert.equal(secondsOf({}), 2400);
  assert.equal(secondsOf({ pending: 98 }), 3200, "40 jobs are of new documents");
  assert.equal(secondsOf({ pending: 0, running: 0, reread: { ...reread, documentsQueued: 0 } }), 2400);
});

test("while documents are read again, the time left follows from the rate since the beginning, not from each burst", () => {
  const reread = {
    ...{ documentsProcessed: 40, documentsFailed: 0, documentsQueued: 60, documentsTotal: 160 },
    createdAt: now - 800_000,
  };
  const secondsOf = (gapMs: number, createdAt = reread.createdAt) => {
    const lastEnds = Array.from({ length: 10 }, (_, at) => now - at * gapMs);
    return queuePace({ ...state, reread: { ...reread, createdAt }, lastEnds }, now).secondsLeft;
  };
  assert.deepEqual(
    [15_000, 20_000, 25_000, 28_000].map((gapMs) => secondsOf(gapMs)),
    [2400, 2400, 2400, 2400],
  );
  assert.equal(secondsOf(2_000), 480, "most of the time before may have been a pause");
  assert.equal(secondsOf(28_000, now - 40_000), 1680, "what is read now takes longer than what was");
});

test("no time left is told while all that is unfinished runs already, because its length is unknown", () => {
  const lastEnds = [now, now - 1_000, now - 2_000];
  const pace = queuePace({ ...state, pending: 0, running: 1, lastEnds }, now);
  assert.deepEqual(pace, { jobsPerMinute: 60, secondsLeft: null });
});

test("without unfinished jobs, and without ends of late, there is no rate", () => {
  const none = { jobsPerMinute: null, secondsLeft: null };
  assert.deepEqual(queuePace({ ...state, lastEnds: [] }, now), none);
  assert.deepEqual(queuePace({ ...state, lastEnds: [now - 301_000, now - 302_000] }, now), none);
  const done = { ...state, pending: 0, running: 0, lastEnds: [now, now - 1] };
  assert.deepEqual(queuePace(done, now), none);
});

test("a pause does not count: the rate is that of the jobs that ended after it", () => {
  const [after, before] = [
    Array.from({ length: 7 }, (_, at) => now - at * 1_000),
    Array.from({ length: 20 }, (_, at) => now - 200_000 - at * 1_000),
  ];
  const lastEnds = [...after, ...before];
  assert.deepEqual(queuePace({ ...state, lastEnds }, now), { jobsPerMinute: 60, secondsLeft: 60 });
  const first = { ...state, lastEnds: [now, ...before] };
  assert.deepEqual(
    queuePace(first, now),
    { jobsPerMinute: null, secondsLeft: null },
    "one end tells nothing",
  );
  const none = { jobsPerMinute: null, secondsLeft: null };
  assert.deepEqual(
    queuePace({ ...state, lastEnds: before }, now),
    none,
    "it has begun again, and none ended",
  );
  const slow = [now, now - 90_000, now - 180_000, now - 270_000];
  assert.equal(
    queuePace({ ...state, lastEnds: slow }, now).jobsPerMinute?.toFixed(2),
    "0.67",
    "long jobs are no pause",
  );
});
