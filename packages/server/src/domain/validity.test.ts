import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsAt } from "./validity.ts";

const term = { validFrom: "1990-05", validTo: "1995" };

test("a statement holds from the first to the last day of what its text states", () => {
  for (const asOf of ["1990", "1990-05", "1990-05-01", "1992-02-29", "1995-12-31"])
    assert.equal(holdsAt(term, asOf), true, asOf);
  for (const asOf of ["1989", "1990-04", "1990-04-30", "1996", "1996-01-01"])
    assert.equal(holdsAt(term, asOf), false, asOf);
});

test("a statement without a beginning or an end holds before or after the other", () => {
  assert.equal(holdsAt({ validFrom: null, validTo: "1995-03" }, "1200"), true);
  assert.equal(holdsAt({ validFrom: null, validTo: "1995-03" }, "1995-04-01"), false);
  assert.equal(holdsAt({ validFrom: "1995-03", validTo: null }, "2100"), true);
  assert.equal(holdsAt({ validFrom: null, validTo: null }, "1995"), true);
});
