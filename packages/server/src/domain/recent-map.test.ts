import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecentMap } from "./recent-map.ts";

test("what was not asked for the longest is made anew", () => {
  const map = createRecentMap<string, string>(2);
  const made: string[] = [];
  const ask = (key: string) =>
    map.getOrMake(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  for (const key of ["a", "b", "a", "c", "a", "b"]) assert.equal(ask(key), key.toUpperCase());
  assert.deepEqual(made, ["a", "b", "c", "b"]);
});

test("a promise that fails is tried again", async () => {
  const map = createRecentMap<string, Promise<number>>(2);
  await assert.rejects(
    map.getOrMake("a", () => Promise.reject(new Error("no model"))),
    /no model/,
  );
  assert.equal(await map.getOrMake("a", () => Promise.resolve(7)), 7);
});
