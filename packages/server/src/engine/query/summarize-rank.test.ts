import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rank } from "./summarize-rank.ts";

const NOTHING_ABOVE = { above: [], labels: [], columns: null, columnNames: null, isAnswer: false };

test("sentences come in the order of their scores, then of the text, though few are scored at first", () => {
  const given = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 80 });
  fc.assert(
    fc.property(given, (pairs) => {
      let scored = 0;
      const scores = pairs.map(([score, slack], start) => ({
        sentence: {
          ...{
            text: "Oil.",
            versionId: 1,
            start,
            end: start + 4,
            chunk: 0,
            place: start,
            lead: "",
            row: null,
          },
          ...{ isWeak: false, isGroup: false, isQuestion: false, context: NOTHING_ABOVE },
        },
        coverage: 0,
        share: 0,
        nearness: 0,
        bound: score + slack,
        isOtherDate: false,
        score: () => {
          scored++;
          return score;
        },
      }));
      const expected = scores
        .map(({ sentence }, at) => ({ start: sentence.start, score: pairs[at]?.[0] ?? 0 }))
        .sort((a, b) => b.score - a.score || a.start - b.start)
        .slice(0, 60);
      const ranked = rank(scores);
      const first = ranked.next().value;
      assert.equal(first?.start, expected[0]?.start);
      assert.ok(scored <= scores.filter(({ bound }) => bound >= (first?.score ?? 0)).length);
      assert.deepEqual(
        [...ranked].map(({ start }) => start),
        expected.slice(1).map(({ start }) => start),
      );
    }),
  );
});
