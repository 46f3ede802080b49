import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommittedPart } from "../ports/store.ts";
import { createClaimSize } from "./claim-size.ts";

const KIB = 1024;

function setUp(queue: "alone" | "shared" = "alone") {
  const clock = { now: 0 };
  const size = createClaimSize(queue, () => clock.now);
  return {
    limits: size.limits,
    /** Works on so many jobs, each of one chunk of this length. */
    work(jobs: number, length: number, tookMs: number) {
      const measure = size.measure();
      const part = { chunks: [{ start: 0, end: length }], finished: true } as unknown as CommittedPart; // What is read of it.
      measure.add(Array.from({ length: jobs }, () => part));
      clock.now += tookMs;
      measure.end();
    },
  };
}

test("a slow worker claims what it does in four seconds, or less where other processes claim, too", () => {
  for (const [queue, jobsAtLast] of [
    ["alone", 4],
    ["shared", 3],
  ] as const) {
    const { limits, work } = setUp(queue);
    // A job of 2 KiB a second.
    for (let claims = 0; claims < 10; claims++) {
      const jobs = Math.min(limits().maxJobs, Math.floor(limits().maxTextBytes / (2 * KIB)));
      work(jobs, 2 * KIB, jobs * 1_000);
    }
    assert.equal(limits().maxJobs, jobsAtLast);
  }
});

test("a fast worker soon claims as many short documents as fit into a batch", () => {
  const { limits, work } = setUp();
  for (let claims = 0; claims < 2; claims++) work(16, 60, 100);
  assert.deepEqual(limits(), { maxJobs: 64, maxTextBytes: 32 * KIB });
});

test("one large document does not make the claims of others small for long, and one of which nothing was committed says nothing", () => {
  const { limits, work } = setUp();
  work(1, 200 * KIB, 30_000);
  assert.equal(limits().maxJobs, 1);
  for (let claims = 0; claims < 3; claims++) work(limits().maxJobs, 60, 100);
  assert.equal(limits().maxJobs, 64);
  work(0, 0, 60_000);
  assert.equal(limits().maxJobs, 64);
});
