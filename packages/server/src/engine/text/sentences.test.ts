import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { sentences } from "./sentences.ts";

function split(text: string): string[] {
  return [...sentences(text)].map(({ start, end }) => text.slice(start, end));
}

function assertSplit(...expected: string[]): void {
  assert.deepEqual(split(expected.join(" ")), expected);
}

test("Prose ends at stops, question marks, exclamation marks and ellipses before a capital.", () => {
  assertSplit("The pump failed.", "Why?", "Nobody knew!", "It hummed … softly...", "Then it stopped…", "End");
});

test("Titles, initials, dotted acronyms and decimals do not end a sentence.", () => {
  assertSplit(
    "Dr. Amara Okoye and J. R. Lindqvist measured 3.14 volts at approx. 5 p.m. in Ghent.",
    "They left.",
  );
  assertSplit("The U.S. Senate sat, e.g. On Mondays, with Mr. Ito.", "It voted.");
});

test("An abbreviation that may end a sentence ends it before a word that usually begins one.", () => {
  assertSplit(
    "She worked for Brandt Ltd. in Oslo.",
    "He lives in the U.S.",
    "They met at 5 p.m.",
    "It rained.",
  );
  assertSplit("He met George W. Hale.", "They bought nails, screws, etc.", "The rest was lost.");
});

test("Abbreviations that precede numbers end a sentence before anything else.", () => {
  assertSplit(
    "See Fig. 3 and No. 7 on pp. 12 and 13.",
    "The answer was no.",
    "Nobody asked on Jan. 3, 2001.",
  );
});

test("Closing quotes, brackets and reference marks belong to the sentence before them.", () => {
  assertSplit(
    '"It works."',
    "(It does.)",
    "He left.[12]",
    "“Really?” she asked.",
    "**Bold.**",
    "‘Fine.’",
    "End.",
  );
});

test("List numbers are not separate sentences.", () => {
  assert.deepEqual(split("1. Open the lid. Close it.\n2. Wait.\n3) Go."), [
    "1. Open the lid.",
    "Close it.",
    "2. Wait.",
    "3) Go.",
  ]);
});

test("Lower-case text and tokenized text are split, too.", () => {
  assertSplit("the wing was tested .", "an experimental study followed .", "all was well.", "it ended");
  assertSplit("It is one of the series of Tales of ... films for children.", "It was short ...", "The end.");
});

test("Chinese, Japanese, Hindi, Urdu and Arabic stops end sentences.", () => {
  assert.deepEqual(split("水は冷たい。山は高い！「本当？」はい。"), [
    "水は冷たい。",
    "山は高い！",
    "「本当？」",
    "はい。",
  ]);
  assertSplit("नदी लंबी है।", "पहाड़ ऊँचा है॥");
  assertSplit("أين النهر؟", "النهر هنا.", "انتهى");
  assertSplit("یہ کتاب ہے۔", "وہ قلم ہے۔");
});

test("Blank lines, headings, list items, table rows, rules and lines of code are boundaries.", () => {
  const text = [
    "---",
    "title: Notes",
    "---",
    "# Pumps and valves",
    "First line",
    "",
    "Second paragraph",
    "",
    "Setext",
    "======",
    "- one. Two",
    "- three",
    "  and more",
    "",
    "| a. B | c |",
    "|---|---|",
    "| 1 | 2 |",
    "***",
    "```js",
    "call(a. B);",
    "```",
    "End",
  ];
  assert.deepEqual(split(text.join("\n")), [
    "---",
    "title: Notes",
    "---",
    "# Pumps and valves",
    "First line",
    "Second paragraph",
    "Setext\n======",
    "- one.",
    "Two",
    "- three\n  and more",
    "| a. B | c |",
    "|---|---|",
    "| 1 | 2 |",
    "***",
    "```js",
    "call(a. B);",
    "```",
    "End",
  ]);
});

test("A hand-wrapped sentence is not split, and a title line before it is separate.", () => {
  const text =
    "Water supply\nThe reservoir above the valley was built between the\nwars and supplies about forty villages around\nLower Tarima to this day. It was repaired once.";
  assert.deepEqual(split(text), [
    "Water supply",
    "The reservoir above the valley was built between the\nwars and supplies about forty villages around\nLower Tarima to this day.",
    "It was repaired once.",
  ]);
  assert.equal(split(`A title\n${"long line without any break ".repeat(12)}`).length, 2);
});

const pieces = fc.constantFrom(
  ...[
    "a",
    "Zürich",
    "Dr",
    ".",
    "!",
    "?",
    "…",
    "。",
    "।",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u2028",
    "\u2029",
  ],
  ...[
    "\u0000",
    "\ud83d",
    "\ude00",
    "😀",
    "# ",
    "- ",
    "1. ",
    "| ",
    "```",
    "===",
    "---",
    "\u00a0",
    "שלום",
    '"',
    ")",
    "*",
  ],
);
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join("")),
  fc.array(fc.nat(0xffff), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
);

test("Sentences are ordered and trimmed, lose only white space and never split a surrogate pair.", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let at = 0;
      for (const { start, end } of sentences(text)) {
        assert.equal(text.slice(at, start).trim(), "");
        const sentence = text.slice(start, end);
        assert.ok(sentence.length > 0 && sentence === sentence.trim());
        assert.ok(!/[\ud800-\udbff]$/.test(sentence) || !/^[\udc00-\udfff]/.test(text.slice(end)));
        at = end;
      }
      assert.equal(text.slice(at).trim(), "");
    }),
    { numRuns: 2000 },
  );
});

test("The time for a text without a boundary, of only stops, or of hostile lines grows with its length alone.", async () => {
  const hostile = [
    "a",
    "word ",
    ".",
    ". ",
    "- ",
    "a\n",
    "``` \n",
    '"',
    "1. ",
    " ",
    "| ",
    "\n",
    "# a\n",
    "。",
    "a.)]",
  ];
  await assertLinear("sentences", 50_000, (length) => {
    for (const unit of hostile) {
      const text = unit.repeat(length / unit.length);
      let count = 0;
      for (const span of sentences(text)) count += span.end - span.start;
      assert.ok(count <= text.length);
    }
  });
});
