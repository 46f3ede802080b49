import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chooseSpans, type PassageToken, type ReadWindow } from "./choose-spans.ts";

const PASSAGE = "Maud Pell first lit the lamp in 1871. The keeper was Ida Holm.";

/** Words and the marks after them; a token for each, and two for a word with "|". */
function tokensOf(marked: string): readonly PassageToken[] {
  let at = 0;
  return [...marked.matchAll(/[\w|]+|[^\s\w]/g)].flatMap(([text], word) =>
    text.split("|").map((part) => {
      const start = PASSAGE.indexOf(part, at);
      at = start + part.length;
      return { start, end: at, word };
    }),
  );
}

const TOKENS = tokensOf("Maud Pell first lit the lamp in 18|71. The keeper was Ida Ho|lm.");
const place = (text: string) => TOKENS.findIndex(({ start, end }) => PASSAGE.slice(start, end) === text);

/** Logits of 0, but for the given tokens. */
function readWindow(
  starts: Readonly<Record<string, number>>,
  ends: Readonly<Record<string, number>>,
  { none = { start: 0, end: 0 }, tokens = TOKENS } = {},
): ReadWindow {
  const logits = (given: Readonly<Record<string, number>>) =>
    Float32Array.from(tokens, ({ start, end }) => given[PASSAGE.slice(start, end)] ?? 0);
  return { tokens, starts: logits(starts), ends: logits(ends), none };
}

const textOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
  PASSAGE.slice(start, end);

describe("the span of an answer", () => {
  test("has the most probable first and last token, and their product as its score", () => {
    const { spans, noAnswerScore } = chooseSpans(PASSAGE, [
      readWindow({ Maud: 8, Ida: 6 }, { Pell: 8, lm: 6 }),
    ]);
    assert.equal(textOf(spans[0]!), "Maud Pell");
    const others = TOKENS.length - 2 + 1; // With the one for no answer.
    const share = (logit: number) => Math.exp(logit) / (Math.exp(8) + Math.exp(6) + others);
    assert.ok(Math.abs(spans[0]!.score - share(8) ** 2) < 1e-6);
    assert.ok(Math.abs(noAnswerScore - share(0) ** 2) < 1e-6);
    // "Maud … Holm" is longer than an answer may be, so this is the next.
    assert.equal(textOf(spans[1]!), "Ida Holm");
  });

  test("does not end before it begins, and has 15 tokens at most", () => {
    const backwards = chooseSpans(PASSAGE, [readWindow({ keeper: 9, Maud: 3 }, { lit: 9, was: 3 })]);
    assert.equal(textOf(backwards.spans[0]!), "Maud Pell first lit");
    const longest = chooseSpans(PASSAGE, [readWindow({ Maud: 9 }, { Ho: 9, was: 2 })]);
    assert.equal(place("Ho") - place("Maud"), 14);
    assert.equal(textOf(longest.spans[0]!), PASSAGE.slice(0, -1));
    const tooLong = chooseSpans(PASSAGE, [readWindow({ Maud: 9 }, { lm: 9, was: 2 })]);
    assert.equal(place("lm") - place("Maud"), 15);
    assert.equal(textOf(tooLong.spans[0]!), PASSAGE.slice(0, PASSAGE.indexOf("was") + 3));
  });

  test("is extended to whole words", () => {
    const { spans } = chooseSpans(PASSAGE, [readWindow({ "71": 9 }, { "71": 9 })]);
    assert.equal(textOf(spans[0]!), "1871");
    const unknown = TOKENS.map((token) => ({ ...token, word: null }));
    const pieces = chooseSpans(PASSAGE, [readWindow({ "71": 9 }, { "71": 9 }, { tokens: unknown })]);
    assert.equal(textOf(pieces.spans[0]!), "71");
  });

  test("collects the scores of the same text, in one window or in several", () => {
    const halves = readWindow({ "18": 9, "71": 9 }, { "71": 9 });
    const [one] = chooseSpans(PASSAGE, [halves]).spans;
    assert.equal(textOf(one!), "1871");
    assert.ok(one!.score > 0.99, `${one!.score}`);
    const [twice] = chooseSpans(PASSAGE, [halves, halves]).spans;
    assert.ok(Math.abs(twice!.score - 2 * one!.score) < 1e-6);
    assert.deepEqual([twice!.start, twice!.end], [one!.start, one!.end]);
  });

  test("does not answer where no answer is more probable; of windows the surest of an answer counts", () => {
    const none = { start: 9, end: 9 };
    const silent = readWindow({ Maud: 5 }, { Pell: 5 }, { none });
    const alone = chooseSpans(PASSAGE, [silent]);
    assert.equal(textOf(alone.spans[0]!), "Maud Pell");
    assert.ok(alone.noAnswerScore > 0.9 && alone.spans[0]!.score < 0.01);
    const sure = readWindow({ Ida: 9 }, { lm: 9 });
    const both = chooseSpans(PASSAGE, [silent, sure, silent]);
    assert.equal(textOf(both.spans[0]!), "Ida Holm");
    assert.ok(both.noAnswerScore < 1e-6);
  });

  test("is missing in a passage without tokens", () => {
    assert.deepEqual(chooseSpans(" ", []), { spans: [], noAnswerScore: 1 });
    const empty = readWindow({}, {}, { tokens: [], none: { start: 3, end: -2 } });
    assert.deepEqual(chooseSpans(" ", [empty]), { spans: [], noAnswerScore: 1 });
  });

  test("is the same with logits that would overflow", () => {
    const { spans, noAnswerScore } = chooseSpans(PASSAGE, [
      readWindow({ Maud: 5_000 }, { Pell: 5_000 }, { none: { start: -5_000, end: -5_000 } }),
    ]);
    assert.deepEqual(spans.map(textOf), ["Maud Pell"]);
    assert.deepEqual([spans[0]!.score, noAnswerScore], [1, 0]);
  });
});
