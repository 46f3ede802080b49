import assert from "node:assert/strict";
import { test } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { viewSentence } from "./sentence-context.ts";
import { findValidity } from "./validity.ts";
import { createTriggerStem } from "./word-forms.ts";

const tag = createTagger();
const encoded = {
  vector: new Float32Array(2),
  states: new Float32Array(0),
  dimensions: 2,
  starts: [],
  ends: [],
};

function validityOf(text: string, source: string, target: string) {
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens).map((mention) => ({
    ...mention,
    typeScores: new Float32Array(0),
  }));
  const view = viewSentence(
    { index: 0, tokens, mentions, encoded, offset: 0 },
    createTriggerStem(),
    new Float32Array(2),
  );
  const rangeOf = (name: string) => mentions.find(({ start, end }) => text.slice(start, end) === name);
  const [first, second] = [rangeOf(source), rangeOf(target)];
  assert.ok(first !== undefined && second !== undefined);
  const { validFrom, validTo } = findValidity(view, first, second);
  return [validFrom, validTo].map((span) => (span === null ? null : text.slice(span.start, span.end)));
}

test("From … to … bounds a relation on both sides.", () => {
  const text = "Ida Holm worked for Northwind from 1990 to 1995.";
  assert.deepEqual(validityOf(text, "Ida Holm", "Northwind"), ["1990", "1995"]);
});

test("Since and until bound one side.", () => {
  assert.deepEqual(validityOf("Ida Holm has led Northwind since 2001.", "Ida Holm", "Northwind"), [
    "2001",
    null,
  ]);
  assert.deepEqual(validityOf("Ida Holm led Northwind until 2001.", "Ida Holm", "Northwind"), [null, "2001"]);
});

test("A date of another clause bounds nothing.", () => {
  const text = "Ida Holm led Northwind and married Lars Dahl in 2001.";
  assert.deepEqual(validityOf(text, "Ida Holm", "Northwind"), [null, null]);
});
