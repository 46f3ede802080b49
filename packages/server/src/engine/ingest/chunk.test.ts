import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { type Chunk, indexedText } from "../../domain/document.ts";
import { type ChunkOptions, chunkDocument } from "./chunk.ts";

/** Counts like a word tokenizer with two special tokens: runs of letters and digits, and every other character alone. */
function countWords(text: string): number {
  return (text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0) + 2;
}

function options(given: Partial<ChunkOptions> = {}): ChunkOptions {
  return { targetTokens: 40, overlapTokens: 0, maxTokens: 80, countTokens: countWords, ...given };
}

function chunks(text: string, given: Partial<ChunkOptions> = {}): Chunk[] {
  return [...chunkDocument(text, options(given))];
}

/** `count` sentences of ten tokens, with the full stop. */
function prose(count: number, from = 0): string {
  const sentence = (index: number) => `Sentence number ${from + index} says that all pumps are well.`;
  return Array.from({ length: count }, (_, index) => sentence(index)).join(" ");
}

const marks = [
  "a",
  "über",
  "Dr.",
  ". ",
  "! ",
  "。",
  " ",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\u2028",
  "\u2029",
  "\u0000",
];
const pieces = fc.constantFrom(
  ...marks,
  "\ud83d",
  "\ude00",
  "😀",
  "\n# ",
  "\n## B\n",
  "- ",
  "| ",
  "```",
  "\n===\n",
  "---\n",
  "\u00a0",
  "שלום",
  "word ".repeat(30),
  "x".repeat(90),
  "水".repeat(50),
  " ".repeat(200),
  "A b c. ".repeat(9),
  "\ufeff",
  "👩‍👩‍👧",
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
  fc.array(fc.nat(0xffff), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
);
const anyOptions = fc.record({
  targetTokens: fc.integer({ min: 1, max: 60 }),
  overlapTokens: fc.integer({ min: 0, max: 30 }),
  maxTokens: fc.integer({ min: 4, max: 90 }),
  countTokens: fc.constantFrom(
    countWords,
    (text: string) => Math.ceil(text.length / 4),
    (text: string) => [...text].length,
    (text: string) => text.split(/\s+/).length,
  ),
});

test("Chunks of any text are ordered, verbatim, complete, within the limit and deterministic, and cut no surrogate pair.", () => {
  fc.assert(
    fc.property(anyText, anyOptions, (text, given) => {
      const made = chunks(text, given);
      let covered = 0;
      let start = -1;
      for (const [index, chunk] of made.entries()) {
        assert.equal(chunk.position, index);
        assert.equal(chunk.text, text.slice(chunk.start, chunk.end));
        assert.notEqual(chunk.text.trim(), "");
        assert.ok(chunk.start > start && chunk.end > covered);
        if (chunk.start > covered) assert.equal(text.slice(covered, chunk.start).trim(), "");
        assert.ok(!isPairCut(text, chunk.start) && !isPairCut(text, chunk.end));
        assert.equal(chunk.tokenCount, given.countTokens(indexedText(chunk)));
        assert.ok(chunk.tokenCount <= given.maxTokens, `${chunk.tokenCount} > ${given.maxTokens}`);
        covered = chunk.end;
        start = chunk.start;
      }
      assert.equal(text.slice(covered).trim(), "");
      assert.deepEqual(chunks(text, given), made);
    }),
    { numRuns: 1500 },
  );
});

function isPairCut(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}

test("Blank text has no chunks.", () => {
  assert.deepEqual(chunks(""), []);
  assert.deepEqual(chunks(" \n\t\r\n\u00a0\u2028 "), []);
});

test("Chunks end with sentences and have about the target length.", () => {
  const made = chunks(prose(16));
  assert.deepEqual(
    made.map((chunk) => chunk.tokenCount - 2),
    [40, 40, 40, 40],
  );
  for (const chunk of made) assert.match(chunk.text, /^Sentence .*well\.$/s);
});

test("A chunk repeats the last whole sentences of the one before up to the overlap.", () => {
  const made = chunks(prose(10), { overlapTokens: 15 });
  assert.ok(made.length > 2);
  for (const [index, chunk] of made.slice(1).entries()) {
    const shared = made[index]?.text.slice(chunk.start - (made[index]?.start ?? 0)) ?? "";
    assert.match(shared, /^Sentence number \d+ says that all pumps are well\.$/);
    assert.ok(chunk.text.startsWith(shared));
  }
});

test("The small rest of a document joins the chunk before.", () => {
  assert.deepEqual(
    chunks(prose(5)).map((chunk) => chunk.tokenCount - 2),
    [50],
  );
  assert.deepEqual(
    chunks(prose(7)).map((chunk) => chunk.tokenCount - 2),
    [40, 30],
  );
});

test("Sections are not mixed, and headers name the title and the sections above, but no heading that the chunk contains.", () => {
  const text = [
    "# Waterworks",
    prose(3),
    "## Pumps ##",
    prose(6),
    "### *Old* pumps",
    prose(3),
    "Valves\n------",
    prose(3),
  ].join("\n\n");
  const made = chunks(text, { overlapTokens: 15 });
  assert.deepEqual(
    made.map((chunk) => [chunk.header, chunk.text.split("\n")[0]?.slice(0, 17)]),
    [
      ["", "# Waterworks"],
      ["Waterworks", "## Pumps ##"],
      ["Waterworks > Pumps", "Sentence number 2"],
      ["Waterworks > Pumps", "### *Old* pumps"],
      ["Waterworks", "Valves"],
    ],
  );
});

test("Tiny sections join what follows; a heading never ends a chunk.", () => {
  const tiny = chunks(`# Guide\n\n## One\n\nFirst of all.\n\n## Two\n\nSecond.\n\n## Three\n\n${prose(3)}`);
  assert.equal(tiny.length, 2);
  assert.ok(tiny[1]?.text.startsWith("## Three"));
  const full = chunks(`${prose(1)}\n\n# Heading\n\n${"word ".repeat(55)}.`);
  assert.deepEqual(
    full.map((chunk) => chunk.text.slice(0, 9)),
    ["Sentence ", "# Heading"],
  );
});

test("A first line that looks like a title is the header of the chunks after the first.", () => {
  const [first, second] = chunks(`The pump house\n${prose(8)}`);
  assert.equal(first?.header, "");
  assert.equal(second?.header, "The pump house");
  assert.equal(chunks(prose(8))[1]?.header, "");
  assert.equal(chunks(`He left the house.\n\n${prose(8)}`)[1]?.header, "");
});

test("The title comes from front matter.", () => {
  assert.equal(chunks(`---\ntitle: "Pump house"\n---\n\n${prose(8)}`).at(-1)?.header, "Pump house");
});

test("A header has a maximum length; title and innermost heading stay in it.", () => {
  const long = "very ".repeat(35);
  const text = `# Alpha ${long}\n\n## Beta\n\n### ${long}\n\n#### Gamma\n\n${prose(12)}`;
  const header = chunks(text, { targetTokens: 60, maxTokens: 200 }).at(-1)?.header ?? "";
  assert.match(header, /^Alpha very.* > Gamma$/);
  assert.ok(countWords(header) - 2 <= 32);
});

test("A sentence that is too long is cut after a clause, else between words, else between code points.", () => {
  const clause = "one two three four five six seven eight nine";
  const clauses = chunks(`${`${clause}, `.repeat(20)}end.`);
  assert.ok(clauses.length >= 5);
  for (const chunk of clauses.slice(0, -1)) assert.match(chunk.text, /nine,$/);
  for (const chunk of chunks("word ".repeat(500))) assert.match(chunk.text, /^word .*word$/);
  const solid = chunks("水".repeat(1000), { countTokens: (text) => text.length });
  assert.ok(solid.every((chunk) => chunk.text.length > 20 && chunk.text.length <= 80));
});

test("Text that a word tokenizer counts as one token is still split.", () => {
  for (const chunk of chunks("x".repeat(100_000))) assert.ok(chunk.text.length <= 600);
  for (const chunk of chunks("a. b!\n\n".padEnd(5_000).repeat(5))) assert.ok(chunk.text.length <= 6_000);
});

test("Megabytes are streamed in linear time, and each sentence is counted about once.", () => {
  const text = `# Title\n\n${`${prose(40)}\n\n## Part\n\n`.repeat(4_200)}`;
  assert.ok(text.length > 8_000_000);
  let counted = 0;
  const countTokens = (piece: string) => {
    counted += piece.length;
    return Math.ceil(piece.length / 5);
  };
  const stream = chunkDocument(text, options({ countTokens, overlapTokens: 0 }));
  assert.ok(stream.next().value);
  assert.ok(counted < 100_000, "The first chunk came before the text was read.");
  let count = 0;
  for (const _ of stream) count++;
  assert.ok(count > 10_000);
  assert.ok(counted < text.length * 2.5, `${counted / text.length} characters counted for each in the text`);
});

test("The time for one repeated unit grows with the length of the text alone.", async () => {
  const units = [
    "a",
    ". ",
    "\n",
    "- x\n",
    "# a\n",
    "水",
    "a, ",
    "😀",
    "``` \n",
    "a\u00a0",
    "\ud83d",
    "[](",
    "===\n",
  ];
  await assertLinear("chunks", 20_000, (length) => {
    for (const unit of units) {
      const text = unit.repeat(length / unit.length);
      let end = 0;
      for (const chunk of chunkDocument(text, options())) end = chunk.end;
      assert.ok(end <= text.length);
    }
  });
});

test("A chunk that begins in the middle of a table has the column names in its header, below title and section.", () => {
  const rows = Array.from({ length: 12 }, (_, at) => `| Well ${at} | ${at} m | Ada Lund |`).join("\n");
  const text = `# Wells\n\n## North\n\n| Name | Depth | Keeper |\n|---|---|---|\n${rows}\n\nAll of them were dry last May, says the keeper.`;
  const [first, ...others] = chunks(text);
  assert.equal(first?.header, "");
  assert.ok(others.length >= 2);
  for (const { header, text: part } of others) {
    const begins = part.startsWith("|") ? "Wells > North\nName | Depth | Keeper" : "Wells > North";
    assert.equal(header, begins);
  }
});

test("A chunk that begins in a table has the row of its columns and its first rows, one that ends in it the rows behind.", () => {
  const rows = Array.from({ length: 12 }, (_, row) => `| Mill ${row} | Miller ${row} |`);
  const text = ["| Mill | Miller |", "| --- | --- |", ...rows].join("\n");
  const [first, second] = chunks(`${text}\n\nThat is all.`);
  assert.equal(first?.table?.columns, "");
  assert.equal(first?.table?.rows, rows.slice(first?.text.split("\n").length - 2).join("\n"));
  assert.equal(second?.table?.columns, "| Mill | Miller |");
  assert.ok(second?.table?.rows.endsWith(rows.join("\n")));
  assert.ok(chunks(prose(12)).every(({ table }) => table === undefined));
});
