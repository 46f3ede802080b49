import assert from "node:assert/strict";
import { test } from "node:test";
import { queueNotes } from "./queue-words.ts";

const queue = {
  ...{ pending: 700, running: 1, completed: 804, failed: 195, endedBefore: 823 },
  ...{ jobs_per_minute: 96, seconds_left: 440, failures: [] },
};

test("the notes of a queue have its pace and what ended before it, so that the numbers of the page add up", () => {
  assert.equal(queueNotes(queue), "96 documents a minute, 7 min left · 823 jobs ended before these");
  assert.equal(queueNotes({ ...queue, endedBefore: 0 }), "96 documents a minute, 7 min left");
});

test("a queue of which nothing runs is starting, because no other work is known; an empty one says nothing", () => {
  const waiting = { ...queue, running: 0, jobs_per_minute: null, seconds_left: null, endedBefore: 0 };
  assert.equal(queueNotes(waiting), "starting");
  assert.equal(queueNotes({ ...waiting, pending: 0, endedBefore: 3 }), "");
});

test("the pace of what ended before a queue is not its own", () => {
  const begun = { ...queue, completed: 628, endedBefore: 823 };
  assert.equal(queueNotes({ ...begun, running: 0 }), "starting · 823 jobs ended before these");
  assert.equal(queueNotes(begun), "823 jobs ended before these");
});
