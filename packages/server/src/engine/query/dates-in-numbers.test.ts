import assert from "node:assert/strict";
import { test } from "node:test";
import { readAskedDates } from "./dates-in-numbers.ts";
import { summarize } from "./summarize.ts";

function finds(question: string, text: string, others: readonly string[] = []) {
  const dates = readAskedDates(question, [text, ...others]);
  return [...(dates?.find(text) ?? [])].length > 0;
}

test("a month or day in words is found where a text has it in numbers", () => {
  for (const [question, text] of [
    ["What came in August 2024?", "| 2024-08-10 | oak |"],
    ["What came in August 2024?", "Log 2024-08: oak"],
    ["What came in Aug 2024?", "| 10.08.2024 | oak |"],
    ["What came on 10 August 2024?", "| 2024-08-10 | oak |"],
    ["What came in August 1994?", "| 8/31/94 | oak |"],
  ] as const)
    assert.ok(finds(question, text), `${question} ${text}`);
  for (const [question, text] of [
    ["What came in August 2024?", "| 2024-09-08 | oak |"],
    ["What came in August 2024?", "| 2023-08-10 | oak |"],
    ["What came on 10 August 2024?", "| 2024-08-11 | oak |"],
    ["What came in 2024?", "| 2024-08-10 | oak |"],
    ["What may come?", "| 2024-05-10 | oak |"],
    ["What came in August 2024?", "| 12024-08-10 | oak |"],
  ] as const)
    assert.ok(!finds(question, text), `${question} ${text}`);
});

test("which of two numbers is the month is told by other dates, unless these differ", () => {
  const question = "What came in March 2024?";
  assert.ok(finds(question, "3/8/2024"));
  assert.ok(finds(question, "8/3/2024"));
  assert.ok(finds(question, "3/8/2024", ["3/31/2024"]));
  assert.ok(!finds(question, "8/3/2024", ["3/31/2024"]));
  assert.ok(!finds(question, "3/8/2024", ["31/3/2024"]));
  assert.ok(finds(question, "8/3/2024", ["31/3/2024", "3/31/2024"]));
});

test("the row of the asked month is quoted first, whichever passage comes first and wherever the reader looked", () => {
  const table = ["| Boat | Loaded | Tons |", "|---|---|---|"];
  const chunkOf = (row: string, start: number, similarity: number) => ({
    ...{ versionId: 1, start, similarity, header: "Loads" },
    text: [...table, row].join("\n"),
  });
  const others = chunkOf("| Sedge | 2024-04-04 | 19 |", 0, 0.8);
  const asked = chunkOf("| Sedge | 2024-08-10 | 25 |", 200, 0.2);
  const place = others.text.indexOf("19");
  const reading = { answer: { versionId: 1, start: place, end: place + 2 }, isComplete: false };
  for (const read of [null, reading]) {
    const chunks = [others, asked];
    const { text } = summarize({
      query: "How many tons did Sedge load in August 2024?",
      chunks,
      reading: read,
    });
    assert.match(text, /^Boat: Sedge; Loaded: 2024-08-10; Tons: 25/);
  }
});
