import assert from "node:assert/strict";
import { test } from "node:test";
import { errors } from "./errors.ts";
import { withoutMiddle } from "./without-middle.ts";

test("a text keeps its beginning and its end, well formed", () => {
  const most = { start: 3, end: 2 };
  assert.equal(withoutMiddle("abcde", most), "abcde");
  assert.equal(withoutMiddle("abcdefg", most), "abc … fg");
  assert.ok(withoutMiddle("😀".repeat(9), most).isWellFormed());
});

test("a long detail of an error is cut", () => {
  const { message } = errors.invalidInput(`name: got ${"x".repeat(1_000_000)}, expected less`);
  assert.ok(message.length < 21_000);
  assert.match(message, /^name: got x.* … x.*x, expected less$/);
});
