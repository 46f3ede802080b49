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
    ["Dunmore Glass is a Scottish company founded in 1990 by Ann Pryor.", "1990.."],
    ["Dunmore Glass, established in 1990 by Ann Pryor, is based in Leith.", "1990.."],
    ["Ann Pryor, born in 1950, founded Dunmore Glass.", ".."],
    ["Ann Pryor, who moved in 1990, says that she runs Dunmore Glass.", ".."],
    ["Ann Pryor was director (1990–1995) of Dunmore Glass.", "1990..1995"],
    ["Ann Pryor worked for Dunmore Glass from 1990 to 95.", "1990..1995"],
    ["Ann Pryor has led Dunmore Glass (since 2014).", "2014.."],
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

test("what ended and began again has not ended", () => {
  for (const [text, expected] of [
    ["Ann Pryor led Dunmore Glass until 2011 and again since 2019.", ".."],
    ["Ann Pryor led Dunmore Glass until 2011 and has led it again since 2019.", ".."],
    ["Ann Pryor led Dunmore Glass until 2011, and then from 2019.", ".."],
    ["Ann Pryor led Dunmore Glass from 1990 to 2011 and again since 2019.", ".."],
    ["Ann Pryor led Dunmore Glass until 2011 and has led Holt Mills since 2019.", "..2011"],
    ["Ann Pryor led Dunmore Glass until 2011 and has worked since 2019 for Holt Mills.", "..2011"],
    ["Ann Pryor led Dunmore Glass until 2011 and never returned.", "..2011"],
    ["Ann Pryor led Dunmore Glass until 2011 and did not lead it again.", "..2011"],
    ["Ann Pryor led Dunmore Glass from 1990 to 2011, when Eva Roth returned from Leith.", "1990..2011"],
    ["Ann Pryor led Dunmore Glass until 2011 and has been retired since 2012.", "..2011"],
    ["Ann Pryor left Dunmore Glass in 1995 and has lived alone since 1999.", "..1995"],
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
  assert.deepEqual(timesOf("Ann Pryor joined Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor, head of Dunmore Glass, died.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor does not lead Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor is no longer head of Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor was head of Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor will be head of Dunmore Glass.", given), [".."]);
  assert.deepEqual(timesOf("Ann Pryor has left Dunmore Glass.", given), ["..2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor, former head of Dunmore Glass.", given), ["..2016-08-22"]);
  assert.deepEqual(timesOf("Ann Pryor will lead Dunmore Glass from 1 September.", given), ["2016-09-01.."]);
});

test("what a past clause says to have ended has ended at its time, else by the document's date", () => {
  for (const [text, expected] of [
    ["Ann Pryor left Dunmore Glass.", "..2016-08-22"],
    ["Ann Pryor has just left Dunmore Glass.", "..2016-08-22"],
    ["Ann Pryor, who had left Dunmore Glass in 1995, was ill.", "..1995"],
    ["Ann Pryor left her post at Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor left the firm Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor quit Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor resigned as head of Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor stepped down from Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor was dismissed by Dunmore Glass in 1990.", "..1990"],
    ["Dunmore Glass was sold by Ann Pryor in 1990.", "..1990"],
    ["Dunmore Glass dismissed Ann Pryor in 1990.", "..1990"],
    ["Ann Pryor divorced Eva Roth in 1990.", "..1990"],
    ["Ann Pryor was the former head of Dunmore Glass.", "..2016-08-22"],
    ["Former head of Dunmore Glass Ann Pryor came.", ".."],
    ["Ann Pryor, formerly of Dunmore Glass, came.", "..2016-08-22"],
    ["In 1995 Ann Pryor sold Dunmore Glass.", "..1995"],
    ["Ann Pryor was dismissed from Dunmore Glass in 1995.", "..1995"],
    ["Ann Pryor was hired by Dunmore Glass in 1990 and dismissed in 1995.", "1990..1995"],
    ["Former Dunmore Glass head Ann Pryor is in Leeds.", "..2016-08-22"],
    ["Ann Pryor bought a mill from Dunmore Glass in 1995.", "1995.."],
    ["Ann Pryor left Dunmore Glass for Holt Mills in 1995.", "..1995"],
    ["Ann Pryor left Dunmore Glass and moved to Leith.", "..2016-08-22"],
    ["Ann Pryor left Dunmore Glass, where Eva was ill, in 1995.", "..2016-08-22"],
  ] as const)
    assert.deepEqual(timesOf(text, { documentDate: "2016-08-22" }), [expected], text);
});

test("nothing ends by what will, may or does not happen, or is only supposed", () => {
  for (const text of [
    "Ann Pryor will leave Dunmore Glass.",
    "Ann Pryor will leave Dunmore Glass in 2030.",
    "Ann Pryor plans to leave Dunmore Glass.",
    "Ann Pryor may leave Dunmore Glass in 1990.",
    "If Ann Pryor left Dunmore Glass in 1990, Eva came.",
    "If Ann Pryor leaves Dunmore Glass, Eva comes.",
    "Ann Pryor has not left Dunmore Glass.",
    "Ann Pryor never left Dunmore Glass.",
    "Ann Pryor never left Dunmore Glass in 1990.",
    "Ann Pryor reportedly left Dunmore Glass in 1990.",
    "Ann Pryor would have left Dunmore Glass in 1990.",
    "Ann Pryor is said to have left Dunmore Glass in 1990.",
    "Has Ann Pryor left Dunmore Glass?",
    "Ann Pryor leaves Dunmore Glass.",
    "Ann Pryor is leaving Dunmore Glass.",
    "Ann Pryor could not sell Dunmore Glass in 1990.",
    "Ann Pryor has not led Dunmore Glass since 1990.",
    "Ann Pryor did not join Dunmore Glass until 1990.",
    "Ann Pryor may lead Dunmore Glass from 1990 to 1995.",
    "Whenever Ann Pryor left Dunmore Glass, it rained.",
    "Had Ann Pryor left Dunmore Glass in 1990, Eva had come.",
    "Assuming Ann Pryor left Dunmore Glass in 1990, Eva came.",
    "Ann Pryor is expected to have led Dunmore Glass from 1990 to 1995.",
    "Ann Pryor threatened to quit Dunmore Glass in 1990.",
    "Ann Pryor nearly left Dunmore Glass in 1990.",
  ])
    assert.deepEqual(timesOf(text, { documentDate: "2016-08-22" }), [".."], text);
  const both = (text: string) => timesOf(text, { documentDate: "2016-08-22" })[0]!;
  assert.equal(both("Ann Pryor joined Dunmore Glass in 1990 and never left in 1995."), "1990..");
  assert.equal(both("Ann Pryor joined Dunmore Glass in 1990 and will leave in 2030."), "1990..");
  assert.equal(both("Ann Pryor joined Dunmore Glass in 1990 and left the country in 1995."), "1990..");
  assert.equal(both("Ann Pryor will lead Dunmore Glass until 2030."), "..");
});

test("nothing ends by a verb of habit, of another object or of another subject", () => {
  for (const text of [
    "Dunmore Glass sells Holt Mills.",
    "Dunmore Glass closes Holt Mills on Sundays.",
    "Dunmore Glass closed a deal with Holt Mills.",
    "Dunmore Glass sold a kiln at Holt Mills.",
    "Dunmore Glass stopped at Holt Mills.",
    "Ann Pryor ended up at Dunmore Glass.",
    "Ann Pryor left a parcel at Dunmore Glass.",
    "Ann Pryor left Dunmore Glass alone in 1990.",
    "Ann Pryor left Dunmore Glass's board in 1990.",
    "Ann Pryor left Dunmore Glass for a year in 1990.",
    "Ann Pryor left Dunmore Glass but returned in 1992.",
    "Ann Pryor left Dunmore Glass on Friday evening.",
    "Ann Pryor closed Dunmore Glass for the winter in 1990.",
    "Ann Pryor sold her shares in Dunmore Glass in 1990.",
    "Dunmore Glass sold Holt Mills bricks in 1990.",
    "Ann Pryor is retired from Dunmore Glass.",
    "Ann Pryor was sold Dunmore Glass in 1990.",
    "Ann Pryor was ousted from Dunmore Glass in 1990.",
    "Dunmore Glass ended its deal with Holt Mills in 1990.",
    "Dunmore Glass (formerly Eva Mills) is in Leeds.",
    "The former Dunmore Glass mill in Leeds is red.",
    "Ann Pryor left Leith for Dunmore Glass.",
    "Ann Pryor said that Eva left Dunmore Glass.",
    "Ann Pryor's brother left Dunmore Glass.",
    "Ann Pryor joined Holt Mills from Dunmore Glass in 1990.",
    "Dunmore Glass runs trains from Leith to Leeds.",
    "Ann Pryor leads the former Dunmore Glass.",
    "Ann Pryor, head of the former Dunmore Glass, came.",
    "Ann Pryor, the wife of a former clerk of Dunmore Glass, came.",
  ]) {
    const pairs = text.includes("Holt Mills from")
      ? ([["Ann Pryor", "Dunmore Glass"]] as const)
      : text.includes("Leith for")
        ? ([["Ann Pryor", "Dunmore Glass"]] as const)
        : undefined;
    const given = { documentDate: "2016-08-22", ...(pairs === undefined ? {} : { pairs }) };
    assert.match(timesOf(text, given)[0]!, /^\.\.(?:@|$)/, text);
  }
});

test("the years of a life are none of what a person did", () => {
  for (const text of [
    "Ann Pryor (1901–1980) founded Dunmore Glass.",
    "Ann Pryor (1901-1980) was head of Dunmore Glass.",
    "Ann Pryor, 1901–1980, founded Dunmore Glass.",
    "Ann Pryor (born in 1901) founded Dunmore Glass.",
    "Ann Pryor (1901 – 1980) founded Dunmore Glass.",
    "Ann Pryor (3 May 1901 – 4 May 1980) founded Dunmore Glass.",
    "Ann Pryor (1901) founded Dunmore Glass.",
    "Ann Pryor (engineer, 1901–1980) founded Dunmore Glass.",
    "Ann Pryor, the poet (1901–1980), founded Dunmore Glass.",
    "Dunmore Glass was founded by Ann Pryor (1901–1980).",
  ])
    assert.deepEqual(timesOf(text), [".."], text);
  for (const [text, expected] of [
    ["Ann Pryor (1901–1980) founded Dunmore Glass in 1950.", "1950.."],
    ["In 1950 Ann Pryor (1901–1980) founded Dunmore Glass.", "1950.."],
    ["Ann Pryor led Dunmore Glass in 1990–1995.", "1990..1995"],
    ["Ann Pryor was head of Dunmore Glass in the years 1990–1995.", "1990..1995"],
    ["Ann Pryor led Dunmore Glass (from 1990 to 1995).", "1990..1995"],
  ] as const)
    assert.deepEqual(timesOf(text), [expected], text);
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
