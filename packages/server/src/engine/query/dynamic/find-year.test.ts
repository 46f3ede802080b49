import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import { findYear } from "./find-year.ts";
import type { TimedEvent } from "./stated-year.ts";

function yearOf(event: TimedEvent, ...texts: readonly string[]): number | null {
  const chunks = texts.map((text, at): RankedChunk => {
    const place = { versionId: at + 1, position: 0, sourceDocId: `d${at}`, start: 0, end: text.length };
    return { ...place, text, similarity: 0.5 };
  });
  return findYear(chunks, { name: "Odile Brandt", other: "Maud Pell", event })?.year ?? null;
}

const DIED = "Odile Brandt died in 1840.";
const BUILT = "Odile Brandt was built in 1840.";
const LIFE = "Odile Brandt (3 May 1790 – 2 June 1840) kept bees.";
const built: TimedEvent = ["built"];

describe("a year stands where nothing speaks against it", () => {
  const cases: readonly (readonly [TimedEvent, ...(readonly string[])])[] = [
    ["died", DIED],
    ["died", `Odile Brandt\n\n${DIED}`],
    ["died", `# Odile Brandt\n${DIED}`],
    ["died", `${DIED} Maud Pell died in 1850.`],
    ["died", `Odile Brandt was born in 1790. ${DIED}`],
    ["died", `Ivo Lank died in 1830. ${DIED}`],
    ["died", `${DIED} Odile Brandt kept bees.`],
    ["died", DIED, LIFE],
    ["died", DIED, "Maud Pell died in 1850. She kept bees until 1849."],
    ["died", `${LIFE} She sold rope.`],
    ["died", LIFE, "Odile Brandt moved to Velden in 1820."],
    [built, BUILT, "Odile Brandt stands in Velden."],
    [built, BUILT, "Odile Brandt VII keeps 12 bees in Velden, of 412.5 kg."],
    ["died", DIED, "Odile Brandt hielt Bienen."],
    [built, `${BUILT}\n\nThe market was closed in 1900.`],
  ];
  for (const [event, ...texts] of cases)
    test(texts.join(" / "), () => assert.equal(yearOf(event, ...texts), 1840));
});

describe("it does not stand", () => {
  const cases: readonly (readonly [string, TimedEvent, ...(readonly string[])])[] = [
    ["where two statements differ", "died", DIED, "Odile Brandt died in 1841."],
    ["where the next sentence takes it back", "died", `${DIED} So the stone has it, and the stone errs.`],
    ["where the next sentence speaks of the date", "died", `${DIED} The date is that of a cousin.`],
    [
      "where a later one of the paragraph does",
      "died",
      `${DIED} Maud Pell died in 1850. Nobody trusts this.`,
    ],
    ["where the sentence before makes it hearsay", "died", `A stone tells a tale. ${DIED}`],
    ["where a line with a colon does", "died", `The stone tells:\n\n${DIED}`],
    ["where the next paragraph refers back", "died", `${DIED}\n\nThis is a tale.`],
    [
      "where the next paragraph denies it",
      "died",
      `Odile Brandt\n\n${DIED}\n\nIn truth she lived to be old.`,
    ],
    ["where the next sentence has another year", "died", `${LIFE} Records have her in 1861.`],
    ["where another passage has another year", built, BUILT, "Odile Brandt was first used in 1790."],
    [
      "where a passage titled so has another year",
      built,
      BUILT,
      "Odile Brandt\n\nIt was first used in 1790.",
    ],
    ["where the next sentence points back at data", "died", `${LIFE} These dates are those of a cousin.`],
    ["where the next paragraph does", "died", `${LIFE}\n\nThis is a tale.`],
    ["where a year lies outside of the life", "died", LIFE, "Odile Brandt sold rope in 1861."],
    ["where a year lies in it, but tells of death", "died", LIFE, "Odile Brandt met her death in 1835."],
    ["where another passage tells of it otherwise", built, BUILT, "Odile Brandt was never built."],
    [
      "where the thing is called by a part of its name",
      built,
      BUILT,
      "Odile Brandt was a school. Its yard, built in 1790, is there.",
    ],
    ["where only the last name is told", "died", DIED, "Mrs Brandt sold rope in 1861."],
    [
      "where another year stands far behind",
      "died",
      `Odile Brandt\n\n${DIED}`,
      `${"The market of Velden sold rope and hemp. ".repeat(30)}Odile Brandt sold rope in 1861.`,
    ],
    ["where a table has another year", "died", DIED, "| Odile Brandt | 1790 | 1861 |"],
    ["where a year of three figures is told", built, BUILT, "Odile Brandt dates from 850, say its charters."],
    ["where a century is told", built, BUILT, "Odile Brandt goes back to the ninth century."],
    ["where a year is Roman", built, BUILT, "Odile Brandt wurde MDCCCXV erbaut."],
    ["where a year is shortened", built, BUILT, "Odile Brandt | built | ’96"],
    ["where a year is spaced", built, BUILT, "Odile Brandt: completed 18 15"],
    ["where a year is written in words", built, BUILT, "Odile Brandt stood in eight hundred and fifty."],
    ["where an age is told", built, BUILT, "Odile Brandt is the oldest school of the country."],
    ["where an order is told", "died", DIED, "Odile Brandt outlived her sister."],
    ["where another language is spoken", built, BUILT, "Odile Brandt stammt aus dem neunten Jahrhundert."],
    ["where both things are named", built, BUILT, "Maud Pell predates Odile Brandt."],
    ["where both are named by their last names", "died", DIED, "Brandt went to the grave of Pell."],
    [
      "where a statement names both",
      "died",
      "Odile Brandt (3 May 1790 – 2 June 1840) was a niece of Maud Pell.",
    ],
    ["where a year has other figures", built, BUILT, "Odile Brandt: ١٨١٥"],
    ["where a heading names both", built, BUILT, "# Odile Brandt, the model for Maud Pell\n\nBees are kept."],
    ["where a pronoun stands for the thing", built, BUILT, "Odile Brandt stands in Velden. It is very old."],
    ["where nothing states it", "died", "Maud Pell died in 1840."],
  ];
  for (const [name, event, ...texts] of cases)
    test(name, () => assert.equal(yearOf(event, ...texts), null, texts.join(" / ")));
});

test("it does not stand where the next chunk of the document goes on with another year", () => {
  const [first, next] = [`Odile Brandt\n\n${DIED}`, "So the stone has it. She sold rope until 1861."];
  const chunkAt = (text: string, start: number, versionId = 1): RankedChunk => {
    const place = { versionId, position: start, sourceDocId: "d", start, end: start + text.length };
    return { ...place, text, similarity: 0.5 };
  };
  const year = (...chunks: readonly RankedChunk[]) =>
    findYear(chunks, { name: "Odile Brandt", other: "Maud Pell", event: "died" })?.year ?? null;
  assert.equal(year(chunkAt(next, first.length + 1), chunkAt(first, 0)), null);
  assert.equal(year(chunkAt(next, first.length - 4), chunkAt(first, 0)), null);
  assert.equal(year(chunkAt(next, first.length + 1, 2), chunkAt(first, 0)), 1840);
  assert.equal(year(chunkAt(next, first.length + 500), chunkAt(first, 0)), 1840);
});
