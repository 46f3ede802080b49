import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kcs/sdk";
import { messageOf } from "./fault.ts";

function limited(detail: string, retryAfterSeconds: number | null, status = 429): string {
  return messageOf(new ApiError({ status, detail, requestId: null, retryAfterSeconds }));
}

test("a limit says how long it really takes, which its header has", () => {
  const fixed = "Rate limit exceeded. Try again in 60 seconds.";
  assert.equal(limited(fixed, 17), "Rate limit exceeded. Try again in 17 seconds.");
  assert.equal(limited(fixed, 0.4), "Rate limit exceeded. Try again in 1 second.");
  assert.equal(limited("Too many exports", 3), "Too many exports. Try again in 3 seconds.");
  assert.equal(limited(fixed, null), fixed);
  assert.equal(limited("Busy. Try again in 2 seconds.", 2, 503), "Busy. Try again in 2 seconds.");
});

test("a project that is not there is told without its id", () => {
  const text = limited("Project prj_0123abc not found", null, 404);
  assert.equal(text, "The project was deleted, or it belongs to another account.");
});
