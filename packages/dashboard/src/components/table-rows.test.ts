import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cellText, columnNames, rowOf, textBlocks, wholeRows } from "./table-rows.ts";

const table = "| Boat | Fare |\n| --- | :---: |\n| Tern | 9 \\| 10 |\n| Skua |  |";
const text = `Fares\n\n${table}\n\nThey rise.`;

function shown(of: string) {
  return textBlocks(of).map((block) =>
    block.kind === "text"
      ? of.slice(block.start, block.end)
      : [block.head, ...block.rows].map(
          (row) => row?.cells.map(({ start, end }) => cellText(of.slice(start, end))) ?? null,
        ),
  );
}

test("a table is told from the text around it, with the words of its cells", () => {
  assert.deepEqual(shown(text), [
    "Fares\n\n",
    [
      ["Boat", "Fare"],
      ["Tern", "9 | 10"],
      ["Skua", ""],
    ],
    "\n\nThey rise.",
  ]);
});

test("a text that begins in the middle of a table has rows without names of columns", () => {
  assert.deepEqual(shown("| Tern | 9 |\n| Skua | 7 |"), [[null, ["Tern", "9"], ["Skua", "7"]]]);
});

test("one line with bars, and lines of different lengths, are no table", () => {
  for (const plain of [
    "| x | of a set",
    "a | b | c",
    "|x|\n|y|",
    "| one | line |",
    "| a | b |\n| c | d | e |",
  ])
    assert.deepEqual(shown(plain), [plain]);
});

test("the columns of a row are found by its place", () => {
  assert.deepEqual(columnNames(text, text.indexOf("| Skua")), ["Boat", "Fare"]);
  assert.equal(columnNames(text, text.indexOf("They")), null);
  assert.equal(columnNames("| Tern | 9 |\n| Skua | 7 |", 0), null);
  assert.equal(rowOf("Tern | 9", { start: 0, end: 8 }), null);
});

test("an excerpt that ends within a row is widened to it", () => {
  const tern = text.indexOf("| Tern");
  const widened = wholeRows({ start: 0, end: tern + 4 }, textBlocks(text));
  assert.equal(text.slice(tern, widened.end), "| Tern | 9 \\| 10 |");
  assert.deepEqual(wholeRows({ start: 0, end: 3 }, textBlocks(text)), { start: 0, end: 3 });
});

test("the parts of any text are the text", () => {
  const lines = fc.array(fc.constantFrom("| a | b |", "|---|---|", "x", "", " | a | b | c | "));
  fc.assert(
    fc.property(lines, (some) => {
      const whole = some.join("\n");
      const blocks = textBlocks(whole);
      assert.equal(blocks.map(({ start, end }) => whole.slice(start, end)).join(""), whole);
    }),
  );
});
