import assert from "node:assert/strict";
import { test } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { chooseNames, withWholeNames } from "./sentence-names.ts";

const tag = createTagger();
const states = { states: new Float32Array(0), dimensions: 1, starts: [], ends: [] };

/** The names that are chosen where the name finder sees `whole`, and every shorter name is the likelier one. */
function namesOf(text: string, whole: string): readonly string[] {
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens);
  const scoreOf = ({ from, to }: { readonly from: number; readonly to: number }) => {
    return { none: 0.1 + 0.1 * (to - from), types: Float32Array.of(0.5) };
  };
  const start = text.indexOf(whole);
  const found = {
    start,
    end: start + whole.length,
    name: whole.toLowerCase(),
    sentence: 0,
    isVariant: false,
  };
  const typer = {
    types: ["Mill"],
    score: ({ mentions: own }: { readonly mentions: readonly { from: number; to: number }[] }) =>
      own.map(scoreOf),
  };
  const sentence = {
    ...{ start: 0, end: text.length, index: 0, tokens, mentions, statements: [] },
    ...{ scores: mentions.map(scoreOf), encoded: { ...states, vector: new Float32Array(1) } },
  };
  const passage = { textOf: (span: { start: number; end: number }) => text.slice(span.start, span.end) };
  return chooseNames(passage, withWholeNames(sentence, [found], typer)).map(({ name }) => name);
}

test("a name has the bounds that the name finder sees", () => {
  assert.ok(namesOf("We ate at Wharf Nine today.", "Wharf Nine").includes("Wharf Nine"));
});

const joined = [
  ["In 2018 Orrick Mill closed.", "2018 Orrick Mill"],
  ["We met Ada Holt of Orrick Mill today.", "Ada Holt of Orrick Mill"],
  ["The Oslo-based Orrick Mill closed.", "based Orrick Mill"],
] as const;
for (const [text, whole] of joined)
  test(`"${whole}" is more than a name`, () => assert.ok(!namesOf(text, whole).includes(whole)));
