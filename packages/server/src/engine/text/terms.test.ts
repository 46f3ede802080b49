import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { MAX_TERM_LENGTH } from "./bounded-term.ts";
import { createCachedStem, stemWord } from "./stem.ts";
import { indexedTerms, indexTerms, queryTerms } from "./terms.ts";

const isFound = (question: string, text: string): boolean => {
  const terms = new Set(indexTerms(text));
  const required = queryTerms(question);
  return required.length > 0 && required.every((term) => terms.has(term));
};

test("inflected English words have the same stem and stop words are dropped", () => {
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

test("contractions and possessives are reduced to the word before the apostrophe", () => {
  assert.deepEqual(
    indexTerms("Anna's sister’s car; we'll see, they don't"),
    indexTerms("anna sister car see"),
  );
});

/** A text, and questions whose terms must all be among its terms. */
const identifiers: readonly (readonly [text: string, ...questions: string[]])[] = [
  ["Order the AX-2040/B now", "AX-2040/B", "ax-2040", "AX2040", "ax 2040", "2040", "AX_2040"],
  ["the X200 and the MK17b", "x200", "X-200", "X 200", "mk17b"],
  ["replace part 7700-1042 first", "7700-1042", "77001042", "7700 1042", "1042"],
  ["raised E_CONN_RESET twice", "E_CONN_RESET", "e_conn_reset", "conn reset", "E-CONN-RESET", "EConnReset"],
  ["failed with 0x80070005 again", "0x80070005", "0X80070005", "80070005"],
  ["shows E1234 and err-77", "E1234", "e 1234", "E-1234", "1234", "ERR77", "err 77"],
  ["upgrade to v2.11.3-rc1", "v2.11.3-rc1", "2.11.3-rc1", "2.11", "v2.11", "rc1"],
  ["upgrade to v2.11.3.", "v2.11.3", "2.11.3", "2.11"],
  ["needs 10.0.1 or later", "10.0.1", "v10.0.1", "10.0"],
  [
    "write to jane.roe+ops@mail.example.org!",
    "jane.roe+ops@mail.example.org",
    "Jane.Roe+ops@Mail.Example.org",
  ],
  ["write to jane.roe+ops@mail.example.org!", "mail.example.org", "example.org", "jane.roe+ops", "jane roe"],
  ["see https://docs.example.org:8443/a-b/Setup_Guide.html?x=1#top", "docs.example.org", "example.org"],
  ["see https://docs.example.org:8443/a-b/Setup_Guide.html?x=1#top", "https://docs.example.org:8443/a-b/"],
  ["see https://docs.example.org:8443/a-b/Setup_Guide.html?x=1#top", "setup_guide.html", "setup guide"],
  ["edit /etc/app/conf.d/20-x.conf", "/etc/app/conf.d/20-x.conf", "conf.d", "20-x.conf", "etc app"],
  ["in C:\\Program Files\\App\\run.exe", "C:\\Program Files\\App\\run.exe", "run.exe", "program files app"],
  ["call get_user_name()", "get_user_name", "getUserName", "get user name", "GET_USER_NAME", "getusername"],
  ["call db.getUserName()", "db.getUserName", "getUserName", "getusername", "get user name", "get_user_name"],
  [
    "a NullPointerException in parseHTTPReply",
    "NullPointerException",
    "null pointer exception",
    "http reply",
  ],
  ["see lib.core.parse_header", "lib.core.parse_header", "header", "parse header"],
  ["ping 192.168.10.17/24", "192.168.10.17", "192.168.10.17/24", "192.168", "17"],
  ["at 2001:db8::ff00:42:8329 and ::1", "2001:db8::ff00:42:8329", "2001:DB8::FF00:42:8329"],
  ["port 00:1B:44:11:3A:B7 is up", "00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7", "001b44113ab7", "3a b7"],
  ["id 6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "6f9619ff"],
  ["id 6F9619FF-8B86-D011-B42D-00C04FC964FF", "{6F9619FF-8B86-D011-B42D-00C04FC964FF}"],
  ["id 6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff8b86d011b42d00c04fc964ff", "00C04FC964FF"],
  ["ISBN 978-3-16-148410-0", "978-3-16-148410-0", "9783161484100", "isbn 978 3 16 148410 0", "148410"],
  ["call +49 (0)30-901820", "+49 (0)30-901820", "+49 0 30 901820", "901820", "030-901820".slice(1)],
  ["call 555-0134", "555-0134", "5550134", "555 0134"],
  ["due on 2024-05-17 at 10:30", "2024-05-17", "20240517", "2024", "2024 05 17", "10:30"],
  ["it costs $1,234.50 or 1,234,567 EUR", "$1,234.50", "1234.50", "1,234,567", "1234567"],
  ["H2SO4, C6H12O6 and CO2", "h2so4", "C6H12O6", "co2"],
  ["in C++, C#, C++17 or .NET", "C++", "c#", "c++17", ".net", "net"],
  ["about ASP.NET and Node.js", "asp.net", "ASP", "node.js", "node"],
  ["R&D, AT&T, I/O and A/B tests", "r&d", "R&D", "AT&T", "i/o", "I/O", "a/b test"],
  ["使用getUserName函数和x200", "getUserName", "get user name", "x200", "函数", "使用"],
  ["UTF-8 and SHA-256 over x86_64", "utf8", "UTF-8", "sha256", "sha 256", "x86_64", "x86-64"],
];

for (const [text, ...questions] of identifiers) {
  test(`${JSON.stringify(text)} is found by ${questions.join(", ")}`, () => {
    for (const question of questions) {
      assert.ok(
        isFound(question, text),
        `${question}: ${queryTerms(question).join(" ")} in ${indexTerms(text).join(" ")}`,
      );
    }
  });
}

test("an identifier has a separate term, so that texts with only its parts rank lower", () => {
  for (const identifier of [
    "AX-2040",
    "E_CONN_RESET",
    "2.11.3-rc1",
    "192.168.10.17",
    "a.b@example.org",
    "getUserName",
    "C++",
  ]) {
    const parts = identifier.replaceAll(/[^A-Za-z0-9]|(?=[A-Z][a-z])/g, " ");
    assert.ok(!isFound(identifier, parts), identifier);
  }
  assert.ok(!isFound("10-12", "room 1012"));
  assert.ok(!isFound("10:30", "room 1030") && !isFound("1030", "at 10:30"));
  assert.ok(!isFound("java", "written in JavaScript"));
});

test("IT and WHO are names in capitals, but pronouns in lower case and among other capitals", () => {
  for (const text of [
    "ask the IT department",
    "IT",
    "our HR, IT and legal teams",
    "the I.T. of a firm",
    "an IT-Manager",
  ]) {
    assert.ok(isFound("IT", text), text);
  }
  assert.ok(isFound("WHO", "the WHO's guidelines") && isFound("What does the WHO say?", "WHO says no"));
  for (const text of ["it was he who did it", "WHO IS IT", "It is. Who?", "EXIT", "ITX"]) {
    assert.ok(!indexTerms(text).some((term) => term === "it" || term === "who"), text);
  }
  assert.deepEqual(queryTerms("to be or not to be, who are you?"), []);
});

test("hyphenated words, initials and grouped numbers are found as one term", () => {
  assert.ok(isFound("email", "send an e-mail"));
  assert.ok(isFound("USA", "made in the U.S.A."));
  assert.ok(isFound("1234567", "costs 1,234,567 crowns"));
  assert.deepEqual(indexTerms("pi is 3.14"), ["pi", "3.14"]);
});

test("Chinese and Japanese are found by pairs of characters, and by one if the question has only one", () => {
  assert.deepEqual(queryTerms("東京都 2020年に 猫"), ["東京", "京都", "2020", "年に", "猫"]);
  assert.deepEqual([...indexTerms("東京都")].sort(), ["東", "京", "都", "東京", "京都"].sort());
  assert.deepEqual(indexTerms("猫"), ["猫"]);
  assert.ok(isFound("京", "東京都") && isFound("京都", "東京都") && !isFound("東都", "東京都"));
});

test("Thai, Lao, Khmer and Burmese are found by words, also inside a run", () => {
  assert.deepEqual(queryTerms("ภาษาไทยเป็นภาษา"), ["ภาษา", "ไทย", "เป็น", "ภาษา"]);
  assert.deepEqual(indexTerms("กินน้ำทำงาน"), ["กิน", "น้ำ", "ทำงาน"]);
  for (const [question, text] of [
    ["ไทย", "ภาษาไทยเป็นภาษา"],
    ["ภาษาไทย", "เป็นภาษาไทย 2567"],
    ["ລາວ", "ພາສາລາວເປັນພາສາ"],
    ["ផ្លូវការ", "ជាផ្លូវការ"],
    ["စကား", "မြန်မာဘာသာစကားသည်"],
  ] as const) {
    assert.ok(isFound(question, text), `${question} in ${indexTerms(text)}`);
  }
});

test("other scripts are found by whole words", () => {
  assert.deepEqual(indexTerms("Красная площадь, Ἀθῆναι"), ["красная", "площадь", "αθηναι"]);
});

test("the length of a text is the number of its terms as a question, and its terms include all of these", () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."aB1-._@:/, 漢字ไทยกIT\u0001"), maxLength: 80 }),
    fc.constantFrom(...identifiers.map(([text]) => text)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { terms, length } = indexedTerms(text);
      const question = queryTerms(text);
      assert.equal(length, question.length);
      assert.deepEqual(terms, indexTerms(text));
      assert.ok(question.every((term) => terms.includes(term)));
    }),
    { numRuns: 300 },
  );
  assert.equal(indexedTerms("東京都").length, 2);
  assert.equal(indexedTerms("getUserName").length, 1);
});

test("overlong terms keep their beginning and remain distinct", () => {
  const [one, other] = [`${"k".repeat(200)}1`, `${"k".repeat(200)}2`].map((text) => indexTerms(text));
  assert.equal(one?.[0]?.length, MAX_TERM_LENGTH);
  assert.notDeepEqual(one, other);
  assert.deepEqual(one, indexTerms(`${"K".repeat(200)}1`));
  const longest = "k".repeat(MAX_TERM_LENGTH);
  assert.deepEqual(indexTerms(longest), [longest]);
  for (const text of ["𐐨".repeat(60), `a${"𐐨".repeat(60)}`]) assert.ok(indexTerms(text)[0]?.isWellFormed());
});

test("any text gives bounded, well-formed, lower-case terms without spaces", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(..."ab1-._@'&+,:/ \u0301\ud800\u0001BI漢กß’#"), maxLength: 300 }),
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

test("the time for hostile texts grows with their length alone", async () => {
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
    "aB",
    "AaBb",
    "ไทย",
    "ก",
    "漢",
    "00:",
    "a/",
    "IT ",
    "1.",
    ".a",
  ];
  await assertLinear("terms", 20_000, (length) => {
    for (const unit of hostile) indexTerms(unit.repeat(length / unit.length));
  });
});

test("a cached stem equals the uncached one after the cache was cleared", () => {
  const stem = createCachedStem({ maxEntries: 2 });
  for (const word of ["running", "runs", "easily", "running", "running", "is", "generalizations", "runs"]) {
    assert.equal(stem(word), stemWord(word));
  }
});
