import assert from "node:assert/strict";
import { test } from "node:test";
import { boundWork, learnTypes, MAX_PRODUCTS, softmax, type TaughtName } from "./taught-types.ts";

const names = [
  { type: 0, features: Float32Array.of(1, 0, 0.2), prior: [0, 0] },
  { type: 0, features: Float32Array.of(0.9, 0.1, 0), prior: [0, 0] },
  { type: 1, features: Float32Array.of(0, 1, 0.1), prior: [0, 0] },
];

test("a name like those of a type is of that type", async () => {
  const logits = await learnTypes(names, 2);
  const [like0 = 0] = softmax(logits(Float32Array.of(1, 0.1, 0), [0, 0]));
  const [like1 = 0] = softmax(logits(Float32Array.of(0.1, 1, 0), [0, 0]));
  assert.ok(like0 > 0.9 && like1 < 0.2, `${like0} ${like1}`);
});

test("what else is known counts where the examples say nothing", async () => {
  const [first = 0, second = 0] = softmax((await learnTypes(names, 2))(new Float32Array(3), [0, 3]));
  assert.ok(second > first);
});

test("the same examples teach the same", async () => {
  const features = Float32Array.of(0.4, 0.5, 0.6);
  const [once, again] = [await learnTypes(names, 2), await learnTypes(names, 2)];
  assert.deepEqual(once(features, [0, 0]), again(features, [0, 0]));
});

/** Names of the first types in turn, each type with a direction of its own; nothing else speaks for a type. */
function namesOf(count: number, taught: number, types: number): readonly TaughtName[] {
  return Array.from({ length: count }, (_, at) => {
    const features = new Float32Array(256);
    features[at % taught] = 1;
    return { type: at % taught, features, prior: new Array<number>(types).fill(0) };
  });
}

test("a step of learning takes a bounded number of products, however many names and types there are", () => {
  for (const [count, taught, types] of [
    [400, 400, 2_000],
    [400, 400, 800],
    [400, 20, 2_000],
    [200, 200, 2_000],
    [100, 100, 200],
  ] as const) {
    const { names, classes } = boundWork(namesOf(count, taught, types), types);
    assert.ok(names.length ** 2 * classes <= MAX_PRODUCTS, `${names.length} names, ${classes} classes`);
    assert.ok(names.length >= Math.min(count, 220), `${names.length} names`);
  }
});

test("names of a few of thousands of types are learned in short steps, with a turn after each", async () => {
  const many = namesOf(200, 60, 2_000);
  let turns = 0;
  const logits = await learnTypes(many, 2_000, async () => void turns++);
  assert.equal(turns, 100);
  const { features, prior } = many[7] ?? assert.fail();
  const shares = softmax(logits(features, prior));
  assert.ok(shares[7]! > 10 * shares[8]! && shares[7]! > 10 * shares[1_999]!, `${shares.slice(0, 10)}`);
  assert.equal(shares[1_998], shares[1_999]);
});

test("of more names than there is room for, each type keeps its first ones", () => {
  const own = namesOf(200, 200, 2_000);
  const alike = Array.from({ length: 200 }, () => own[0] ?? assert.fail());
  const { names, classOf, classes } = boundWork([...alike, ...own], 2_000);
  assert.ok(
    names.length ** 2 * classes <= MAX_PRODUCTS && names.length > 300,
    `${names.length} × ${classes}`,
  );
  assert.deepEqual(new Set(names.map(({ type }) => type)), new Set(own.map(({ type }) => type)));
  assert.deepEqual([classes, new Set(classOf).size, classOf[200], classOf[1_999]], [201, 201, 200, 200]);
});

test("where there is room, every name and every type is learned on its own", () => {
  const all = namesOf(400, 30, 125);
  const { names, classes } = boundWork(all, 125);
  assert.deepEqual([names, classes], [all, 125]);
});
