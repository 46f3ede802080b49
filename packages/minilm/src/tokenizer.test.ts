import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTokenizer } from "./tokenizer.ts";
import { openTokenizer } from "./vocabulary.ts";

/** Created once with the Rust implementation (PyPI `tokenizers`) and the same tokenizer.json, without special tokens. */
const referenceEncodings: readonly (readonly [string, readonly number[]])[] = [
  ["", []],
  ["Hello, World!", [7592, 1010, 2088, 999]],
  ["antidisestablishmentarianism", [3424, 10521, 4355, 7875, 13602, 3672, 12199, 2964]],
  ["don't", [2123, 1005, 1056]],
  ["$5+6%=<tag>^~`|", [1002, 1019, 1009, 1020, 1003, 1027, 1026, 6415, 1028, 1034, 1066, 1036, 1064]],
  ["“curly” ‘quote’—dash…", [1523, 17546, 1524, 1520, 14686, 1521, 1517, 11454, 1529]],
  ["na\u00efve caf\u00e9 \u00c5ngstr\u00f6m", [15743, 7668, 17076, 15687]],
  ["e\u0301cole a\u0323\u0301", [12431, 1037]],
  ["!\u0301?", [999, 1029]],
  ["\u0130stanbul", [9960]],
  ["\u212a \u212b", [1047, 1037]],
  ["\ufb01ne \u00bd", [1984, 2638, 1092]],
  ["\u039f\u0394\u039f\u03a3", [1169, 29722, 29730, 29733]],
  ["漢字かな", [1904, 100, 1651, 30193]],
  ["中a文b", [1746, 1037, 1861, 1038]],
  ["\u{20000}x", [100, 1060]],
  ["한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]],
  ["\u0939\u093f\u0928\u094d\u0926\u0940", [1339, 29877, 29863, 29861, 29878]],
  ["🙂 ok 👩\u200d👧", [100, 7929, 100]],
  ["tab\tnew\nline\rreturn", [21628, 2047, 2240, 2709]],
  ["nul\0in\u0001side\u000b", [16371, 24412, 5178]],
  ["zero\u200bwidth soft\u00adhyphen", [5717, 9148, 11927, 2232, 3730, 10536, 8458, 2368]],
  ["nbsp\u00a0em\u2003line\u2028next\u0085end", [1050, 5910, 2361, 7861, 2240, 2279, 10497]],
  ["\ufeffbom \ue000x", [8945, 2213, 1060]],
  ["x\ufffdy", [1060, 2100]],
];

describe("the tokenizer", async () => {
  const tokenizer = await openTokenizer();

  for (const [text, ids] of referenceEncodings) {
    it(`encodes ${JSON.stringify(text)} as the reference implementation does`, () => {
      assert.deepEqual(tokenizer.encode(text), ids);
    });
  }

  it("returns the offsets of the word of every token", () => {
    const text = "\u00c9mile's  unaffable caf\u00e9 漢字-x\u00ad";
    const { ids, starts, ends } = tokenizer.encodeWithOffsets(text, 100);
    assert.deepEqual(ids, tokenizer.encode(text));
    const words = starts.map((start, token) => text.slice(start, ends[token]));
    const distinct = words.filter((_, token) => token === 0 || starts[token] !== starts[token - 1]);
    assert.deepEqual(distinct, [
      "\u00c9mile",
      "'",
      "s",
      "unaffable",
      "caf\u00e9",
      "漢",
      "字",
      "-",
      "x\u00ad",
    ]);
    assert.deepEqual(tokenizer.encodeWithOffsets(text, 2).ids, ids.slice(0, 2));
  });

  it("drops lone surrogates and keeps what surrounds them", () => {
    assert.deepEqual(tokenizer.encode("x\ud800y \udc00"), tokenizer.encode("xy"));
  });

  it("reads the names of special tokens in a text as ordinary characters", () => {
    assert.deepEqual(tokenizer.encode("[SEP]"), [1031, 19802, 1033]);
  });

  it("splits words of up to 100 characters and encodes longer ones as unknown", () => {
    assert.equal(tokenizer.countTokens("é".repeat(100)), 50);
    assert.deepEqual(tokenizer.encode("é".repeat(101)), [100]);
    assert.deepEqual(tokenizer.encode("e".repeat(101)), [100]);
    assert.deepEqual(tokenizer.encode(`${"e".repeat(1_000_000)} end`), [100, 2203]);
  });

  it("counts as many tokens as it encodes, and returns a prefix of them with a limit", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.lorem());
    fc.assert(
      fc.property(text, fc.nat(20), (value, limit) => {
        const ids = tokenizer.encode(value);
        assert.equal(tokenizer.countTokens(value), ids.length);
        assert.deepEqual(tokenizer.encode(value, limit), ids.slice(0, limit));
      }),
    );
  });

  it("encodes the texts before and after a space independently", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const separate = [...tokenizer.encode(left), ...tokenizer.encode(right)];
        assert.deepEqual(tokenizer.encode(`${left} ${right}`), separate);
      }),
    );
  });

  it("gives the same result after more distinct words than its cache holds", async () => {
    const full = await openTokenizer();
    for (let word = 0; word < 20_000; word++) full.countTokens(`w${word}`);
    assert.deepEqual(full.encode("Photosynthesis w1"), tokenizer.encode("Photosynthesis w1"));
  });
});

describe("a tokenizer with a small vocabulary", () => {
  const tokenizer = createTokenizer(
    new Map([
      ["[UNK]", 0],
      ["un", 1],
      ["##happy", 2],
      ["##hap", 3],
      ["happy", 4],
    ]),
  );

  it("takes the longest piece first", () => {
    assert.deepEqual(tokenizer.encode("unhappy happy"), [1, 2, 4]);
  });

  it("encodes a word as unknown when a part of it is unknown", () => {
    assert.deepEqual(tokenizer.encode("unhapless"), [0]);
  });
});
