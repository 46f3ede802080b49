import assert from "node:assert/strict";
import { test } from "node:test";
import { timesOfRecord } from "./record-times.ts";

const timesOf = (
  fields: Readonly<Record<string, string>>,
  { timed, of, documentDate = null }: { timed: readonly string[]; of: string; documentDate?: string | null },
) => {
  const texts = Object.entries(fields).map(([key, text]) => ({ key, text }));
  const { times } = timesOfRecord(texts, { timed, documentDate })(of);
  return times === undefined ? null : `${times.validFrom ?? ""}..${times.validTo ?? ""}`;
};

test("a time whose key names a field is of that field alone", () => {
  const fields = { Name: "Ann Pryor", Post: "Head of sales", Place: "Leith", "In post since": "2016-09-01" };
  const timed = ["Post", "Place"];
  assert.equal(timesOf(fields, { timed, of: "Post" }), "2016-09-01..");
  assert.equal(timesOf(fields, { timed, of: "Place" }), null);
});

test("a beginning and an end are of the only field that holds for a time, and of none of several", () => {
  const fields = {
    Name: "Ann Pryor",
    Employer: "Dunmore Glass",
    From: "2011",
    Until: "May 2015",
    Floor: "3",
  };
  assert.equal(timesOf(fields, { timed: ["Employer"], of: "Employer" }), "2011..2015-05");
  assert.equal(timesOf(fields, { timed: ["Employer", "Floor"], of: "Employer" }), null);
  const years = { Name: "Ann Pryor", Employer: "Dunmore Glass", Years: "2011–2015" };
  assert.equal(timesOf(years, { timed: ["Employer"], of: "Employer" }), "2011..2015");
});

test("a date that begins or ends nothing, or that ends before it begins, is no time of another field", () => {
  for (const fields of [
    { Name: "Ann Pryor", Employer: "Dunmore Glass", Born: "1970" },
    { Name: "Ann Pryor", Employer: "Dunmore Glass", From: "2015", Until: "2011" },
    { Name: "Ann Pryor", Employer: "Dunmore Glass", From: "Leith" },
  ])
    assert.equal(timesOf(fields, { timed: ["Employer"], of: "Employer" }), null);
});

test("a day without a year is of the year nearest to the document", () => {
  const fields = { Name: "Ann Pryor", Employer: "Dunmore Glass", From: "1 September" };
  assert.equal(
    timesOf(fields, { timed: ["Employer"], of: "Employer", documentDate: "2016-08-22" }),
    "2016-09-01..",
  );
  assert.equal(timesOf(fields, { timed: ["Employer"], of: "Employer" }), null);
});
