import assert from "node:assert/strict";
import { test } from "node:test";
import { THREAD_KINDS } from "./kinds.ts";

test("a thread has at least ten seconds to start, to answer and to give a sign of life, and before it ends when idle", () => {
  for (const { name, startMs, answerMs, silenceMs, idleMs } of Object.values(THREAD_KINDS)) {
    for (const ms of [startMs, answerMs, silenceMs, idleMs]) assert.ok(ms === null || ms >= 10_000, name);
  }
});
