import assert from "node:assert/strict";
import { test } from "node:test";
import { withStatedTimes } from "./stated-times.ts";
import { readTestPassage } from "./test-sentences.ts";

const types = {
  ...{ "Ann Pryor": "Person", "Eva Roth": "Person", "Dunmore Glass": "Company", "Holt Mills": "Company" },
  ...{ "Oslo Works": "Office", Leith: "Town", Leeds: "Town", "Tern Sound": "Company" },
};

interface Given {
  readonly documentDate?: string | null;
  readonly heading?: string;
  /** Names of a source and its target; by default the first two of the text. */
  readonly pairs?: readonly (readonly [string, string])[];
}

/** "from..to" of each pair, or "..@known". */
function timesOf(text: string, { documentDate = null, heading = "", pairs }: Given = {}): readonly string[] {
  const { passage, entities } = readTestPassage(text, types);
  const find = (name: string) => entities.find((entity) => entity.name === name)!;
  const named = pairs?.map(([source, target]) => [find(source), find(target)] as const);
  const relations = (named ?? [[entities[0]!, entities[1]!] as const]).map(([source, target]) => {
    return { type: "T", source, target, sentence: target.sentence };
  });
  const read = withStatedTimes(relations, {
    passage: { ...passage, documentDate, heading },
    isFunctional: () => false,
  });
  return read.map(({ validFrom, validTo, timing }) => {
    const isKnown = validFrom === null && validTo === null && timing?.knownAt != null;
    const known = isKnown ? `@${timing.knownAt}` : "";
    return `${validFrom ?? ""}..${validTo ?? ""}${known}`;
  });
}

test("a relation has the times that its clause states", () => {
  for (const [text, expected] of [
    ["Ann Pryor worked for Dunmore Glass from 1990 to 1995.", "1990..1995"],
    ["Between 1990 and May 1995, Ann Pryor worked for Dunmore Glass.", "1990..1995-05"],
    ["Ann Pryor has led Dunmore Glass since March 2014.", "2014-03.."],
    ["Ann Pryor was the head of Dunmore Glass until the end of 2014.", "..2014"],
    ["Ann Pryor joined Dunmore Glass on 3 May 1990.", "1990-05-03.."],
    ["In early 1990 Ann Pryor became head of Dunmore Glass.", "1990.."],
    ["Ann Pryor was appointed by Dunmore Glass in 1990.", "1990.."],
    ["Ann Pryor led Dunmore Glass (1990–1995).", "1990..1995"],
    ["Ann Pryor joined Dunmore Glass in 1990 and left in 1995.", "1990..1995"],
    ["In 1990 the owner, Mrs Ann Pryor, sold Dunmore Glass.", "..1990"],
    ["Ann Pryor left Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor joined Dunmore Glass in 1990 and left the firm in 1995.", "1990..1995"],
    ["Dunmore Glass was sold to Ann Pryor in 1995.", "1995.."],
    ["Ann Pryor sold Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor resigned from Dunmore Glass on 3 May 1995.", "..1995-05-03"],
  ] as const)
    assert.deepEqual(timesOf(text), [expected], text);
});

test("a clause whose subject is a pronoun has its times, too", () => {
  const pairs = [["Ann Pryor", "Dunmore Glass"]] as const;
  const timesOfShe = (text: string) => timesOf(`Ann Pryor came. ${text}`, { pairs });
  assert.deepEqual(timesOfShe("From 1946 to 1949 she studied at Dunmore Glass."), ["1946..1949"]);
  assert.deepEqual(timesOfShe("In 1952 she joined Dunmore Glass, which closed in 1998."), ["1952.."]);
});

test("a day of what lasts tells that it held then, not when it began", () => {
  assert.deepEqual(timesOf("Ann Pryor worked for Dunmore Glass in 1990."), ["..@1990"]);
  assert.deepEqual(timesOf("By 1990 Ann Pryor led Dunmore Glass."), ["..@1990"]);
  assert.deepEqual(timesOf("Ann Pryor was head of Dunmore Glass in 1990."), ["..@1990"]);
});

test("a time of another clause, or of one of several relations, is not of the relation", () => {
  for (const text of [
    "Ann Pryor works for Dunmore Glass, which was founded in 1990.",
    "Ann Pryor works for Dunmore Glass; in 1990 it rained.",
    "Ann Pryor wrote the report of 1990 for Dunmore Glass.",
    "Ann Pryor joined Dunmore Glass before 1990.",
    "Dunmore Glass is led by Ann Pryor, owner of a mill since 1990.",
    "Dunmore Glass was first in Leith and from 1990 in Hull.",
    "Ann Pryor joined Dunmore Glass in 1990 and in 1995.",
  ])
    assert.deepEqual(timesOf(text), [".."], text);
  const pairs = [
    ["Ann Pryor", "Dunmore Glass"],
    ["Ann Pryor", "Holt Mills"],
  ] as const;
  assert.deepEqual(timesOf("Ann Pryor joined Dunmore Glass in 1990 and Holt Mills in 1995.", { pairs }), [
    "1990..",
    "1995..",
  ]);
  assert.deepEqual(
    timesOf("Ann Pryor, who joined Dunmore Glass in 1990, has led Holt Mills since 1995.", { pairs }),
    ["1990..", "1995.."],
  );
});

test("who moves from one to another leaves the one and begins at the other", () => {
  const pairs = [
    ["Dunmore Glass", "Leith"],
    ["Dunmore Glass", "Leeds"],
  ] as const;
  assert.deepEqual(timesOf("Dunmore Glass moved from Leith to Leeds in 2015.", { pairs }), [
    "..2015",
    "2015..",
  ]);
});

test("without a time of its own a statement is of the document's date, unless it tells of the past or the future", () => {
  const given = { documentDate: "2016-08-22" };
  assert.deepEqual(timesOf("Ann Pryor works for Dunmore Glass.", given), ["..@2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor has joined Dunmore Glass.", given), ["..@2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor, head of Dunmore Glass.", given), ["..@2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor worked for Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor was head of Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor will be head of Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor has left Dunmore Glass.", given), ["..2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor, former head of Dunmore Glass.", given), ["..2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor will lead Dunmore Glass from 1 September.", given), ["2016-09-01.."]);
});

test("a heading that is a time and nothing else is of the sentences below it", () => {
  const text = "Ann Pryor joined Dunmore Glass.";
  assert.deepEqual(timesOf(text, { heading: "March 2014" }), ["2014-03.."]);
  assert.deepEqual(timesOf(text, { heading: "2011–2015" }), ["2011..2015"]);
  assert.deepEqual(timesOf(text, { heading: "Annual report 2014" }), [".."]);
  assert.deepEqual(timesOf("Ann Pryor joined Dunmore Glass in 1990.", { heading: "2014" }), ["1990.."]);
});

test("a type without times has none", () => {
  const { passage, entities } = readTestPassage("Ann Pryor joined Dunmore Glass in 1990.", types);
  const relation = { type: "T", source: entities[0]!, target: entities[1]!, sentence: 0 };
  const [read] = withStatedTimes([relation], { passage, isFunctional: () => null });
  assert.deepEqual([read?.validFrom, read?.validTo, read?.timing], [null, null, null]);
});
