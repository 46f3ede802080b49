import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsAt, type Moment } from "./validity.ts";

const at = (date: string): Moment => ({ date, by: "request" });
const term = { validFrom: "1990-05", validTo: "1995" };

test("a statement holds from the first to the last day of what its text states", () => {
  for (const asOf of ["1990", "1990-05", "1990-05-01", "1992-02-29", "1995-12-31"])
    assert.equal(holdsAt(term, at(asOf)), true, asOf);
  for (const asOf of ["1989", "1990-04", "1990-04-30", "1996", "1996-01-01"])
    assert.equal(holdsAt(term, at(asOf)), false, asOf);
});

test("a statement without a beginning or an end holds before or after the other", () => {
  assert.equal(holdsAt({ validFrom: null, validTo: "1995-03" }, at("1200")), true);
  assert.equal(holdsAt({ validFrom: null, validTo: "1995-03" }, at("1995-04-01")), false);
  assert.equal(holdsAt({ validFrom: "1995-03", validTo: null }, at("2100")), true);
  assert.equal(holdsAt({ validFrom: null, validTo: null }, at("1995")), true);
});

test("today only what has ended is left out", () => {
  const today = (date: string): Moment => ({ date, by: "today" });
  assert.equal(holdsAt(term, today("1989")), true);
  assert.equal(holdsAt(term, today("1995-12-31")), true);
  assert.equal(holdsAt(term, today("1996-01-01")), false);
});

test("of a time that lasts, any part counts", () => {
  const lasting = (date: string, until: string): Moment => ({ date, until, by: "question" });
  assert.equal(holdsAt(term, lasting("1980", "1990-05")), true);
  assert.equal(holdsAt(term, lasting("1980", "1990-04-30")), false);
  assert.equal(holdsAt(term, lasting("1995-12-31", "1999")), true);
  assert.equal(holdsAt(term, lasting("1996", "1999")), false);
});
