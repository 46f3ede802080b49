import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { withoutThoughts } from "./read-reply.ts";
import { createVisibleText } from "./visible-text.ts";

function pass(parts: readonly string[]): string {
  let text = "";
  const write = createVisibleText((delta) => {
    text += delta;
  });
  for (const part of parts) write(part);
  return text;
}

test("reasoning before the reply is held back, in whatever parts it comes", () => {
  assert.equal(pass([" <thi", "nk>It is</thi", "nk>\n", "In 18", "52. ", "\n"]), "In 1852.");
  assert.equal(pass(["<think>It is"]), "");
  assert.equal(pass(["<b", "old"]), "<bold");
});

test("what is passed on is the text without reasoning, or nothing while that may go on", () => {
  const piece = fc.constantFrom(
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<t",
    "hi",
    " ",
    "\n",
    "a",
    "<",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(5), { maxLength: 40 }),
      (pieces, sizes) => {
        const reply = pieces.join("");
        const parts: string[] = [];
        let at = 0;
        for (const size of sizes) {
          parts.push(reply.slice(at, at + size));
          at += size;
        }
        const passed = pass([...parts, reply.slice(at)]);
        const whole = withoutThoughts(reply).trim();
        assert.ok(passed === whole || (passed === "" && /^\s*<(?:t|$)/.test(reply)), `${reply}: ${passed}`);
      },
    ),
    { numRuns: 500 },
  );
});

test("white space that goes on and on costs as much as it is long", async () => {
  await assertLinear("white space in many parts", 4_000, (parts) => {
    const write = createVisibleText(() => undefined);
    write("It is");
    write(" ".repeat(50 * parts));
    for (let part = 0; part < parts; part++) write(" ");
    write("so");
  });
});
