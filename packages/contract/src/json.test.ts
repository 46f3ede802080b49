import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jsonPieces, LazyList, RawJson, rawMember, rawMembersOf, stringifyJson } from "./json.ts";

test("a member keeps the text it was sent with", () => {
  const json = '{ "name" : "a\\"}", "schema": {"n": 1.0, "big": 12345678901234567890, "2": [ ], "1": {}} }';
  assert.equal(rawMember(json, "schema")?.text, '{"n": 1.0, "big": 12345678901234567890, "2": [ ], "1": {}}');
});

test("the last of repeated members counts, as in JSON.parse, and escapes in names are read", () => {
  assert.equal(rawMember('{"a":1,"\\u0061":2}', "a")?.text, "2");
});

test("members of a member are those of that member's own text", () => {
  for (const json of [
    '{"a":1,"o":{"x":[1, {"}":2}],"y":{}},"z":{"x":3}}',
    '{"o":{"x":1},"o":{"y":2}}',
    '{"o":{"x":1},"o":[2]}',
    ' { "o" : { "x" : "}" , "x" : "\\"" } } ',
    '{"x":1}',
    "[1]",
  ]) {
    const outer = rawMember(json, "o");
    const partOf = rawMembersOf(json, "o");
    for (const name of ["x", "y", "z"])
      assert.deepEqual(partOf(name), outer === null ? null : rawMember(outer.text, name), `${json} ${name}`);
  }
});

test("a missing member and a text that is not an object give null", () => {
  assert.equal(rawMember("{}", "a"), null);
  assert.equal(rawMember("[1]", "a"), null);
});

test("any member of any object parses to the same value as in the whole text", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
      const json = JSON.stringify(object, null, indent);
      const parsed = JSON.parse(json) as Record<string, unknown>;
      for (const name of Object.keys(parsed)) {
        const raw = rawMember(json, name);
        assert.ok(raw);
        assert.deepEqual(JSON.parse(raw.text), parsed[name]);
      }
    }),
  );
});

test("stringifyJson equals JSON.stringify on plain data and inserts raw text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(stringifyJson(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
  assert.equal(stringifyJson({ a: new RawJson("1.0"), b: undefined, c: [null] }), '{"a":1.0,"c":[null]}');
});

test("the pieces of a value join to its text, and a long string or raw text has many", () => {
  const check = (value: unknown) => assert.equal([...jsonPieces(value)].join(""), stringifyJson(value));
  fc.assert(fc.property(fc.jsonValue(), check));
  for (const value of [[], {}, [undefined, null], { a: undefined, b: new RawJson("1.0"), c: [{}] }])
    check(value);
  for (const start of ["", "a", "ab"]) {
    const text = start + "\u0001😀".repeat(200_000);
    check({ text });
    const raw = new RawJson(JSON.stringify(text));
    check(raw);
    for (const item of [text, raw]) {
      const pieces = [...jsonPieces({ list: [item] })];
      assert.ok(pieces.every((piece) => piece.length < 400_000 && piece.isWellFormed()));
    }
  }
});

test("a lazy list is written as a list, and its items are made one by one", () => {
  let made = 0;
  const itemAt = (at: number) => {
    made++;
    return at === 1 ? undefined : { at };
  };
  const list = new LazyList({ length: 3, itemAt, heldBytes: 12 });
  assert.equal(stringifyJson({ list, more: 1 }), '{"list":[{"at":0},null,{"at":2}],"more":1}');
  assert.equal([...jsonPieces({ list })].join(""), '{"list":[{"at":0},null,{"at":2}]}');
  assert.equal(stringifyJson([new LazyList({ length: 0, itemAt, heldBytes: 0 })]), "[[]]");
  made = 0;
  const pieces = jsonPieces({ list });
  while (pieces.next().value !== '{"at":0}');
  assert.equal(made, 1);
});
