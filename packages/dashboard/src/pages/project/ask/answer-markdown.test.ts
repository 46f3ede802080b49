import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueryChunk } from "@kcs/sdk";
import { answerHead, spokenAnswer } from "./answer-head.ts";
import { markdownOf } from "./answer-markdown.ts";
import { citedParts } from "./citations.ts";
import { sourceOf } from "./source-of.ts";

/** Of a plain answer. */
const plain = answerHead(
  { kind: "found", statement: "", text: "" },
  { title: "Answer", question: "", chunks: [], unsaid: [], rejected: [] },
);

test("sources have the numbers of the page, and their addresses mark the quoted sentence", () => {
  const chunks = ["Barges are slow.", "It is so. Tugs pull barges."].map(
    (text, at): QueryChunk => ({
      ...{ text, similarity: 0.5, chunk_id: `${at}:0` },
      ...{ source_doc_id: `log ${at}`, start: 100, end: 100 + text.length },
    }),
  );
  const text = markdownOf({
    ...{ query: "What pulls barges?", head: plain, notes: [], chunks },
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
    ...{ query: "What?", head: plain, notes: [], chunks, addressOf: () => "/log" },
    parts: citedParts("Tugs pull barges. Locks open at six. Tugs pull barges.", chunks),
  });
  assert.ok(written.endsWith("- [1] [log](/log): “Tugs pull barges.”, “Locks open at six.”"), written);
});

test("what the page says above an answer stands above it in the copy, and is told to screen readers", () => {
  const text = "Tugs pull barges.";
  const chunks: QueryChunk[] = [
    { text, similarity: 0.2, chunk_id: "1:0", source_doc_id: "log", start: 0, end: text.length },
  ];
  const parts = citedParts(text, chunks);
  const common = { title: "Answer", question: "What pulls barges?", chunks, unsaid: [], rejected: [] };
  const written = (head: ReturnType<typeof answerHead>, notes: readonly string[] = []) =>
    markdownOf({ query: "What pulls barges?", head, notes, parts, chunks, addressOf: () => "/log" });
  const sources = "Sources\n\n- [1] [log](/log): “Tugs pull barges.”";

  const perhaps = answerHead({ kind: "perhaps", statement: "", text }, common);
  assert.equal(
    written(perhaps, ["The reranker failed."]),
    [
      ...["**What pulls barges?**", "**Perhaps the answer**", "Tugs pull barges. [1]"],
      ...["*The reranker failed.*", sources],
    ].join("\n\n"),
  );
  assert.equal(spokenAnswer(perhaps, text), "Perhaps the answer. Tugs pull barges.");

  const rejected = answerHead(
    { kind: "found", statement: "", text },
    { ...common, rejected: ["Rejected: Tugs pull barges"] },
  );
  const box = "> **You rejected this. The documents still say it.**\n>\n> Rejected: Tugs pull barges";
  assert.ok(
    written(rejected).startsWith(`**What pulls barges?**\n\n${box}\n\n**What the documents say**\n\n`),
  );
  const stated = answerHead(
    { kind: "found", statement: "", text, isStated: true },
    { ...common, rejected: ["Rejected: Tugs pull barges"] },
  );
  assert.notEqual(stated.heading, "What the documents say");
  assert.equal(
    spokenAnswer(rejected, text),
    "You rejected this. The documents still say it. Rejected: Tugs pull barges. What the documents say. Tugs pull barges.",
  );

  const unsaid = answerHead({ kind: "found", statement: "", text }, { ...common, unsaid: ["husband"] });
  assert.match(
    written(unsaid),
    /\*\*No passage .* mentions “husband”\.\*\*\n\nWhat comes nearest may be a part of the answer:\n\nTugs/,
  );
  assert.match(spokenAnswer(unsaid, text), /^No passage .* mentions “husband”\. What comes nearest .*: Tugs/);

  const none = answerHead(
    { kind: "none", statement: "No passage that was found answers this.", text },
    common,
  );
  assert.ok(!written(none).includes("Tugs"), "it is folded on the page");
  assert.equal(spokenAnswer(none, text), "No answer found. No passage that was found answers this.");
});
