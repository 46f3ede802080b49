import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { encodeJson, JsonLines, LongJson, MadeBytes } from "./long-json.ts";

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

test("the event loop turns while a long response is measured and written", async () => {
  const text = "\u0001".repeat(2 * MIB);
  const documents = Array.from({ length: 200 }, (_, number) => ({
    number,
    metadata: { a: "a".repeat(64 * 1024) },
  }));
  for (const value of [{ text }, { documents }]) {
    const json = encodeJson(value);
    assert.ok(json instanceof LongJson);
    assert.ok((await turnsOf(json.measure())) > 10);
    const parts: Buffer[] = [];
    assert.ok((await turnsOf(json.forEach((part: Buffer) => void parts.push(part)))) > 10);
    assert.ok(Math.max(...parts.map(({ length }) => length)) < 2 * MIB);
    assert.equal(Buffer.concat(parts).toString(), JSON.stringify(value));
  }
});

test("a long response is measured as it is sent", async () => {
  const value = { text: "Ö".repeat(MIB) };
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = createHash("sha256").update(bytes).digest("base64url");
  assert.deepEqual(await new LongJson(value).measure(), { digest, byteLength: bytes.length });
});

test("lines of JSON are written in turns, too", async () => {
  const items = Array.from({ length: 20 }, () => ({ text: "\u0001".repeat(128 * 1024) }));
  const lines = new LongJson(new JsonLines(items));
  assert.ok(lines.heldBytes > 20 * 128 * 1024);
  const parts: Buffer[] = [];
  assert.ok((await turnsOf(lines.forEach((part: Buffer) => void parts.push(part)))) > 10);
  const sent = Buffer.concat(parts).toString();
  assert.equal(sent, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
});

test("bytes that are made already are sent in turns, and count once", async () => {
  const bytes = new TextEncoder().encode("Ö".repeat(2 * MIB)).subarray(4);
  const long = new LongJson(new MadeBytes(bytes));
  assert.equal(long.heldBytes, bytes.length);
  const digest = createHash("sha256").update(bytes).digest("base64url");
  assert.deepEqual(await long.measure(), { digest, byteLength: bytes.length });
  const parts: Buffer[] = [];
  assert.ok((await turnsOf(long.forEach((part: Buffer) => void parts.push(part)))) > 10);
  assert.deepEqual(Buffer.concat(parts), Buffer.from(bytes));
  for await (const part of new LongJson(new MadeBytes(new Uint8Array()))) assert.fail(String(part));
});

test("a short response is a string", () => {
  assert.equal(encodeJson({ name: "Ö" }), '{"name":"Ö"}');
});
