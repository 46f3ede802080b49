import assert from "node:assert/strict";
import { test } from "node:test";
import { noTimes, timesFault, timesOf } from "./given-times.ts";

test("times of an added relationship are years, months or days, in order, or left out", () => {
  assert.equal(timesFault(noTimes), null);
  assert.equal(timesFault({ from: " 1994-03 ", until: "1994" }), null);
  assert.equal(timesFault({ from: "1994-13", until: "" })?.end, "from");
  assert.equal(timesFault({ from: "1994", until: "May 2001" })?.end, "until");
  assert.equal(timesFault({ from: "1994", until: "1994-02" }), null);
  assert.equal(timesFault({ from: "1994-03-08", until: "1994-03" }), null);
  assert.match(timesFault({ from: "1994-03-08", until: "1994-02" })?.text ?? "", /before/);
  assert.match(timesFault({ from: "1994-03", until: "1993" })?.text ?? "", /before/);
  assert.deepEqual(timesOf(noTimes), {});
  assert.deepEqual(timesOf({ from: " 1994-03 ", until: "2001" }), {
    valid_from: "1994-03",
    valid_to: "2001",
  });
});
