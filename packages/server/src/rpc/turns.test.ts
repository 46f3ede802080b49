import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

function drain(turns: ReturnType<typeof createTurns<string>>): string {
  const items: string[] = [];
  for (let item = turns.next(); item !== null; item = turns.next()) items.push(item);
  return items.join(" ");
}

test("an account with many requests does not delay those of others by more than one each", () => {
  const turns = createTurns<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) turns.add("a", item);
  turns.add("b", "b1");
  assert.equal(turns.next(), "a1");
  turns.add("c", "c1");
  turns.add("b", "b2");
  assert.equal(drain(turns), "b1 a2 c1 b2 a3 a4");
});

test("a request that was taken out has no turn", () => {
  const turns = createTurns<string>();
  const remove = turns.add("a", "a1");
  turns.add("b", "b1");
  turns.add("b", "b2");
  remove();
  remove();
  assert.equal(turns.size, 2);
  assert.equal(drain(turns), "b1 b2");
});
