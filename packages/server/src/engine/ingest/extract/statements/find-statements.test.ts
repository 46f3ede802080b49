import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTagger } from "./create-tagger.ts";
import { findStatements } from "./find-statements.ts";

const tag = createTagger();

function read(text: string) {
  const slice = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
  return findStatements(tag(text, { start: 0, end: text.length }), 0).map((found) => ({
    triple: [slice(found.subject), slice(found.verb), slice(found.object)].join(" | "),
    frame: found.frame,
    isNegated: found.isNegated,
    isHedged: found.isHedged,
  }));
}

const triples = (text: string) => read(text).map(({ triple }) => triple);
const frames = (text: string) => read(text).map(({ frame }) => frame);

test("A verb with an object is a statement of its subject.", () => {
  assert.deepEqual(triples("The company acquired Northwind in 1999."), [
    "The company | acquired | Northwind",
    "The company | acquired Northwind in | 1999",
  ]);
});

test("The frame of a passive has its form of be and its preposition.", () => {
  assert.deepEqual(frames("Ada Larsen was born in Oslo."), ["be bear in"]);
  assert.deepEqual(frames("The bridge was designed by Ida Holm in 1931."), ["be design by", "be design in"]);
});

test("A year before a subject is not part of it, and no subject itself.", () => {
  for (const time of ["In 1999", "Since 1999", "From 1980 to 1999"])
    assert.equal(triples(`${time} Ada Larsen worked in Oslo.`)[0], "Ada Larsen | worked in | Oslo");
  assert.equal(triples("The 1999 Tour ended in Oslo.")[0], "The 1999 Tour | ended in | Oslo");
  assert.ok(triples("Ada Larsen lives at 1600 Broad Street.")[0]?.endsWith("1600 Broad Street"));
  assert.deepEqual(triples("Northwind was acquired by 1848 Ventures in 2011."), [
    "Northwind | was acquired by | 1848 Ventures",
    "Northwind | was acquired by 1848 Ventures in | 2011",
  ]);
});

test("Auxiliaries do not show in a frame.", () => {
  assert.deepEqual(frames("The firm has acquired Northwind."), ["acquire"]);
  assert.deepEqual(frames("The firm is building a harbour."), ["build"]);
});

test("Verbs that are joined share their subject.", () => {
  const found = triples("Ida Holm founded Northwind and led the company.");
  assert.ok(found.includes("Ida Holm | founded | Northwind"), found.join("; "));
  assert.ok(found.includes("Ida Holm | led | the company"), found.join("; "));
});

test("An apposition says what something is.", () => {
  const found = read("Oslo, the capital of Norway, hosted the games.");
  assert.ok(
    found.some(({ triple, frame }) => triple === "Oslo | , | the capital of Norway" && frame === "be"),
  );
});

test("A negated verb gives a negated statement.", () => {
  assert.deepEqual(
    read("The company did not acquire Northwind.").map(({ isNegated }) => isNegated),
    [true],
  );
  assert.deepEqual(
    read("The company acquired Northwind.").map(({ isNegated }) => isNegated),
    [false],
  );
});

for (const text of [
  "The company may acquire Northwind.",
  "Did the company acquire Northwind?",
  "If the company acquired Northwind, prices fell.",
  "The company reportedly acquired Northwind.",
  "Analysts claim that the company acquired Northwind.",
]) {
  test(`"${text}" is hedged.`, () => {
    const found = read(text).filter(({ triple }) => triple.includes("Northwind"));
    assert.ok(found.length > 0);
    assert.ok(found.every(({ isHedged }) => isHedged));
  });
}

test("What is told plainly is not hedged, nor is the narrative 'would later'.", () => {
  assert.deepEqual(
    read("The company acquired Northwind.").map(({ isHedged }) => isHedged),
    [false],
  );
  assert.ok(read("She would later become a judge.").every(({ isHedged }) => !isHedged));
});

test("Spans lie within the text, in whatever is read.", () => {
  const words = fc.constantFrom(
    "the",
    "Ann",
    "was",
    "born",
    "in",
    ",",
    "by",
    "of",
    "and",
    "(",
    ")",
    "who",
    "1999",
    "not",
    "-",
    "“",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(words, { maxLength: 40 }).map((list) => list.join(" ")),
        fc.string(),
      ),
      (text) => {
        const offset = 7;
        const padded = `${"x".repeat(offset)}${text}`;
        for (const found of findStatements(tag(padded, { start: offset, end: padded.length }), 3)) {
          for (const { start, end } of [found.subject, found.verb, found.object]) {
            assert.ok(start >= offset && start < end && end <= padded.length);
          }
          assert.equal(found.sentence, 3);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("The same sentence gives the same statements after others were read.", () => {
  const text = "The river flows into the lake near Hamar.";
  const before = read(text);
  for (let count = 0; count < 50; count++)
    read(`Name${count} was founded by Other${count} in Place${count}.`);
  assert.deepEqual(read(text), before);
});
