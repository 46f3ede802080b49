import assert from "node:assert/strict";
import { test } from "node:test";
import { findRegexes } from "./regex/find-regexes.ts";
import { faultOf } from "./regex/prove-linear.ts";

test("what takes more than linear time is reported, in a match and in the search for one", () => {
  for (const regex of [/^(a|a)*$/, /^\s*\s*x/, /\s+$/, /\bwhat\b.*\ball\b/, /^(?:ab)*(?:ab)*$/])
    assert.match(faultOf(regex) ?? "", /^is /, regex.source);
  assert.match(faultOf(/(?<=a+)b+/) ?? "", /cannot be proven/);
  for (const regex of [/^\s+|^x*y/, /\s{1,64}$/, /"(?:[^"\\]|\\.)*"/y]) assert.equal(faultOf(regex), null);
});

test("literals and calls are found, copies of them are not", () => {
  const text =
    'const A = /a/g;\nconst B = new RegExp(A.source + "b");\nconst c = () => [new RegExp(A), RegExp("c")];';
  assert.deepEqual(
    findRegexes("a.ts", text).map(({ line, code, literal }) => [line, code, literal?.source]),
    [
      [1, "/a/g", "a"],
      [2, 'new RegExp(A.source + "b")', undefined],
      [3, 'RegExp("c")', undefined],
    ],
  );
});
