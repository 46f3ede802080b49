import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { createTermFinder } from "./term-finder.ts";
import { indexTerms, queryTerms } from "./terms.ts";

const words = [
  ..."happily ties dying ays sensibility relational ency hopping e-mail E-mail AX-200 ax200 getUserName".split(
    " ",
  ),
  ..."HTTPServer IT WHO it who c++ c# .net U.S.A. 1,234,567 v1.2.3 naïve Köln résumés “quoted” it’s".split(
    " ",
  ),
  ..."me@example.org 水泵每周 ไทยภาษา Foo™ K ﬁsh x\u0301 0xff R&D 00:1b:44:11:3a:b7 don't Ann's".split(" "),
  "a".repeat(70),
  `${"b-".repeat(40)}b`,
];
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...words),
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.lorem({ maxCount: 1 }),
    ),
    {
      maxLength: 12,
    },
  )
  .chain((parts) =>
    fc
      .array(fc.constantFrom(" ", "\n", ", ", ". ", " (", "\u00a0", "-"), { minLength: 12, maxLength: 12 })
      .map((gaps) => parts.map((part, at) => part + gaps[at]).join("")),
  );

test("a finder finds exactly those requested terms under which the text is indexed", () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.nat(40), { maxLength: 4 }), (question, read, places) => {
      const all = indexTerms(read);
      const requested = new Set([...queryTerms(question), ...places.flatMap((place) => all[place] ?? [])]);
      const find = createTermFinder(requested);
      const expected = [...new Set(all)].filter((term) => requested.has(term)).sort();
      assert.deepEqual([...find(read)].sort(), expected);
      assert.deepEqual([...find(read)].sort(), expected, "from its cache");
    }),
    { numRuns: 1000 },
  );
});

test("every listed word is found by its own terms among other words", () => {
  for (const word of words) {
    for (const term of indexTerms(word)) {
      const find = createTermFinder(new Set([term]));
      assert.ok(find(`so ${word}, then`).has(term), `${word} ${term}`);
    }
  }
});

test("many requested terms in a long text take linear time", async () => {
  await assertLinear("requested terms", 40_000, (length) => {
    const requested = new Set(Array.from({ length }, (_, at) => `w${at}z`));
    assert.equal(createTermFinder(requested)(`${"wz ".repeat(4 * length)}w17z`).size, 1);
  });
});
