import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createDictionaryWriter, type EncodedDictionary, openDictionary } from "./dictionary.ts";
import { DamagedSegmentError } from "./format.ts";

const encoder = new TextEncoder();
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

function encode(terms: readonly string[]): EncodedDictionary {
  const writer = createDictionaryWriter();
  for (const [index, term] of terms.entries()) {
    const bytes = encoder.encode(term);
    const postings = { ordinals: Uint32Array.of(index), frequencies: Uint32Array.of(1 + (index % 3)) };
    writer.add({ bytes, length: bytes.length }, postings, 1);
  }
  return writer.finish();
}
const open = (encoded: EncodedDictionary) => openDictionary({ ...encoded, ordinalCount: encoded.termCount });

const terms = fc
  .uniqueArray(
    fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", "\0", "\uff21", "\u{10400}"), maxLength: 6 }),
      fc.constantFrom("x".repeat(127), "x".repeat(128), "x".repeat(700)),
    ),
    { maxLength: 120 },
  )
  .map((all) => all.toSorted(byBytes));

test("find returns exactly the written terms, each with its own postings", () => {
  fc.assert(
    fc.property(terms, terms, (written, requested) => {
      const dictionary = open(encode(written));
      const cursor = dictionary.walk();
      for (const term of written) {
        assert.ok(cursor.next());
        assert.equal(Buffer.from(cursor.bytes.subarray(0, cursor.length)).toString(), term);
        const { count, start, end } = cursor;
        assert.deepEqual(dictionary.find(encoder.encode(term)), { count, start, end });
      }
      assert.equal(cursor.next(), false);
      assert.equal(cursor.next(), false);
      for (const term of requested) {
        assert.equal(dictionary.find(encoder.encode(term)) !== null, written.includes(term));
      }
    }),
    { numRuns: 300 },
  );
});

test("a term is not confused with a neighbour that shares the same prefix length", () => {
  const dictionary = open(encode(["ab", "b", "bb", "bbc"]));
  assert.equal(dictionary.find(encoder.encode("abc")), null);
  assert.notEqual(dictionary.find(encoder.encode("bbc")), null);
});

test("a cursor opened at a term visits it and all later terms", () => {
  fc.assert(
    fc.property(terms, terms, (written, requested) => {
      const dictionary = open(encode(written));
      for (const from of requested.slice(0, 5)) {
        const cursor = dictionary.walk(encoder.encode(from));
        const visited: string[] = [];
        while (cursor.next()) visited.push(Buffer.from(cursor.bytes.subarray(0, cursor.length)).toString());
        const later = written.filter((term) => byBytes(term, from) >= 0);
        assert.deepEqual(visited.slice(visited.length - later.length), later);
        assert.ok(visited.length <= later.length + 16);
      }
    }),
  );
});

test("terms that do not ascend are rejected on write and on read", () => {
  assert.throws(() => encode(["b", "a"]), RangeError);
  assert.throws(() => encode(["a", "a"]), RangeError);
  const encoded = encode(["aa", "ab", "ac"]);
  const dictionary = encoded.dictionary.slice();
  dictionary[dictionary.indexOf(0x62)] = 0x61;
  const cursor = open({ ...encoded, dictionary }).walk();
  assert.ok(cursor.next());
  assert.throws(() => cursor.next(), DamagedSegmentError);
});

test("a table of blocks that does not fit the entries is reported as damaged when they are walked", () => {
  const encoded = encode(Array.from({ length: 20 }, (_, index) => `term${String(index).padStart(3, "0")}`));
  for (const column of ["blockStarts", "blockPostings"] as const) {
    const table = encoded[column].slice();
    table[1] = (table[1] ?? 0) + 1;
    const cursor = open({ ...encoded, [column]: table }).walk();
    assert.throws(() => {
      while (cursor.next());
    }, DamagedSegmentError);
  }
});

test("corrupt dictionary bytes give entries in bounds or are reported as damaged", () => {
  const encoded = encode(Array.from({ length: 40 }, (_, index) => `term${String(index).padStart(3, "0")}`));
  fc.assert(
    fc.property(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 6 }), (place, junk) => {
      const dictionary = encoded.dictionary.slice();
      dictionary.set(junk, place % (dictionary.length - junk.length));
      const opened = open({ ...encoded, dictionary });
      const visit = (entry: { count: number; start: number; end: number } | null) => {
        if (entry === null) return;
        assert.ok(entry.start <= entry.end && entry.end <= encoded.postings.length && entry.count <= 40);
      };
      for (const read of [
        () => {
          const cursor = opened.walk();
          while (cursor.next()) visit(cursor);
        },
        ...[7, 20, 39].map((index) => () => visit(opened.find(encoder.encode(`term0${index}`)))),
      ]) {
        try {
          read();
        } catch (error) {
          assert.ok(error instanceof DamagedSegmentError, String(error));
        }
      }
    }),
    { numRuns: 500 },
  );
});
