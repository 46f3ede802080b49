import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOfDocument } from "./document-date.ts";

test("a document is of the date that its metadata say", () => {
  const text = "Date: 2 May 2016\n\nThe mill has opened.";
  for (const [date, expected] of [
    ["2014", "2014"],
    ["2014-03", "2014-03"],
    ["2014-03-09", "2014-03-09"],
    ["2014-03-09T10:30:00Z", "2014-03-09"],
    ["2014-03-09 10:30:00", "2014-03-09"],
    ["2014-03-09T10:30:00.123+01:00", "2014-03-09"],
    ["Mon, 22 Aug 2016 16:05:00 +0100", "2016-08-22"],
    ["9 March 2014", "2014-03-09"],
    ["20140309", "2014-03-09"],
    [20140309, "2014-03-09"],
    [2014, "2014"],
    ["soon", "2016-05-02"],
  ] as const)
    assert.equal(dateOfDocument(text, { metadata: { date } }), expected, String(date));
});

test("what no calendar has is no date", () => {
  for (const date of [
    "2014-13-01",
    "2014-02-31",
    "2014-00-10",
    "2015-02-29",
    "31 February 2014",
    "20141301",
    20140231,
    "2014-2-30",
    "due after 3 May 2014",
    "2014-03-09 or later",
    12,
  ])
    assert.equal(dateOfDocument("", { metadata: { date } }), null, String(date));
});

test("without metadata it is of the date that a line at its head gives", () => {
  for (const [text, expected] of [
    ["From: Ann\nDate: Mon, 22 Aug 2016 16:05:00 +0100\n\nHello", "2016-08-22"],
    ["From: Ann\nSubject: Are you well?\nDate: Mon, 22 Aug 2016 16:05:00 GMT (UTC)\n\nHello", "2016-08-22"],
    ["---\ntitle: The mill\ndate: 2014-02-03\n---\n\nText", "2014-02-03"],
    ["# Notice\n\n18 November 2014\n\nDear Ann", "2014-11-18"],
    ["Harrow Mills\n1 Weir Lane\nLeeds\nTuesday, 18 November 2014\n\nDear Ann,", "2014-11-18"],
    ["# Notice\n\n**Date:** March 2014\n\nText", "2014-03"],
    ["Deed\nDated 3 May 1960\n\nBetween", "1960-05-03"],
    ["2014-02-03\n\nThe mill has opened.", "2014-02-03"],
    ["Date: 2 May 2016, 4.05 pm\nThe mill has opened.", "2016-05-02"],
    ["3 May 1960.\nThe mill has opened.", "1960-05-03"],
  ] as const)
    assert.equal(dateOfDocument(text, {}), expected, text);
});

test("a date in a sentence, in a title or of something else, and one of several are none of the document", () => {
  for (const text of [
    "# The mill of 1990\n\nIt was built.",
    "In March 2011 the mill moved to Leeds.",
    "# From 3 May 2014 to 5 May 2014\n\nAn outing",
    `${"A line\n".repeat(10)}Date: 2014-02-03`,
    "Date of birth: 3 May 1960\nName: Ilse",
    "Born 3 May 1960 in Leeds, Ilse founded a mill.",
    "The treaty of 8 May 1945 ended the war.",
    "Contract effective 1 May 2030 between Ilse and Ann",
    "3 May 1960 – 4 May 2010",
    "# Minutes of the board, 18 November 2014\n\nPresent: Ann",
    "Leeds, 2 May 2016. The mill has opened.",
    "Hello.\n\n> Date: 3 May 2014\n> Hi",
    "> Date: 3 May 2014\n> Hi",
    "1984\n\nIt was a cold day.",
    "Dates of 3 May 2014",
    "Dated letters of 3 May 2014 are lost",
    "Date: to be set after 3 May 2014",
    "3 May 1960\n\n4 June 1961\n\nA life",
    "The mill opened.\n\n3 May 1960\n\nIt closed.",
    "- 3 May 1960\n- a mill",
    "",
  ])
    assert.equal(dateOfDocument(text, {}), null, text);
});

test("else it is of the day or month that its name begins with", () => {
  for (const [sourceDocId, expected] of [
    ["2014-11-18-board-minutes.docx", "2014-11-18"],
    ["minutes/2014-11-18 board.docx", "2014-11-18"],
    ["20141118_board.pdf", "2014-11-18"],
    ["2014-11.csv", "2014-11"],
    ["2014-11-18", "2014-11-18"],
    ["2014-11-31-board.docx", null],
    ["2014-11-18/board.docx", null],
    ["iso-2014-11-18.txt", null],
    ["2014-115-A.txt", null],
    ["201411185.txt", null],
    ["2014.txt", null],
  ] as const) {
    assert.equal(dateOfDocument("The mill has opened.", { sourceDocId }), expected, sourceDocId);
    assert.equal(dateOfDocument("Date: 2 May 2016\n\nHello", { sourceDocId }), "2016-05-02");
  }
});
