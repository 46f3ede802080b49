import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { superviseIngestThread } from "./ingest-supervisor.ts";

test("a thread that cannot be started is no fault of who has work accepted; it is told, and tried again after a while", async () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  try {
    let starts = 0;
    const told: string[] = [];
    const note = (event: string) => void told.push(event);
    const ingest = superviseIngestThread({
      start() {
        starts++;
        throw new Error("too many threads");
      },
      hasWork: () => Promise.resolve(false),
      hasUpkeep: () => Promise.resolve(false),
      onDamage: () => undefined,
      onModelActivity: () => undefined,
      log: { debug: note, info: note, warn: note, error: note },
    });
    assert.equal(ingest.fault(), null);
    ingest.wake();
    assert.deepEqual([starts, told], [1, ["ingest_thread_failed"]]);
    assert.match(ingest.fault() ?? "", /the ingest thread does not start/);
    ingest.wake();
    assert.equal(starts, 1);
    mock.timers.tick(1_000);
    assert.equal(ingest.fault(), null);
    ingest.wake();
    assert.equal(starts, 2);
    mock.timers.tick(1_000);
    ingest.wake();
    assert.equal(starts, 2, "the second pause is longer");
    await ingest.drain();
  } finally {
    mock.timers.reset();
  }
});
