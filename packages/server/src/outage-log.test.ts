import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoundedLog } from "./bounded-log.ts";
import { createOutageLog, type FailedCall, withoutFailedCalls } from "./outage-log.ts";
import type { LogFields } from "./ports/log.ts";
import { StoreUnavailableError } from "./ports/store.ts";

function setUp() {
  const entries: [string, LogFields | undefined][] = [];
  const write = (event: string, fields?: LogFields) => void entries.push([event, fields]);
  return { entries, log: { debug: write, info: write, warn: write, error: write } };
}

const refused = () => new Error("connect ECONNREFUSED 10.0.0.7:5432");
const lost = () => new StoreUnavailableError("connection_lost", "The server did not answer.", refused());

test("an outage is one line without a stack, and one with its length a minute after the last failed call", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let now = 0;
  const { entries, log } = setUp();
  const outages = createOutageLog(log, () => now);
  const requests = createBoundedLog(outages.log);
  for (let at = 0; at < 500; at++) {
    now += 1_000;
    requests.error("store_unavailable", { requestId: `r${at}`, error: lost() });
    outages.log.warn("job_failed", { error: new Error("It is not known.", { cause: lost() }) });
    context.mock.timers.tick(1_000);
  }
  const [reason, message] = ["connection_lost", "The server did not answer."];
  const cause = "connect ECONNREFUSED 10.0.0.7:5432";
  const first = { requestId: "r0", during: "store_unavailable", reason, message, cause };
  assert.deepEqual(entries, [["store_unavailable", first]]);
  now += 60_000;
  context.mock.timers.tick(60_000);
  requests.flush();
  const over = ["store_available", { reason, seconds: 499, failedCalls: 1_000 }];
  assert.deepEqual(entries.slice(1), [over]);
  outages.log.error("merge_failed", { error: lost() });
  assert.equal(entries.length, 3, "another outage");
  outages.flush();
  assert.equal(entries.length, 3, "a single call says how long it was");
});

test("each object of the segment store that cannot be used is a line, up to a hundred, and none says that it can be again", () => {
  const { entries, log } = setUp();
  const outages = createOutageLog(log, () => 0);
  const failed = (at: number) =>
    new StoreUnavailableError("segment_object", `The object ${at} cannot be read.`, null);
  for (let round = 0; round < 2; round++)
    for (let at = 0; at < 200; at++)
      outages.log.error("merge_failed", { projectId: `p${at}`, error: failed(at) });
  const projects = Array.from({ length: 101 }, (_, at) => `p${at}`);
  assert.deepEqual(
    entries.map(([event, fields]) => [event, fields?.["projectId"]]),
    projects.map((projectId) => ["store_unavailable", projectId]),
  );
  outages.flush();
  assert.equal(entries.length, 101);
});

test("other errors are logged as they are, and a thread sends what the database failed", () => {
  const { entries, log } = setUp();
  const told: FailedCall[] = [];
  const ofThread = withoutFailedCalls(log, (call) => told.push(call));
  const error = new Error("A bug.");
  ofThread.error("worker_fault", { error });
  assert.deepEqual(entries, [["worker_fault", { error }]]);
  const addresses = new StoreUnavailableError("busy", "Busy.", new AggregateError([refused(), refused()]));
  ofThread.error("worker_fault", { jobId: "j", error: addresses });
  assert.equal(entries.length, 1);
  const [call] = structuredClone(told);
  const cause = [refused(), refused()].map(String).join("; ");
  const expected = {
    reason: "busy",
    message: "Busy.",
    during: "worker_fault",
    fields: { jobId: "j" },
    cause,
  };
  assert.deepEqual(call, expected);
});
