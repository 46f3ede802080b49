import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readLines } from "./read-lines.ts";

const MIB = 1024 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);

async function* inPieces(bytes: Uint8Array, lengths: readonly number[]) {
  for (let from = 0, piece = 0; from < bytes.length; piece++) {
    const length = Math.max(1, lengths[piece % Math.max(1, lengths.length)] ?? bytes.length);
    yield bytes.subarray(from, from + length);
    from += length;
  }
}

test("lines do not depend on how the bytes are split, and each starts at its offset", async () => {
  const lines = fc.array(
    fc.string({ maxLength: 12, unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, "")),
  );
  const ends = fc.constantFrom("\n", "\r\n");
  const lengths = fc.array(fc.nat({ max: 9 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(lines, ends, lengths, async (texts, end, pieces) => {
      const file = encode(texts.map((text) => text + end).join(""));
      const read = await Array.fromAsync(readLines(inPieces(file, pieces), 1_000));
      assert.deepEqual(
        read.map(({ bytes }) => new TextDecoder().decode(bytes ?? undefined)),
        texts,
      );
      for (const [at, { bytes, start, number }] of read.entries()) {
        assert.equal(number, at + 1);
        assert.deepEqual(
          Buffer.from(file.subarray(start, start + (bytes?.length ?? 0))),
          Buffer.from(bytes ?? []),
        );
      }
    }),
  );
});

test("a line over the limit is yielded without its bytes, and the lines after it are read", async () => {
  const file = encode(`first\n${"x".repeat(5_000)}\nlast`);
  const read = await Array.fromAsync(readLines(inPieces(file, [64]), 100));
  assert.deepEqual(
    read.map(({ bytes, start, number }) => [
      bytes === null ? null : Buffer.from(bytes).toString(),
      start,
      number,
    ]),
    [
      ["first", 0, 1],
      [null, 6, 2],
      ["last", 5_007, 3],
    ],
  );
});

test("a line of 100 MiB is copied once, whatever the size of its pieces, and kept only below the limit", async () => {
  const piece = new Uint8Array(16 * 1024).fill(120);
  async function* source() {
    for (let sent = 0; sent < 100 * MIB; sent += piece.length) yield piece;
  }
  const before = process.memoryUsage().arrayBuffers;
  const [line, ...rest] = await Array.fromAsync(readLines(source(), 64 * MIB));
  assert.deepEqual([line?.bytes, rest], [null, []]);
  assert.ok(process.memoryUsage().arrayBuffers - before < 32 * MIB);
  const copied = Buffer.concat;
  let bytes = 0;
  Buffer.concat = (parts, length) => {
    bytes += length ?? 0;
    return copied(parts, length);
  };
  try {
    const [kept] = await Array.fromAsync(readLines(source(), 200 * MIB));
    assert.equal(kept?.bytes?.length, 100 * MIB);
    assert.equal(bytes, 100 * MIB);
  } finally {
    Buffer.concat = copied;
  }
});
