import assert from "node:assert/strict";
import { test } from "node:test";
import { progressOf, unfinishedIn } from "../api/queue-state.ts";
import { failureScope, queueNotes, queuePace, queueTitle } from "./queue-words.ts";

const queue = {
  ...{ pending: 700, running: 1, completed: 9_804, failed: 2_195, others_unfinished: 0 },
  batch: { completed: 804, failed: 195 },
  ...{ reread: null, jobs_per_minute: 96, seconds_left: 440, failures: [] },
};

test("progress is that of the jobs at hand, without those of work before, of which those that failed or were cancelled are not done", () => {
  assert.equal(queueTitle(queue, null), "804 of 1,700 jobs are done");
  assert.equal(queueNotes(queue, null), "96 documents a minute, 7 min left · 195 failed or cancelled");
  assert.equal(
    queueNotes({ ...queue, batch: { completed: 804, failed: 0 } }, null),
    "96 documents a minute, 7 min left",
  );
});

test("of a process of the release before, which knows of no batches, all jobs are counted", () => {
  const { batch: _, ...old } = queue;
  assert.deepEqual(progressOf(old), { done: 9_804, failed: 2_195, left: 701, total: 12_700 });
});

const reread = {
  ...{ documents_processed: 12, documents_failed: 2, documents_queued: 128, documents_total: 2_000 },
};

test("progress of documents that are read again is that of these, not of the jobs before", () => {
  const busy = { ...queue, pending: 120, running: 8, reread };
  assert.equal(queueTitle(busy, null), "10 of 2,000 documents are read again");
  assert.equal(queueNotes(busy, null), "96 documents a minute, 7 min left · 2 failed or cancelled");
  assert.deepEqual(progressOf(busy), { done: 10, failed: 2, left: 1_988, total: 2_000 });
});

test("jobs of new documents are left beside those of documents that are read again, and not counted twice", () => {
  const both = { ...queue, pending: 620, running: 8, reread };
  assert.equal(queueTitle(both, null), "10 of 2,000 documents are read again");
  assert.match(queueNotes(both, null), / · 500 other jobs · 2 failed or cancelled$/);
  assert.deepEqual(progressOf(both), { done: 10, failed: 2, left: 2_488, total: 2_000 });
});

test("documents to be read again that have no job yet are waiting", () => {
  const none = { ...queue, ...{ pending: 0, running: 0, jobs_per_minute: null, seconds_left: null } };
  const waiting = { ...none, reread: { ...reread, documents_queued: 0 }, others_unfinished: 900 };
  assert.equal(unfinishedIn(waiting), 1_988);
  assert.equal(queueTitle(waiting, null), "10 of 2,000 documents are read again");
  assert.match(queueNotes(waiting, null), /^waiting behind 900 jobs of other projects/);
});

test("while all are cancelled nothing is done, and no time is left to tell", () => {
  assert.equal(queueTitle(queue, 1_000), "Cancelling: 299 of 1,000 have ended");
  assert.doesNotMatch(queueNotes(queue, 1_000), /minute/);
});

test("a queue of which nothing runs is starting, or waits behind other projects; an empty one says nothing", () => {
  const waiting = {
    ...queue,
    running: 0,
    batch: { completed: 0, failed: 0 },
    jobs_per_minute: null,
    seconds_left: null,
  };
  assert.equal(queueNotes(waiting, null), "starting");
  assert.equal(
    queueNotes({ ...waiting, others_unfinished: 40_000 }, null),
    "waiting behind 40,000 jobs of other projects",
  );
  assert.equal(queueNotes({ ...waiting, pending: 0, others_unfinished: 2 }, null), "");
  assert.equal(queuePace({ ...waiting, running: 1, others_unfinished: 2 }), "");
});

test("failures say of how many jobs they are, and that the service reads the latest ones only", () => {
  assert.match(failureScope(3, 3), /^Their documents/);
  assert.match(failureScope(3, 9), /^Of 9 failed or cancelled jobs the 3 whose/);
  assert.match(
    failureScope(10_000, 30_112),
    /^Of the latest 10,000 of 30,112 failed or cancelled jobs, those whose/,
  );
});
