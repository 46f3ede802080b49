import assert from "node:assert/strict";
import { test } from "node:test";
import { apiError, ConnectionError, KcsError, TimeoutError } from "./errors.ts";
import { DEFAULT_RETRY, readRetryAfter, retryDelayMs } from "./retry.ts";
import { sleep } from "./time-limit.ts";

const answer = (status: number, retryAfterSeconds: number | null = null) =>
  apiError({ status, detail: "x", requestId: "req_1", retryAfterSeconds });
const delay = (error: unknown, attempt = 1, random = 0.5) =>
  retryDelayMs(error, { attempt, policy: DEFAULT_RETRY, random });

test("temporary errors are retried, permanent errors are not", () => {
  for (const status of [408, 425, 429, 502, 503, 504])
    assert.notEqual(delay(answer(status)), null, `${status}`);
  for (const status of [400, 401, 403, 404, 405, 409, 413, 415, 500, 501])
    assert.equal(delay(answer(status)), null);
  assert.notEqual(delay(new ConnectionError("x")), null);
  assert.notEqual(delay(new TimeoutError("x")), null);
  for (const other of [new KcsError("x"), new Error("x"), "x"]) assert.equal(delay(other), null);
});

test("a conflict is retried while the first request is still being carried out", () => {
  assert.notEqual(delay(answer(409, 1)), null);
});

test("delays double up to a bound, with full jitter, and end after the last retry", () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => delay(answer(503), attempt, 1)),
    [250, 500, 1000],
  );
  assert.equal(delay(answer(503), 1, 0), 0);
  assert.equal(delay(answer(503), 4), null);
  const patient = { ...DEFAULT_RETRY, maxRetries: 50 };
  assert.equal(retryDelayMs(answer(503), { attempt: 40, policy: patient, random: 1 }), 8_000);
});

test("the service's delay takes precedence, unless it is too long to wait for", () => {
  assert.equal(delay(answer(429, 42), 1, 0), 42_000);
  assert.equal(delay(answer(429, 60), 1, 0), 60_000);
  assert.equal(delay(answer(429, 61), 1, 0), null);
});

test("Retry-After is read as seconds or as a date", () => {
  const now = Date.parse("2031-04-09T10:00:00Z");
  assert.equal(readRetryAfter("7", now), 7);
  assert.equal(readRetryAfter("Wed, 09 Apr 2031 10:00:30 GMT", now), 30);
  assert.equal(readRetryAfter("Wed, 09 Apr 2031 09:00:00 GMT", now), 0);
  for (const unreadable of [null, "soon", "", "-1x"]) assert.equal(readRetryAfter(unreadable, now), null);
});

test("sleeping ends with the signal's reason", async () => {
  const stop = new AbortController();
  const sleeping = sleep(60_000, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(sleeping, /enough/);
  await assert.rejects(sleep(60_000, stop.signal), /enough/);
});
