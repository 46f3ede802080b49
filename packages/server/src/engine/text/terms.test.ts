import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCachedStem, stemWord } from "./stem.ts";
import { indexTerms, MAX_TERM_LENGTH } from "./terms.ts";

const found = (question: string, text: string): boolean => {
  const terms = new Set(indexTerms(text));
  const wanted = indexTerms(question);
  return wanted.length > 0 && wanted.every((term) => terms.has(term));
};

test("inflected English words meet in one stem and stop words are dropped", () => {
  assert.deepEqual(indexTerms("The pumps were failing"), indexTerms("a pump fails"));
  assert.deepEqual(indexTerms("What is it that they do, and how?"), []);
});

test("case, diacritics, ligatures and width do not matter", () => {
  assert.deepEqual(
    indexTerms("Müller naïve straße Ⅷ ﬁlter ＡＢＣ İzmir Łódź"),
    indexTerms("muller naive strasse viii filter abc izmir lodz"),
  );
  assert.deepEqual(indexTerms("e\u0301cole soft\u00adware"), indexTerms("école software"));
});

test("contractions and possessives leave the word that they hang on", () => {
  assert.deepEqual(
    indexTerms("Anna's sister’s car; we'll see, they don't"),
    indexTerms("anna sister car see"),
  );
});

test("identifiers are found whole and by their parts", () => {
  for (const [text, whole, part] of [
    ["Order the AX-2040/B now", "ax-2040", "2040"],
    ["raised E_CONN_RESET twice", "e_conn_reset", "reset"],
    ["upgrade to v2.11.3-rc1", "v2.11.3-rc1", "rc1"],
    ["write to jane.roe+ops@mail.example.org!", "jane.roe+ops@mail.example.org", "roe"],
    ["write to jane.roe+ops@mail.example.org!", "mail.example.org", "jane.roe+ops"],
    ["ping 10.0.0.17", "10.0.0.17", "17"],
    ["see lib.core.parse_header", "lib.core.parse_header", "header"],
    ["R&D costs", "r&d", "R&D"],
  ] as const) {
    assert.ok(indexTerms(text).includes(whole), `${whole} in ${indexTerms(text)}`);
    assert.ok(found(whole, text), whole);
    assert.ok(found(part, text), part);
  }
});

test("hyphenated words, initials and grouped numbers are found in one piece", () => {
  assert.ok(found("email", "send an e-mail"));
  assert.ok(found("USA", "made in the U.S.A."));
  assert.ok(found("1234567", "costs 1,234,567 crowns"));
  assert.deepEqual(indexTerms("pi is 3.14"), ["pi", "3.14"]);
  assert.ok(indexTerms("in C++, C# or F#").join(" ").includes("c++ c c#"));
});

test("scripts without spaces become pairs, other scripts whole words", () => {
  assert.deepEqual(indexTerms("東京都 2020年に"), ["東京", "京都", "2020", "年に"]);
  assert.deepEqual(indexTerms("猫"), ["猫"]);
  assert.deepEqual(indexTerms("ไทย"), ["ไท", "ทย"]);
  assert.deepEqual(indexTerms("Красная площадь, Ἀθῆναι"), ["красная", "площадь", "αθηναι"]);
});

test("overlong terms keep their beginning and stay apart", () => {
  const [one, other] = [`${"k".repeat(200)}1`, `${"k".repeat(200)}2`].map((text) => indexTerms(text));
  assert.equal(one?.[0]?.length, MAX_TERM_LENGTH);
  assert.notDeepEqual(one, other);
  assert.deepEqual(one, indexTerms(`${"K".repeat(200)}1`));
  for (const text of ["𐐨".repeat(60), `a${"𐐨".repeat(60)}`]) assert.ok(indexTerms(text)[0]?.isWellFormed());
});

test("any text gives bounded, well-formed, lower-case terms without spaces", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(..."ab1-._@'&+, \u0301\ud800漢กß’#"), maxLength: 300 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const term of indexTerms(text)) {
        assert.ok(term.length > 0 && term.length <= MAX_TERM_LENGTH);
        assert.ok(term.isWellFormed());
        assert.doesNotMatch(term, /\s/);
      }
    }),
    { numRuns: 150 },
  );
});

test("the terms of a list are the terms of its lines", () => {
  const lines = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 5 });
  fc.assert(
    fc.property(lines, (texts) => {
      assert.deepEqual(
        indexTerms(texts.join("\n \n")),
        texts.flatMap((text) => indexTerms(text)),
      );
    }),
    { numRuns: 200 },
  );
});

test("hostile texts take time in proportion to their length", () => {
  const hostile = [
    "a.",
    "'s",
    "a's",
    "x\u0301\u0323",
    "\u05ae\u05b0",
    "a@b.c",
    "漢-",
    "1,000,",
    "ational",
    "\ud800",
    "c++",
    "-",
  ];
  const msOf = (text: string): number => {
    const start = performance.now();
    indexTerms(text);
    return performance.now() - start;
  };
  // Quadratic work on 200,000 units would take minutes.
  for (const unit of hostile) assert.ok(msOf(unit.repeat(200_000 / unit.length)) < 2_000, unit);
});

test("a cached stem forgets but never errs", () => {
  const stem = createCachedStem({ maxEntries: 2 });
  for (const word of ["running", "runs", "easily", "running", "running", "is", "generalizations", "runs"]) {
    assert.equal(stem(word), stemWord(word));
  }
});
