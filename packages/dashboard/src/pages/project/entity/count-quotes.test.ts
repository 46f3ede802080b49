import assert from "node:assert/strict";
import { test } from "node:test";
import { countQuotes } from "./count-quotes.ts";

const quote = (source_doc_id: string, start: number) => ({ source_doc_id, start, end: start + 9 });

test("a sentence that is quoted twice counts once; equal documents are in the order of their numbers", () => {
  const quotes = [
    quote("file10", 0),
    quote("file10", 0),
    quote("file2", 5),
    quote("log", 0),
    quote("log", 9),
  ];
  assert.deepEqual(countQuotes(quotes), [
    { name: "log", sentences: 2 },
    { name: "file2", sentences: 1 },
    { name: "file10", sentences: 1 },
  ]);
});
