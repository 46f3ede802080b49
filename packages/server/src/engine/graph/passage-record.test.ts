import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PassageKnowledge, SubjectKind } from "../../domain/graph.ts";
import { decodePassage, encodePassage } from "./passage-record.ts";

const name = fc.oneof(
  fc.constantFrom("", "ada lovelace", "münchen", "東京", "😀 x"),
  fc.string({ unit: "binary" }),
);
const span = fc
  .tuple(fc.nat(1 << 24), fc.nat(5_000))
  .map(([start, length]) => ({ start, end: start + length }));
const kind = fc.constantFrom<SubjectKind>("title", "alias", "section", "opening");

const knowledge: fc.Arbitrary<PassageKnowledge> = fc
  .record({ sentences: fc.array(span, { maxLength: 5 }), dimensions: fc.nat(6) })
  .chain(({ sentences, dimensions }) => {
    const sentence = fc.nat(Math.max(0, sentences.length - 1));
    const maxLength = sentences.length === 0 ? 0 : 12;
    const mention = fc
      .record({ name, sentence, isVariant: fc.boolean(), span })
      .map(({ span: { start, end }, ...rest }) => ({ ...rest, start, end }));
    const statement = fc.record({
      sentence,
      subject: span,
      verb: span,
      object: span,
      frame: name,
      isNegated: fc.boolean(),
      isHedged: fc.boolean(),
    });
    const length = dimensions * sentences.length;
    return fc.record({
      subjects: fc.array(fc.record({ name, kind }), { maxLength: 4 }),
      sentences: fc.constant(sentences),
      sentenceVectors: fc.int8Array({ minLength: length, maxLength: length }),
      mentions: fc.array(mention, { maxLength }),
      statements: fc.array(statement, { maxLength }),
    });
  });

test("a record is decoded as it was encoded, at any byte offset", () => {
  fc.assert(
    fc.property(knowledge, fc.nat(7), (written, offset) => {
      const bytes = encodePassage(written);
      const moved = new Uint8Array(bytes.length + offset + 3);
      moved.set(bytes, offset);
      const read = decodePassage(moved.subarray(offset, offset + bytes.length));
      assert.deepEqual(structuredClone(read), structuredClone(written));
    }),
    { numRuns: 300 },
  );
});

test("lone surrogates in a name become replacement characters and do not affect other names", () => {
  const empty = { sentences: [], sentenceVectors: new Int8Array(), mentions: [], statements: [] };
  const subjects = [
    { name: "\ud800", kind: "title" as const },
    { name: "\udc00x", kind: "alias" as const },
  ];
  const read = decodePassage(encodePassage({ ...empty, subjects }));
  assert.deepEqual(
    read?.subjects.map((subject) => subject.name),
    ["\ufffd", "\ufffdx"],
  );
});

test("truncated, extended and altered bytes give null or a valid record, and never throw", () => {
  fc.assert(
    fc.property(knowledge, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, at, change) => {
      const bytes = encodePassage(written);
      assert.equal(decodePassage(bytes.subarray(0, at % bytes.length)), null);
      assert.equal(decodePassage(Uint8Array.from([...bytes, 0])), null);
      const altered = bytes.slice();
      altered[at % bytes.length] = (altered[at % bytes.length] ?? 0) ^ change;
      const read = decodePassage(altered);
      if (read === null) return;
      for (const { sentence } of [...read.mentions, ...read.statements]) {
        assert.ok(sentence < read.sentences.length);
      }
    }),
    { numRuns: 300 },
  );
});

test("random bytes give null or a record bounded by their length; another version's records give null", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const read = decodePassage(Uint8Array.from([1, ...bytes]));
      assert.ok(read === null || read.mentions.length <= bytes.length);
    }),
  );
  const record = encodePassage({
    subjects: [],
    sentences: [],
    sentenceVectors: new Int8Array(),
    mentions: [],
    statements: [],
  });
  assert.notEqual(decodePassage(record), null);
  assert.equal(decodePassage(Uint8Array.from([2, ...record.subarray(1)])), null);
  assert.equal(decodePassage(new Uint8Array()), null);
});

test("vectors that are not complete rows are rejected", () => {
  const sentences = [{ start: 0, end: 4 }];
  const base = { subjects: [], mentions: [], statements: [] };
  assert.throws(
    () => encodePassage({ ...base, sentences: [], sentenceVectors: new Int8Array(3) }),
    RangeError,
  );
  const two = [...sentences, ...sentences];
  assert.throws(
    () => encodePassage({ ...base, sentences: two, sentenceVectors: new Int8Array(3) }),
    RangeError,
  );
});
