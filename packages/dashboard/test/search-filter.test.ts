import assert from "node:assert/strict";
import { test } from "node:test";
import { type Condition, conditionFault, metadataFilter } from "../src/pages/project/ask/search-filter.ts";

const is = (key: string, value: string): Condition => ({ key, relation: "is", value });
const atLeast = (key: string, value: string): Condition => ({ key, relation: "atLeast", value });
const atMost = (key: string, value: string): Condition => ({ key, relation: "atMost", value });

test("values of one key are alternatives, and a number is meant as text, too", () => {
  assert.deepEqual(metadataFilter([is("lang", "de"), is(" lang ", "en"), is("year", "1931")]), {
    lang: ["de", "en"],
    year: ["1931", 1931],
  });
});

test("bounds of one key hold together, the narrower of two", () => {
  assert.deepEqual(
    metadataFilter([atLeast("year", "1900"), atMost("year", "1950"), atLeast("year", "1910")]),
    {
      year: { gte: 1910, lte: 1950 },
    },
  );
});

test("what is not written yet asks nothing", () => {
  assert.equal(metadataFilter([is("", "de"), is("lang", " ")]), null);
  assert.deepEqual(metadataFilter([is("lang", "de"), is("", "")]), { lang: ["de"] });
});

test("a key may have any name", () => {
  assert.deepEqual(JSON.stringify(metadataFilter([is("__proto__", "x")])), '{"__proto__":["x"]}');
});

test("a bound that is no number, or beside a value, is told", () => {
  const early = atLeast("year", "early");
  assert.match(conditionFault(early, [early]) ?? "", /number/);
  const bound = atLeast("year", "1900");
  assert.equal(conditionFault(bound, [bound]), null);
  assert.match(conditionFault(bound, [bound, is("year", "1931")]) ?? "", /already has an exact value/);
  assert.equal(conditionFault(is("year", "early"), [early]), null);
});
