import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normalizeDate } from "./dates.ts";

const cases: readonly (readonly [string, string | null])[] = [
  ["1987", "1987"],
  ["in 1987", "1987"],
  ["May 1987", "1987-05"],
  ["12 May 1987", "1987-05-12"],
  ["May 12, 1987", "1987-05-12"],
  ["12th of May 1987", "1987-05-12"],
  ["1987-05-12", "1987-05-12"],
  ["1987-05", "1987-05"],
  ["25/12/2019", "2019-12-25"],
  ["Monday, 3 June 2024", "2024-06-03"],
  ["3/4/2019", null],
  ["the 1990s", null],
  ["May", null],
  ["12 May", null],
  ["yesterday", null],
  ["last year", null],
  ["Friday", null],
  ["", null],
  ["from 1990 to 1995", null],
];

for (const [written, expected] of cases) {
  test(`"${written}" is ${expected ?? "no date"}`, () => {
    assert.equal(normalizeDate(written), expected);
  });
}

test("whatever is written gives a date in the one form, or none, and that form is its own", () => {
  const parts = fc.constantFrom(
    "May",
    "12",
    "1987",
    ",",
    "-",
    "/",
    "of",
    "the",
    "3rd",
    "noon",
    "BC",
    "2024",
    "Q3",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(parts, { maxLength: 6 }).map((list) => list.join(" ")),
      ),
      (text) => {
        const date = normalizeDate(text);
        if (date === null) return;
        assert.match(date, /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/);
        assert.equal(normalizeDate(date), date);
      },
    ),
  );
});
