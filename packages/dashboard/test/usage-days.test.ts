import assert from "node:assert/strict";
import { test } from "node:test";
import { lastDays, sumByDay } from "../src/pages/usage/days.ts";

const newYear = Date.UTC(2031, 0, 2, 23, 59);

test("the last days end today, in UTC, over the end of a year", () => {
  assert.deepEqual(lastDays(3, newYear), ["2030-12-31", "2031-01-01", "2031-01-02"]);
});

test("days without use count as 0, projects of a day are added, and days outside the range are left out", () => {
  const rows = [
    { date: "2030-12-31", tokens: 4 },
    { date: "2031-01-02", tokens: 1 },
    { date: "2031-01-02", tokens: 2 },
    { date: "2029-05-05", tokens: 9 },
  ];
  assert.deepEqual(
    sumByDay(lastDays(3, newYear), rows, ({ tokens }) => tokens).map(({ value }) => value),
    [4, 0, 3],
  );
});
