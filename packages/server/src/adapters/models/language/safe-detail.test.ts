import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "../../../ports/language-model.ts";
import { safeDetail } from "./safe-detail.ts";

const KEY = "sk-Proj_7hQ2mX9vLw4TzR8bNc31KdYf";
const request: ModelRequest = {
  task: "suggestion",
  promptVersion: 1,
  system: "You list facts.",
  prompt: "The lamp is lit.",
  schema: {},
  maxOutputTokens: 500,
  deadlineMs: null,
  meter: { accountId: "account-1", projectId: null, jobId: null },
};
const base64 = (text: string) => Buffer.from(text).toString("base64");
const reversed = [...KEY].reverse().join("");

for (const [how, echoed] of [
  ["whole", KEY],
  ["but for its end", `${KEY.slice(0, -4)}****`],
  ["in parts", `${KEY.slice(0, 10)} then ${KEY.slice(10, 20)} then ${KEY.slice(20)}`],
  ["letter by letter", [...KEY].join(" ")],
  ["in capitals", KEY.toUpperCase()],
  ["backwards", reversed],
  ["in Base64", base64(KEY)],
  ["in Base64 with what is before it", base64(`Bearer ${KEY}`)],
  ["in Base64 with two characters before it", base64(`a:${KEY}`)],
  ["backwards in Base64", base64(reversed)],
  ["in hexadecimal digits", Buffer.from(KEY).toString("hex")],
] as const)
  test(`of a key that is echoed ${how}, no eight characters are left`, () => {
    const shown = safeDetail(`Wrong key ${echoed} of org-77.`, request, KEY);
    assert.match(shown, /^Wrong key .*org-77\.$/);
    const spellings = [
      KEY,
      reversed,
      base64(KEY),
      base64(`Bearer ${KEY}`),
      base64(`a:${KEY}`),
      base64(reversed),
    ];
    for (const spelling of [...spellings, Buffer.from(KEY).toString("hex"), KEY.toUpperCase()]) {
      for (let at = 0; at + 8 <= spelling.length; at++) {
        const part = spelling.slice(at, at + 8);
        // Of "Bearer" only.
        if (at < 8 && spelling.startsWith("QmVh")) continue;
        assert.ok(!shown.replaceAll(" ", "").includes(part), `${part} in ${shown}`);
      }
    }
  });

test("a text is bounded and on one line, and a short key is left out, too", () => {
  const shown = safeDetail(`wrong key abc\n\u0007${"x y ".repeat(1_000)}`, request, "abc");
  assert.match(shown, /^wrong key \[key\] x y x y/);
  assert.equal(shown.length, 300);
});
