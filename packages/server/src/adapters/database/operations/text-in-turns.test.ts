import assert from "node:assert/strict";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { decodeText, encodeText, encodeUtf8 } from "./encoding.ts";
import { decodeInTurns } from "./text-in-turns.ts";

async function* partsOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("a text that arrives in parts is the same as at once, also where bytes are no UTF-8", async () => {
  const cases = [
    encodeUtf8(""),
    encodeUtf8("\ufeffaé€𝕏\ufeff"),
    encodeUtf8("𝕏𝕏€€éé\0aa".repeat(20)),
    // Continuations without a beginning, beginnings without an end, surrogates, too long forms.
    Uint8Array.fromHex("80808080808041f09f92c3c3e28241eda0bdf0808080c080fff09d959580808080f0"),
    Uint8Array.fromHex("f09d95"),
  ];
  for (const bytes of cases) {
    for (const size of [1, 2, 3, 4, 5, 7, 1_000]) {
      assert.equal(await decodeInTurns("utf8", partsOf(bytes, size)), decodeText("utf8", bytes));
      const compressed = zstdCompressSync(bytes);
      assert.equal(await decodeInTurns("zstd", partsOf(compressed, size)), decodeText("utf8", bytes));
    }
  }
});

test("a compressed text that is damaged or cut off fails, as it does at once", async () => {
  const { encoding, bytes } = encodeText("oil and gas ".repeat(500));
  assert.equal(encoding, "zstd");
  const damaged = bytes.slice();
  damaged.fill(0xff, 0, 4);
  for (const broken of [damaged, bytes.subarray(0, -3)]) {
    assert.throws(() => decodeText(encoding, broken));
    await assert.rejects(decodeInTurns(encoding, partsOf(broken, 10)));
  }
});

test("a text whose parts cannot be read any more fails with the reason", async () => {
  async function* breaking() {
    yield zstdCompressSync(encodeUtf8("oil")).subarray(0, 5);
    throw new Error("connection lost");
  }
  for (const encoding of ["utf8", "zstd"] as const) {
    await assert.rejects(decodeInTurns(encoding, breaking()), /connection lost/);
  }
});
