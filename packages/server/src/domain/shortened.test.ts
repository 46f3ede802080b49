import assert from "node:assert/strict";
import { test } from "node:test";
import { shortened } from "./shortened.ts";
import { UnreadableFile } from "./unreadable-file.ts";

test("a text becomes one line without control characters, of its beginning", () => {
  assert.equal(shortened(" a\r\n\tb\0\x1b[31mc\u2028d ", 99), "a b [31mc d");
  assert.equal(shortened("0123456789", 10), "0123456789");
  assert.equal(shortened("0123456789x", 10), "012345678…");
  assert.equal(shortened("😀😀😀", 4), "😀\ufffd…", "no half of a character");
  assert.equal(shortened("\n".repeat(20), 10), "…");
});

test("the reason of an unreadable file is a sentence of bounded length, whatever it quotes", () => {
  const { reason, message } = new UnreadableFile(`The part ${"a\0".repeat(5_000_000)} is missing.`);
  assert.equal(message, reason);
  assert.ok(reason.length <= 1_000);
  assert.match(reason, /^The part (?:a ){490,500}a?…$/);
});
