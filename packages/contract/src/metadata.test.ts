import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ingestBatchBody, ingestBody } from "./bodies.ts";
import { describeFaults } from "./fields.ts";

const body = ingestBody(1_000);
const read = (metadata: unknown) => body.safeParse({ text: "a", source_doc_id: "b", metadata });
const VALUE = "a string of at most 512 characters or a number within ±9007199254740991";
const KEYS = "keys of 1 to 64 characters, not blank, without control characters";
const WIDE = "\u{1F3FD}";

/** Unlike an object literal, this also creates a member named `__proto__`. */
const objectOf = (entries: readonly (readonly [string, unknown])[]) => Object.fromEntries(entries);

describe("a document's metadata", () => {
  test("is empty when it is absent or null", () => {
    assert.deepEqual(body.parse({ text: "a", source_doc_id: "b" }).metadata, {});
    for (const empty of [undefined, null, {}]) assert.deepEqual(read(empty).data?.metadata, {});
  });

  test("is kept unchanged, whatever its keys are", () => {
    const metadata = objectOf([
      ["lang", "de"],
      ["year", 1931],
      ["empty", ""],
      ["share", 0.1],
      ["10", "ten"],
      ["9", Number.MAX_SAFE_INTEGER],
      ["least", -Number.MAX_SAFE_INTEGER],
      ["__proto__", "not a prototype"],
      ["constructor", 1],
      [WIDE.repeat(64), WIDE.repeat(512)],
      [" a.b[0] ", "line\nend\ttab"],
    ]);
    const kept = read(metadata).data?.metadata;
    assert.deepEqual(Object.entries(kept ?? {}), Object.entries(metadata));
    assert.equal(Object.getPrototypeOf(kept), Object.prototype);
  });

  test("has no negative zero", () => {
    assert.ok(Object.is(read({ n: -0 }).data?.metadata["n"], 0));
  });

  const faults: readonly [unknown, string][] = [
    [[], "metadata: got an array, expected an object of strings and numbers"],
    ["a", "metadata: got a string, expected an object of strings and numbers"],
    [{ a: null }, `metadata.a: got null, expected ${VALUE}`],
    [{ a: true }, `metadata.a: got a boolean, expected ${VALUE}`],
    [{ a: ["x"] }, `metadata.a: got an array, expected ${VALUE}`],
    [{ a: { b: 1 } }, `metadata.a: got an object, expected ${VALUE}`],
    [{ a: Number.POSITIVE_INFINITY }, `metadata.a: got the number Infinity, expected ${VALUE}`],
    [{ a: 2 ** 53 }, `metadata.a: got the number 9007199254740992, expected ${VALUE}`],
    [{ a: -1e300 }, `metadata.a: got the number -1e+300, expected ${VALUE}`],
    [{ a: "x".repeat(513) }, `metadata.a: has 513 characters, expected ${VALUE}`],
    [{ a: "x\0" }, "metadata.a: has a NUL character at offset 1, expected none"],
    [{ a: "x\ud83d" }, "metadata.a: has a lone surrogate at offset 1, expected well-formed Unicode"],
    [{ "": 1 }, `metadata: key "" is blank, expected ${KEYS}`],
    [{ "\u2003": 1 }, `metadata: key "\u2003" is blank, expected ${KEYS}`],
    [{ "a\0": 1 }, `metadata: key "a\\u0000" has a control character at offset 1, expected ${KEYS}`],
    [{ "\u0085a": 1 }, `metadata: key "\u0085a" has a control character at offset 0, expected ${KEYS}`],
    [
      { "a\udc00": 1 },
      'metadata: key "a\\udc00" has a lone surrogate at offset 1, expected well-formed Unicode',
    ],
    [
      { [`k${WIDE.repeat(64)}`]: 1 },
      `metadata: key "k${WIDE.repeat(19)}\\ud83c" has 65 characters, expected ${KEYS}`,
    ],
    [
      { a: 1n, b: [] },
      `metadata.a: got a bigint, expected ${VALUE}; metadata.b: got an array, expected ${VALUE}`,
    ],
    [objectOf([["__proto__", null]]), `metadata.__proto__: got null, expected ${VALUE}`],
  ];
  for (const [metadata, fault] of faults) {
    test(`is refused: ${fault.slice(0, 60)}`, () => {
      const { error } = read(metadata);
      assert.equal(error && describeFaults(error), fault);
    });
  }

  test("has at most 32 keys", () => {
    const keys = (count: number) => objectOf(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    assert.ok(read(keys(32)).success);
    const { error } = read(keys(33));
    assert.equal(error && describeFaults(error), "metadata: has 33 keys, expected at most 32");
  });

  test("in a batch is reported with the index of its document", () => {
    const documents = [{ text: "a", source_doc_id: "b", metadata: { a: {} } }];
    const { error } = ingestBatchBody(1_000).safeParse({ documents });
    assert.match(error ? describeFaults(error) : "", /^documents\[0\]\.metadata\.a: got an object/);
  });

  test("is either kept or refused with an error that names it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 })), (metadata) => {
        const { data, error } = read(metadata);
        if (error) assert.match(describeFaults(error), /^metadata[.:]/);
        else
          assert.deepEqual(
            data.metadata,
            objectOf(Object.entries(metadata).map(([k, v]) => [k, v === 0 ? 0 : v])),
          );
      }),
      { seed: 20_310_500 },
    );
  });
});
