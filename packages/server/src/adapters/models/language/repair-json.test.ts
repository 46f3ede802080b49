import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { repairJson } from "./repair-json.ts";

test("JSON without a fault is read as JSON.parse reads it", () => {
  const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(container, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      // "..." alone stands for what was left out, and a number with many digits is a text.
      fc.pre(!text.includes('"..."') && !/\d{18}/.test(text));
      assert.deepEqual(repairJson(text), JSON.parse(text));
    }),
  );
});

const read = { facts: [{ a: "one, two", n: [1, 2], b: null }, { a: "three" }] };

test("the faults that models make are repaired", () => {
  const faulty: Record<string, string> = {
    "names without quotes": '{facts: [{a: "one, two", n: [1, 2], b: null}, {a: "three"}]}',
    "other quotes": `{'facts': [{“a”: “one, two”, n: [1, 2], ‘b’: null}, {\`a\`: 'three'}]}`,
    "commas too many": '{"facts": [,{"a": "one, two",, "n": [1, 2,], "b": null,}, {"a": "three"},],}',
    "commas too few": '{"facts": [{"a": "one, two" "n": [1, 2], "b": null} {"a": "three"}]}',
    "no comma at the end of a line": '{"facts": [{"a": "one, two"\nn: [1\n2]\nb: null}\n{"a": "three"}]}',
    "Python's words": '{"facts": [{"a": "one, two", "n": [1, 2], "b": None}, {"a": "three"}]}',
    comments: '{"facts": [/* both */ {"a": "one, two", // first\n"n": [1, 2], "b": null}, {"a": "three"}]}',
    "items left out": '{"facts": [{"a": "one, two", "n": [1, 2], "b": null, ...}, {"a": "three"}, ...]}',
    "a missing end quote": '{"facts": [{"a": "one, two, "n": [1, 2], "b": null}, {"a": "three"}]}',
    "a missing first quote": '{"facts": [{"a": "one, two", "n": [1, 2], "b": null}, {"a": three"}]}',
    "a missing value": '{"facts": [{"a": "one, two", "n": [1, 2], "b":}, {"a": "three"}]}',
    "a missing colon": '{"facts": [{"a" "one, two", "n": [1, 2], "b": null}, {"a": "three"}]}',
  };
  for (const [fault, text] of Object.entries(faulty)) assert.deepEqual(repairJson(text), read, fault);
});

test("a quote within a text belongs to it, and so does a raw line break", () => {
  assert.deepEqual(repairJson('{"a": "the ship "Nordlys" sails", \'b\': \'it\'s late\', "c": "x\ny"}'), {
    a: 'the ship "Nordlys" sails',
    b: "it's late",
    c: "x\ny",
  });
});

test("what can mean anything has no value", () => {
  for (const text of ["", "[", "{a}", "{a: 'b}", "[1] 2", "{[1]: 2}", '{"a": "b', "text", "[: 1]"]) {
    const value = repairJson(text);
    assert.ok(value === null || Object.keys(value).length === 0, `${text} → ${JSON.stringify(value)}`);
  }
});

test("no text makes it fail, and its levels are bounded", () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void repairJson(text)));
  assert.equal(repairJson(`${"[".repeat(1_000)}${"]".repeat(1_000)}`), null);
});

test("any text takes linear time", async () => {
  const heads = ["{a:[", "[", '{"a":"', "{"];
  const units = [
    "'a",
    '"a',
    '"[',
    '"{',
    "“a",
    '", ',
    '" "',
    "'' ",
    '",a',
    '"',
    "/*",
    "//a\n",
    "a ",
    "\\u",
    "’",
  ];
  for (const [at, unit] of units.entries()) {
    const textOf = (size: number) => `${heads[at % heads.length]}${unit.repeat(size / unit.length)}]}`;
    await assertLinear(unit, 8_000, (size) => repairJson(textOf(size)));
  }
});
