import assert from "node:assert/strict";
import { test } from "node:test";
import { requireFewValues } from "./json-size.ts";

const MILLION = 1_000_000;
const check = (text: string) => () => requireFewValues(Buffer.from(text));

test("a million values pass, one more of any kind is refused in words", () => {
  for (const sign of [",", ":", "[", "{"]) {
    assert.doesNotThrow(check(sign.repeat(MILLION)));
    assert.throws(check(sign.repeat(MILLION + 1)), {
      kind: "invalid_input",
      message: "body: has too many values, expected at most 1000000",
    });
  }
});

test("what stands in strings does not count, whatever is escaped in them", () => {
  const brackets = "[{,:".repeat(MILLION);
  for (const before of ["", '\\"', "\\\\", '\\\\\\"', "\\u0022"]) {
    assert.doesNotThrow(check(`["${before}${brackets}"]`));
    assert.throws(check(`["${before}"${brackets}]`), { kind: "invalid_input" });
  }
  assert.throws(check(`"\\\\"${brackets}`), { kind: "invalid_input" });
});
