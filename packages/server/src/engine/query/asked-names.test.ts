import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SummaryInput } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

type SummaryChunk = SummaryInput["chunks"][number];

function chunksOf(...texts: readonly string[]): readonly SummaryChunk[] {
  return texts.map((text, at) => ({ text, versionId: at + 1, start: 0, similarity: 0.8 }));
}

const BUILT = "The Tessel ferry was built in 1790.";
const OWN = `${BUILT} The Tessel ferry takes cars.`;
const OTHER =
  "Many say that the pump of Velden was built by Ivo Lank. In fact it was built by Maud Pell. Work had begun in 1850.";
const QUERY = "When was the Tessel ferry built first?";

describe("beside a passage that has a name of the question", () => {
  test("no sentence of another is quoted that does not say itself what it is about", () => {
    // Passages are longer than names.
    const long = `${"Rope is sold in Velden. ".repeat(40)}${BUILT}`;
    for (const chunks of [chunksOf(BUILT, OTHER), chunksOf(OTHER, BUILT), chunksOf(OTHER, long)]) {
      const summary = summarize({ query: QUERY, chunks });
      assert.match(summary, /Tessel ferry was built in 1790\./);
      assert.doesNotMatch(summary, /In fact it|Work had begun/);
    }
    const asked = "Who built the Tessel ferry first?";
    assert.match(summarize({ query: asked, chunks: chunksOf(BUILT, OTHER) }), /pump of Velden was built/);
    assert.doesNotMatch(summarize({ query: asked, chunks: chunksOf(BUILT, OTHER) }), /In fact it/);
  });

  test("what was read in another does not begin the summary", () => {
    const chunks = chunksOf(OWN, OTHER);
    const place = (versionId: number, text: string, part: string) => {
      const start = text.indexOf(part);
      return { answer: { versionId, start, end: start + part.length }, isComplete: false };
    };
    assert.doesNotMatch(summarize({ query: QUERY, chunks, reading: place(2, OTHER, "1850") }), /^Work/);
    const ferry = summarize({ query: QUERY, chunks, reading: place(1, OWN, "takes cars") });
    assert.match(
      ferry,
      /^The Tessel ferry takes cars\.|The Tessel ferry was built in 1790\. The Tessel ferry takes/,
    );
  });

  test("a passage that stands under the name, or that a passage with the name leads to, is no other", () => {
    const about = "She was built by Maud Pell.";
    const [own, bare] = chunksOf(OWN, about);
    assert.ok(own !== undefined && bare !== undefined);
    for (const chunk of [
      { ...bare, header: "Tessel" },
      { ...bare, leadingText: "Tessel's engine is Sund." },
    ])
      assert.match(summarize({ query: "Who built Tessel?", chunks: [own, chunk] }), /She was built by/);
    assert.doesNotMatch(summarize({ query: "Who built Tessel?", chunks: [own, bare] }), /She was built by/);
    const led = summarize({
      query: "Who built Tessel?",
      chunks: [own, { ...bare, header: "Sund" }],
      names: ["sund"],
    });
    assert.match(led, /She was built by/);
  });
});

test("a word without a capital is no name: a passage with it makes no strangers of others", () => {
  const away = "Most of us sold rope. The pump was old.";
  for (const query of ["Which US firm built the pump?", "Which firm built the pump for the US?"])
    assert.match(summarize({ query, chunks: chunksOf(OTHER, away) }), /In fact it was built by Maud Pell/);
  const named = "The US sold rope. The pump was old.";
  const query = "Which US firm built the pump?";
  assert.doesNotMatch(summarize({ query, chunks: chunksOf(OTHER, named) }), /In fact it/);
});

test("where no passage has the name, or the question has none, nothing is left out", () => {
  for (const query of ["When was the Skagen pump built?", "who built the pump"])
    assert.match(summarize({ query, chunks: chunksOf(OTHER) }), /In fact it was built by Maud Pell/);
});

test("of a document that has the name, every passage may be quoted", () => {
  const [own, other] = chunksOf(BUILT, OTHER);
  assert.ok(own !== undefined && other !== undefined);
  const chunks = [own, { ...other, versionId: own.versionId, start: 1_000 }];
  assert.match(
    summarize({ query: "Who built the Tessel ferry first?", chunks }),
    /In fact it was built by Maud Pell/,
  );
});

test("what repeats the question adds nothing where its names are not compared", () => {
  const chunks = chunksOf(
    "Lank chose the cook Ida Rell of Velden, whom the sailors liked and who was a good friend of Lank. Gulls nest there. Rell won the votes of the town and became the 40th keeper of the lighthouse in 1950. Maud Pell and Jon Feld of the harbour had also been on the list of Lank.",
    "Ida Rell (1913 - 2006) was a sailor who served as the keeper of the lighthouse of Velden from 1950 to 1957, after Lank. Rell was the keeper in 1950 under Lank.",
  );
  const summary = summarize({ query: "Besides Rell, who did Lank think of as keeper in 1950?", chunks });
  assert.doesNotMatch(summary, /Rell won the votes/);
  assert.match(summary, /Maud Pell/);
});

test("sentences about each of two things are both quoted, though they share the words of the question", () => {
  const text =
    "Orrin Kiln was opened in 1960. Orrin Kiln Annex was opened in 1940. Tessel Kiln was opened in 1950. Ida Rell (1850 - 1920) was a potter. Ivo Lank was born in 1999 and left Velden in 2020.";
  const summary = summarize({
    query: "Which was opened first, Orrin Kiln or Tessel Kiln?",
    chunks: chunksOf(text),
  });
  assert.match(summary, /Orrin Kiln was opened in 1960\./);
  assert.match(summary, /Tessel Kiln was opened in 1950\./);
});
