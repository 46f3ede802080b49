import assert from "node:assert/strict";
import { test } from "node:test";
import { requireFewValues } from "./json-size.ts";

const MILLION = 1_000_000;
const check = (text: string) => () => requireFewValues(Buffer.from(text));

test("a million separators are accepted, one more of any kind is refused", () => {
  for (const character of [",", ":", "[", "{"]) {
    assert.doesNotThrow(check(character.repeat(MILLION)));
    assert.throws(check(character.repeat(MILLION + 1)), {
      kind: "invalid_input",
      message: "body: has too many values, expected at most 1000000",
    });
  }
});

test("separators in strings do not count, with any escapes in the strings", () => {
  const brackets = "[{,:".repeat(MILLION);
  for (const before of ["", '\\"', "\\\\", '\\\\\\"', "\\u0022"]) {
    assert.doesNotThrow(check(`["${before}${brackets}"]`));
    assert.throws(check(`["${before}"${brackets}]`), { kind: "invalid_input" });
  }
  assert.throws(check(`"\\\\"${brackets}`), { kind: "invalid_input" });
});
