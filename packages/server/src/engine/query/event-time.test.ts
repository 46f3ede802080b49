import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { findTimeInPassages, momentOfEvent } from "./event-time.ts";
import { eventOfQuestion } from "./question-event.ts";

/** Takes what is written there for the answer. */
function readerOf(answer: RegExp, logit = 1): QuestionReader {
  return {
    async read(_question, { text }) {
      const found = answer.exec(text);
      return {
        logit,
        span: found === null ? null : { start: found.index, end: found.index + found[0].length },
      };
    },
  };
}

const passage = (text: string, { versionId = 1, header = "" } = {}): RankedChunk => ({
  ...{ versionId, position: 0, sourceDocId: `text ${versionId}`, text, header },
  ...{ start: 100, end: 100 + text.length, similarity: 0.5 },
});

async function timeOf(
  query: string,
  chunks: readonly RankedChunk[],
  { reader = readerOf(/\d.*\d{4}|\d{4}/), date = null as string | null } = {},
) {
  const event = eventOfQuestion(query);
  assert.ok(event, query);
  const dates = new Map(chunks.map(({ versionId }) => [versionId, date]));
  return findTimeInPassages(event, chunks, { dates, reader });
}

const BEFORE = "Who ran Harrow Mills before the merger with Nordvik?";

test("a sentence that says all of the event in the clause of its date tells the time", async () => {
  const text = "It rained. The merger with Nordvik was on 4 June 2015. It rained again.";
  const time = await timeOf(BEFORE, [passage(text)]);
  assert.deepEqual([time?.from, time?.to], ["2015-06-04", "2015-06-04"]);
  const { place } = time ?? {};
  assert.equal(place?.sentence, "The merger with Nordvik was on 4 June 2015.");
  assert.equal(text.slice((place?.start ?? 0) - 100, (place?.end ?? 0) - 100), place?.sentence);
});

test("a sentence about something else, another clause or a date that is no answer tells none", async () => {
  for (const text of [
    "The merger of the towns was on 4 June 2015.",
    "Nordvik was founded on 4 June 2015.",
    "The mayor left on 4 June 2015, two years after the merger with Nordvik.",
    "The merger with Nordvik was a mistake.",
  ])
    assert.equal(await timeOf(BEFORE, [passage(text)]), null, text);
  const told = [passage("The merger with Nordvik was on 4 June 2015.")];
  assert.equal(await timeOf(BEFORE, told, { reader: readerOf(/\d{4}/, -1) }), null);
  assert.equal(await timeOf(BEFORE, told, { reader: readerOf(/Nordvik/) }), null);
});

test("a sentence of what did not happen, or of something about the event, tells none", async () => {
  for (const text of [
    "The merger with Nordvik was planned for 1985 but did not take place.",
    "The merger with Nordvik was cancelled in 1985.",
    "The merger with Nordvik was rejected by the owners in 1985.",
    "The merger with Nordvik never happened in 1985.",
    "The merger with Nordvik was expected in 1985.",
    "Talks about the merger with Nordvik began in 1985.",
    "A book about the merger with Nordvik appeared in 1985.",
    "The merger with Nordvik took place before 1985.",
    "The merger with Nordvik took place about 1985.",
    "The merger with Nordvik took place in 1985 or 1986.",
    "The merger with Nordvik took place between 1985 and 1986.",
  ])
    assert.equal(await timeOf(BEFORE, [passage(text)]), null, text);
  const query = "Where did Ada Stone live after she left Harrow Mills?";
  assert.equal(await timeOf(query, [passage("If Ada Stone left Harrow Mills in 1985, nobody saw.")]), null);
  assert.equal((await timeOf(query, [passage("Ada Stone left Harrow Mills in 1985.")]))?.from, "1985");
  const plain = [passage("The merger with Nordvik took place in 1985.")];
  assert.equal((await timeOf(BEFORE, plain))?.from, "1985");
});

test("days without a year and today are those of the document", async () => {
  const date = "2015-06-10";
  const days = [passage("The merger with Nordvik was on 4 June.")];
  assert.equal((await timeOf(BEFORE, days, { date, reader: readerOf(/4 June/) }))?.from, "2015-06-04");
  const today = [passage("We announce the merger with Nordvik today.")];
  assert.equal((await timeOf(BEFORE, today, { date, reader: readerOf(/x/) }))?.from, date);
  assert.equal(await timeOf(BEFORE, today), null);
});

test("a pronoun is of what the passage stands under", async () => {
  const query = "Who ran Harrow Mills before Ada Stone resigned?";
  const [text, header] = ["She resigned in 1990.", "Ada Stone"];
  assert.equal((await timeOf(query, [passage(text, { header })]))?.from, "1990");
  assert.equal(await timeOf(query, [passage(text)]), null);
  assert.equal(await timeOf(query, [passage("The mayor resigned in 1990.", { header })]), null);
});

test("of several sentences the most exact counts, and none where they differ", async () => {
  const [year, day, other] = ["in 2015", "on 4 June 2015", "in 2016"].map((when, at) =>
    passage(`The merger with Nordvik was ${when}.`, { versionId: at + 1 }),
  ) as [RankedChunk, RankedChunk, RankedChunk];
  assert.equal((await timeOf(BEFORE, [year, day]))?.from, "2015-06-04");
  assert.equal(await timeOf(BEFORE, [year, day, other]), null);
  const query = "Who ran Harrow Mills after the merger with Nordvik in 2015?";
  assert.equal((await timeOf(query, [other, day]))?.from, "2015-06-04");
});

test("any day of a state is one of it; it begins from, and lasts until the day that is told so", async () => {
  const during = "Where did Ada Stone live when she was minister?";
  const before = "Where did Ada Stone live before she was minister?";
  const after = "Where did Ada Stone live after she was minister?";
  const boundsOf = async (query: string, text: string) => {
    const event = eventOfQuestion(query);
    const time = await timeOf(query, [passage(text)]);
    return event === null || time === null ? null : momentOfEvent(event, time)?.date;
  };
  assert.equal(await boundsOf(during, "In 1990 Ada Stone was minister of works."), "1990");
  assert.equal(await boundsOf(before, "In 1990 Ada Stone was minister of works."), undefined);
  assert.equal(await boundsOf(before, "Ada Stone was minister of works from 1990."), "1989-12-31");
  const years = "Ada Stone was minister of works from 1990 to 1995.";
  const asked = { reader: readerOf(/1990/) };
  assert.equal((await timeOf(before, [passage(years)], asked))?.from, "1990");
  assert.equal(await boundsOf(before, "Ada Stone has been minister of works since 1990."), "1989-12-31");
  assert.equal(await boundsOf(after, "Ada Stone was minister of works until 1995."), "1996-01-01");
  assert.equal(await boundsOf(after, "Ada Stone was minister of works from 1990."), undefined);
});

test("before is the day before the first one, after the day after the last one", () => {
  const at = (relation: "before" | "after" | "during", from: string | null, to: string | null) => {
    const event = eventOfQuestion(`Who ran it ${relation} the merger?`);
    assert.ok(event);
    const { date, until } = momentOfEvent(event, { from, to }) ?? {};
    return [date, until].filter((each) => each !== undefined).join("–");
  };
  assert.equal(at("before", "2015", "2016"), "2014-12-31");
  assert.equal(at("before", "2016-03", "2016"), "2016-02-29");
  assert.equal(at("before", "2016-03-01", null), "2016-02-29");
  assert.equal(at("after", "2015", "2015"), "2016-01-01");
  assert.equal(at("after", null, "2015-12"), "2016-01-01");
  assert.equal(at("after", null, "2015-02-28"), "2015-03-01");
  assert.equal(at("during", "2015", "2019-05"), "2015–2019-05");
  assert.equal(at("during", "2015", "2015"), "2015");
  assert.equal(at("during", null, "2015"), "2015");
  assert.equal(at("before", null, "2015"), "");
  assert.equal(at("after", "2015", null), "");
});
