import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { scoreAnswer } from "./summarize.ts";
import { createCoverage, type NearbyTerms } from "./summarize-coverage.ts";

const WORDS = ["oil", "mill", "bay", "rope", "bread", "tower"];
const words = fc.uniqueArray(fc.constantFrom(...WORDS)).map((found) => new Set(found));
const related = new Map([
  ["oil", ["rope"]],
  ["bay", ["rope", "bread"]],
]);
const find = () => new Set<string>();

test("a term counts where it counts most, to the bit as if each were looked up in each text", () => {
  const nearby = fc.record({ found: words, counts: fc.double({ min: 0.1, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(words, fc.array(words, { minLength: 1 }), fc.array(nearby), (asked, sentences, around) => {
      const chunk = around.map((each) => ({ ...each, countsRelated: 0.7 * each.counts }));
      const coverageOf = createCoverage(
        { asked, related, find },
        { sentences, around: [chunk], elsewhere: [] },
      );
      for (const found of sentences) {
        const own = { found, counts: 1, countsRelated: 0.75 };
        assert.equal(coverageOf(0, [own]), lookedUp(asked, sentences, [own, ...chunk]));
      }
    }),
  );
});

function lookedUp(
  asked: ReadonlySet<string>,
  sentences: readonly ReadonlySet<string>[],
  nearby: readonly NearbyTerms[],
): number {
  let [covered, total] = [0, 0];
  for (const term of asked) {
    const count = sentences.filter((found) => found.has(term)).length;
    const value = Math.log(1 + sentences.length / (count + 0.5));
    const shares = nearby.map(({ found = new Set(), counts, countsRelated = 0 }) => {
      if (found.has(term)) return counts;
      return related.get(term)?.some((other) => found.has(other)) === true ? countsRelated : 0;
    });
    covered += value * Math.max(0, ...shares);
    total += value;
  }
  return total === 0 ? 0 : covered / total;
}

test("a question of many words about many sentences costs as much as reading both", async () => {
  await assertLinear("sentences and words of the question", 120, (count) => {
    const all = Array.from({ length: 10 * count }, (_, at) => `w${at.toString(26)}`);
    const text = Array.from({ length: count }, (_, at) => `${all.slice(3 * at, 3 * at + 3).join(" ")}.`);
    const chunk = { text: text.join(" "), versionId: 1, start: 0, similarity: 0.5 };
    return scoreAnswer({ query: all.join(" "), chunks: [chunk] });
  });
});
