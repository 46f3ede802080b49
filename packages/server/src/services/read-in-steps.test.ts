import assert from "node:assert/strict";
import { test } from "node:test";
import { readInSteps } from "./read-in-steps.ts";

const ids = Array.from({ length: 10 }, (_, at) => String(at));

/** Items of 102 characters each. */
async function readAll(maxCharacters?: number) {
  const steps: number[] = [];
  const items = await readInSteps(ids, { itemsPerStep: 4, maxCharacters }, async (part) => {
    steps.push(part.length);
    return part.filter((id) => id !== "5").map((id) => id.repeat(100));
  });
  return { read: items.map((item) => item[0]).join(""), steps };
}

test("a page is read in steps and in order, without what is gone", async () => {
  assert.deepEqual(await readAll(), { read: "012346789", steps: [4, 4, 2] });
});

test("what a page has no room for is not read, but it always has its first item", async () => {
  assert.deepEqual(await readAll(3 * 102), { read: "012", steps: [4] });
  assert.deepEqual(await readAll(4 * 102), { read: "0123", steps: [4, 4] });
  assert.deepEqual(await readAll(1), { read: "0", steps: [4] });
  assert.deepEqual(await readAll(9 * 102), { read: "012346789", steps: [4, 4, 2] });
});
