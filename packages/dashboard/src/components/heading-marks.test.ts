import assert from "node:assert/strict";
import { test } from "node:test";
import { headingMarks, sliceWithout, withoutHeadingMarks } from "./heading-marks.ts";

test("a quote is shown without the signs of headings; other signs, and comments of programs, stay", () => {
  const text = "# Tides\n\nThe #1 port.\n### High water\nIt rose # 2 m.\n#hashtag";
  const plain = "Tides\n\nThe #1 port.\nHigh water\nIt rose # 2 m.\n#hashtag";
  assert.equal(withoutHeadingMarks(text, "tides.md"), plain);
  assert.equal(withoutHeadingMarks(text, "Report on tides"), plain);
  for (const name of ["run.py", "compose.yaml", "setup.SH"])
    assert.equal(withoutHeadingMarks(text, name), text);
});

test("a part of a text leaves out what of a sign is in it", () => {
  const text = "One.\n## Two\nThree.";
  const marks = headingMarks(text, "notes.md");
  const slice = (start: number, end: number) => sliceWithout(text, { start, end }, marks);
  assert.equal(slice(0, 5) + slice(5, 11) + slice(11, text.length), "One.\nTwo\nThree.");
  assert.equal(slice(6, 11), "Two");
  assert.equal(slice(0, 6) + slice(6, text.length), "One.\nTwo\nThree.");
});
