import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import type { Step } from "./steps.ts";
import { traceNames } from "./traced-names.ts";

const QUERY = "Where was the founder of Larkspur Mill born?";

/** The question's step found the text; a further step follows the name in the sentence. */
function tracedFrom(text: string, sentence: string, name: string, header = ""): readonly string[] {
  const place = { versionId: 1, position: 0, sourceDocId: "d" };
  const chunk: RankedChunk = { ...place, header, text, start: 100, end: 100 + text.length, similarity: 0.5 };
  const start = 100 + text.indexOf(sentence);
  const from = { ...place, sentence, start, end: start + sentence.length };
  const answer = { strategyUsed: "", summary: "", entities: [], relationships: [], chunks: [chunk] };
  const steps: readonly Step[] = [
    { query: QUERY, weight: 1, about: null, answer },
    { query: name, weight: 1, about: { name, key: name, from }, answer: { ...answer, chunks: [] } },
  ];
  return traceNames(QUERY, steps).slice(1);
}

test("a name is traced to the question by its sentence, by what this refers back to, or by a title", () => {
  const [mill, founded] = ["Larkspur Mill weaves rope.", "It was founded by Ida Vell."];
  const other = "Ida Vell sold hemp.";
  for (const [text, sentence, header] of [
    ["Larkspur Mill was founded by Ida Vell.", "Larkspur Mill was founded by Ida Vell.", ""],
    [`${mill} ${founded}`, founded, ""],
    [`Larkspur Mill\n\n${other}`, other, ""],
    [other, other, "Larkspur Mill"],
  ] as const)
    assert.deepEqual(tracedFrom(text, sentence, "ida vell", header), ["ida vell"], text);
});

test("a name that only stands in the same passage is not traced, and none without a name in the question", () => {
  const other = "Ida Vell sold hemp.";
  const long = `${"Rope is sold in Velden, and hemp beside it, ".repeat(6)}as at Larkspur Mill. ${other}`;
  assert.deepEqual(tracedFrom(`Mills\n\nLarkspur Mill weaves rope. ${other}`, other, "ida vell"), []);
  assert.deepEqual(tracedFrom(long, other, "ida vell"), []);
  assert.deepEqual(traceNames("who founded the mill?", []), []);
});
