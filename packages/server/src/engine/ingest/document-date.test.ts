import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOfDocument } from "./document-date.ts";

test("a document is of the date that its metadata say", () => {
  const text = "Leeds, 2 May 2016. The mill has opened.";
  for (const [date, expected] of [
    ["2014", "2014"],
    ["2014-03", "2014-03"],
    ["2014-03-09", "2014-03-09"],
    ["2014-03-09T10:30:00Z", "2014-03-09"],
    [2014, "2014"],
    ["soon", "2016-05-02"],
  ] as const)
    assert.equal(dateOfDocument(text, { date }), expected);
});

test("without metadata it is of the date at its head", () => {
  for (const [text, expected] of [
    ["From: Ann\nDate: Mon, 22 Aug 2016 16:05:00 +0100\n\nHello", "2016-08-22"],
    ["---\ntitle: The mill\ndate: 2014-02-03\n---\n\nText", "2014-02-03"],
    ["# Minutes of the board, 18 November 2014\n\nPresent: Ann", "2014-11-18"],
    ["# Notice\n\n18 November 2014\n\nDear Ann", "2014-11-18"],
    ["Leeds and Hull, 2 May 2016. The mill has opened.", "2016-05-02"],
  ] as const)
    assert.equal(dateOfDocument(text, {}), expected, text);
});

test("a date in a sentence, a year in a title and two dates are none of the document", () => {
  for (const text of [
    "# The mill of 1990\n\nIt was built.",
    "In March 2011 the mill moved to Leeds.",
    "# From 3 May 2014 to 5 May 2014\n\nAn outing",
    `${"A line\n".repeat(10)}Date: 2014-02-03`,
    "",
  ])
    assert.equal(dateOfDocument(text, {}), null, text);
});
