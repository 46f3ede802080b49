import assert from "node:assert/strict";
import { test } from "node:test";
import { digestInTurns, stringifyInTurns } from "./long-json.ts";

const MIB = 1024 * 1024;

/** How often the event loop turns until the promise is settled. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work;
  clearImmediate(next);
  return turns;
}

test("the event loop turns while a long response is made", async () => {
  const text = "\u0001".repeat(2 * MIB);
  assert.ok((await turnsOf(stringifyInTurns({ text }))) > 10);
  const documents = Array.from({ length: 200 }, (_, number) => ({
    number,
    metadata: { a: "a".repeat(64 * 1024) },
  }));
  assert.ok((await turnsOf(stringifyInTurns({ documents }))) > 10);
  assert.ok((await turnsOf(digestInTurns("a".repeat(8 * MIB)))) > 10);
});

test("a digest depends on every part of a text", async () => {
  const text = "a".repeat(2 * MIB);
  const digests = [text, `b${text.slice(1)}`, `${text.slice(1)}b`, text.slice(1)].map(digestInTurns);
  assert.equal(new Set(await Promise.all(digests)).size, 4);
});
