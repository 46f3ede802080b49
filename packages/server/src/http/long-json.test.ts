import assert from "node:assert/strict";
import { test } from "node:test";
import { digestOf, encodeInTurns, LongJson } from "./long-json.ts";

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
  assert.ok((await turnsOf(encodeInTurns({ text }))) > 10);
  const documents = Array.from({ length: 200 }, (_, number) => ({
    number,
    metadata: { a: "a".repeat(64 * 1024) },
  }));
  assert.ok((await turnsOf(encodeInTurns({ documents }))) > 10);
  const json = await encodeInTurns({ text });
  assert.ok(json instanceof LongJson);
  assert.ok((await turnsOf(digestOf(json))) > 10);
  assert.ok((await turnsOf(json.toArray())) > 10);
  assert.ok(Math.max(...json.parts.map(({ length }) => length)) < MIB);
  assert.equal(Buffer.concat(json.parts).toString(), JSON.stringify({ text }));
});

test("a short response is a string, with the digest that it would have as a stream", async () => {
  const json = await encodeInTurns({ name: "Ö" });
  assert.equal(json, '{"name":"Ö"}');
  assert.equal(await digestOf(json), await digestOf(new LongJson([Buffer.from(json)])));
});

test("a digest depends on every part of a text", async () => {
  const text = "a".repeat(2 * MIB);
  const digests = [text, `b${text.slice(1)}`, `${text.slice(1)}b`, text.slice(1)].map(async (text) =>
    digestOf(await encodeInTurns(text)),
  );
  assert.equal(new Set(await Promise.all(digests)).size, 4);
});
