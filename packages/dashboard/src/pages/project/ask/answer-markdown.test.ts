import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueryChunk } from "@kcs/sdk";
import { markdownOf } from "./answer-markdown.ts";
import { citedParts } from "./citations.ts";
import { sourceOf } from "./source-of.ts";

test("sources have the numbers of the page, and their addresses mark the quoted sentence", () => {
  const chunks = ["Barges are slow.", "It is so. Tugs pull barges."].map(
    (text, at): QueryChunk => ({
      ...{ text, similarity: 0.5, chunk_id: `${at}:0` },
      ...{ source_doc_id: `log ${at}`, start: 100, end: 100 + text.length },
    }),
  );
  const text = markdownOf({
    ...{ query: "What pulls barges?", statement: "", chunks },
    parts: citedParts("Tugs pull barges.", chunks),
    addressOf: (chunk, place) => `/document?${new URLSearchParams(sourceOf(chunk, place))}`,
  });
  assert.equal(
    text,
    [
      "**What pulls barges?**",
      "Tugs pull barges. [2]",
      "Sources",
      "- [2] [log 1](/document?id=log+1&chunk=1%3A0&mark=110-127): “Tugs pull barges.”",
    ].join("\n\n"),
  );
});

test("a source that supports several sentences quotes each of them, once", () => {
  const text = "Tugs pull barges. Tides come. Locks open at six.";
  const chunks: QueryChunk[] = [
    { text, similarity: 0.5, chunk_id: "1:0", source_doc_id: "log", start: 0, end: text.length },
  ];
  const written = markdownOf({
    ...{ query: "What?", statement: "", chunks, addressOf: () => "/log" },
    parts: citedParts("Tugs pull barges. Locks open at six. Tugs pull barges.", chunks),
  });
  assert.ok(written.endsWith("- [1] [log](/log): “Tugs pull barges.”, “Locks open at six.”"), written);
});
