import assert from "node:assert/strict";
import { test } from "node:test";
import { requireBoundedJson } from "./json-size.ts";

const check =
  (text: string, maxValues = 1000) =>
  () =>
    requireBoundedJson(Buffer.from(text), maxValues);
const refused = { kind: "invalid_input", message: "body: has too many values, expected at most 1000" };
const tooDeep = { kind: "invalid_input", message: "body: is nested too deeply, expected at most 64 levels" };

test("as many values as allowed are accepted, one more of any kind is refused", () => {
  for (const unit of [",", ":", "[]", "{}"]) {
    assert.doesNotThrow(check(unit.repeat(1000)));
    assert.throws(check(unit.repeat(1001)), refused);
  }
});

test("64 levels are accepted, one more is refused, whatever brackets they have", () => {
  for (const [open, close] of [
    ["[", "]"],
    ["{", "}"],
  ] as const) {
    const nested = (depth: number) => `${open.repeat(depth)}"${open.repeat(99)}"${close.repeat(depth)}`;
    assert.doesNotThrow(check(`[${nested(63)},${nested(63)}]`));
    assert.throws(check(`[${nested(64)}]`), tooDeep);
    assert.throws(check(`[${open.repeat(64)}`), tooDeep);
  }
  assert.throws(check('{"a":['.repeat(33)), tooDeep);
});

test("separators in strings do not count, with any escapes in the strings", () => {
  const separators = ",:".repeat(500);
  for (const before of ["", '\\"', "\\\\", '\\\\\\"', "\\u0022"]) {
    assert.doesNotThrow(check(`["${before}${separators}[{"]`));
    assert.throws(check(`["${before}"${separators}]`), refused);
  }
  assert.throws(check(`"\\\\"${separators}:`), refused);
});

test("nothing is read behind the first fault", () => {
  let reads = 0;
  const bytes = new Proxy(Buffer.from("[".repeat(100_000)), {
    get(target, key) {
      reads++;
      return Reflect.get(target, key, target);
    },
  });
  assert.throws(() => requireBoundedJson(bytes, 1_000_000), tooDeep);
  assert.ok(reads < 1000, `${reads} reads`);
});
