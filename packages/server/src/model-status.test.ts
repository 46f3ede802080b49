import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Registry } from "prom-client";
import { createModelStatusBoard } from "./model-status.ts";
import type { ModelActivity } from "./ports/model-activity.ts";

const load = { limit: 4, running: 0, waiting: 2, breaker: "closed" } as const;

function activityOf(over: Partial<ModelActivity> = {}): ModelActivity {
  return {
    at: Date.UTC(2031, 3, 21),
    seconds: 1,
    jobId: null,
    model: "test/large",
    outcome: "answered",
    error: null,
    inputTokens: 10,
    outputTokens: 3,
    retries: 1,
    load,
    ...over,
  };
}

describe("the state of the language model", () => {
  test("is that of its last real call, whichever thread made it", () => {
    const board = createModelStatusBoard("test/large");
    assert.deepEqual(board.read(), {
      model: "test/large",
      state: "unused",
      lastError: null,
      lastCallAt: null,
    });
    board.record("ingest", activityOf());
    assert.equal(board.read().state, "ok");
    board.record("main", activityOf({ at: Date.UTC(2031, 3, 22), outcome: "timeout", error: "No reply." }));
    assert.deepEqual(board.read(), {
      model: "test/large",
      state: "failing",
      lastError: "No reply.",
      lastCallAt: Date.UTC(2031, 3, 22),
    });
    board.record("ingest", activityOf({ at: Date.UTC(2031, 3, 23) }));
    assert.deepEqual([board.read().state, board.read().lastError], ["ok", null]);
  });

  test("is not changed by kept replies, calls given up, calls kept out and used-up limits", () => {
    const board = createModelStatusBoard("test/large");
    for (const outcome of ["cached", "aborted", "kept_out", "token_limit"] as const) {
      board.record("main", activityOf({ outcome }));
    }
    assert.equal(board.read().state, "unused");
  });

  test("is open as long as the breaker of the last caller's thread is not closed", () => {
    const board = createModelStatusBoard("test/large");
    const isOpen = { ...load, breaker: "open" } as const;
    board.record("ingest", activityOf({ outcome: "unavailable", error: "It answered 500.", load: isOpen }));
    assert.equal(board.read().state, "open");
    board.record("ingest", activityOf({ outcome: "kept_out", load: { ...load, breaker: "half_open" } }));
    assert.equal(board.read().state, "open");
    board.record("ingest", activityOf());
    assert.equal(board.read().state, "ok");
  });
});

test("the metrics count calls, tokens, retries and spared calls, and show the limiter and the breaker", async () => {
  const board = createModelStatusBoard("test/large");
  const registry = new Registry();
  board.register(registry);
  board.record("main", activityOf());
  board.record("main", activityOf({ outcome: "cached", inputTokens: 0, outputTokens: 0, retries: 0 }));
  const failed = { outcome: "timeout", inputTokens: 0, outputTokens: 0, retries: 3 } as const;
  board.record("ingest", activityOf({ ...failed, load: { ...load, limit: 2, breaker: "open" } }));
  const lines = (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  assert.deepEqual(lines.toSorted(), [
    'kcs_language_model_breaker_open{thread="ingest"} 1',
    'kcs_language_model_breaker_open{thread="main"} 0',
    "kcs_language_model_cache_hits_total 1",
    'kcs_language_model_calls_total{outcome="answered"} 1',
    'kcs_language_model_calls_total{outcome="timeout"} 1',
    'kcs_language_model_concurrency_limit{thread="ingest"} 2',
    'kcs_language_model_concurrency_limit{thread="main"} 4',
    "kcs_language_model_retries_total 4",
    'kcs_language_model_tokens_total{direction="input"} 10',
    'kcs_language_model_tokens_total{direction="output"} 3',
    'kcs_language_model_waiting{thread="ingest"} 2',
    'kcs_language_model_waiting{thread="main"} 2',
  ]);
});
