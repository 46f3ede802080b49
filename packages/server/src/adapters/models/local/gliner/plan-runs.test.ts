import assert from "node:assert/strict";
import { test } from "node:test";
import { planRuns, unreadOf } from "./plan-runs.ts";
import { cutWindows } from "./words.ts";

const labelsOf = (entities: number, relations: readonly (readonly [number, number])[] = []) => ({
  entities: Array.from({ length: entities }, (_, at) => ({ name: `e${at}`, description: "" })),
  relations: relations.map(([source, target], at) => ({
    label: `r${at}`,
    sources: [source],
    targets: [target],
  })),
});
const limits = { labels: 3, tokens: 100, relations: true };
const two = () => 2;

test("labels are asked for together as far as the prompt has room, a relation with the labels of its ends", () => {
  assert.deepEqual(planRuns(labelsOf(3, [[0, 1]]), limits, two), [{ entities: [0, 1, 2], relations: [0] }]);
  assert.deepEqual(
    planRuns(
      labelsOf(5, [
        [0, 4],
        [4, 1],
        [2, 3],
      ]),
      limits,
      two,
    ),
    [
      { entities: [0, 1, 4], relations: [0, 1] },
      { entities: [2, 3], relations: [2] },
    ],
  );
  assert.deepEqual(planRuns(labelsOf(4), { ...limits, tokens: 4 }, two), [
    { entities: [0, 1], relations: [] },
    { entities: [2, 3], relations: [] },
  ]);
});

test("a model without relations is asked for none, and no text is read more than 16 times", () => {
  const alone = planRuns(labelsOf(2, [[0, 1]]), { ...limits, relations: false }, two);
  assert.deepEqual(alone, [{ entities: [0, 1], relations: [] }]);
  const many = planRuns(labelsOf(500), limits, two);
  assert.equal(many.length, 16);
  const asked = many.flatMap(({ entities }) => entities).length;
  assert.deepEqual(unreadOf(many, labelsOf(500)), { entities: 500 - asked, relations: 0 });
  assert.ok(asked < 500);
});

test("a relation between more labels than there is room for is read between the first", () => {
  const wide = { ...labelsOf(6), relations: [{ label: "r", sources: [0, 1, 2], targets: [3, 4, 5] }] };
  const [first, ...others] = planRuns(wide, { ...limits, tokens: 6 }, two);
  assert.deepEqual(first, { entities: [0, 1], relations: [0] });
  assert.deepEqual(
    others.flatMap(({ entities }) => entities),
    [2, 3, 4, 5],
  );
});

test("windows take as many words as fit, and the last quarter of one is read again", () => {
  const ones = (count: number) => Array.from({ length: count }, () => 1);
  assert.deepEqual(cutWindows(ones(10), { words: 8, tokens: 100 }), [
    { from: 0, to: 8 },
    { from: 6, to: 10 },
  ]);
  assert.deepEqual(cutWindows([9, 1, 1], { words: 8, tokens: 4 }), [
    { from: 0, to: 1 },
    { from: 1, to: 3 },
  ]);
  assert.deepEqual(cutWindows([], { words: 8, tokens: 4 }), []);
  assert.equal(cutWindows(ones(5_000), { words: 8, tokens: 4 }).length, 128);
});
