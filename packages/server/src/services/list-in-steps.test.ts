import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListStep } from "../ports/store.ts";
import { listInSteps } from "./list-in-steps.ts";

/** Places 1,200 to 1, newest first. */
function createStore() {
  const places = Array.from({ length: 1_200 }, (_, at) => 1_200 - at);
  const steps: ListStep[] = [];
  const read = async (step: ListStep) => {
    steps.push(step);
    const { before, limit, offset } = step;
    const behind = places.filter((place) => before === null || place < before);
    return behind.slice(offset, offset + limit).map((place) => ({ place }));
  };
  return { places, steps, read };
}

test("a list and any page of it are read completely, in steps of a bounded number of items", async () => {
  const { places, steps, read } = createStore();
  for (const page of [
    null,
    { limit: 700, offset: 0 },
    { limit: 500, offset: 3 },
    { limit: 501, offset: 699 },
    { limit: 9, offset: 1_300 },
    { limit: 700, offset: 0, before: 900 },
    { limit: 9, offset: 2, before: 3 },
  ]) {
    const found = (await Array.fromAsync(listInSteps(page, read))).flat();
    const { limit, offset, before = 1_201 } = page ?? { limit: 1_200, offset: 0 };
    assert.deepEqual(
      found.map(({ place }) => place),
      places.filter((place) => place < before).slice(offset, offset + limit),
    );
  }
  assert.ok(steps.every(({ limit }) => limit <= 500));
});

test("an item that is added meanwhile is not read twice, and none is left out", async () => {
  const { places, read } = createStore();
  const found: number[] = [];
  for await (const step of listInSteps(null, read)) {
    found.push(...step.map(({ place }) => place));
    places.unshift(places.length + 1);
  }
  assert.deepEqual(
    found,
    Array.from({ length: 1_200 }, (_, at) => 1_200 - at),
  );
});
