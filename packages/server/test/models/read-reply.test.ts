import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readReply } from "../../src/adapters/models/language/read-reply.ts";
import { assertLinear } from "../support/growth.ts";

const facts = {
  facts: [
    { a: "one", n: [1, 2] },
    { a: 'two "quoted" {braces}', n: [] },
  ],
};
const json = JSON.stringify(facts);

describe("a structured reply", () => {
  test("that is JSON is taken as it is, without a repair", () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(readReply(`\n${text} `), { value: JSON.parse(text), repairs: 0 });
      }),
    );
  });

  test("is repaired up to a length; a longer one that is broken has no value, in linear time", async () => {
    const quoted = (length: number) => `{a: [${"'x', ".repeat(length / 5)}]}`;
    assert.notEqual(readReply(quoted(300)).value, null);
    assert.equal(readReply(quoted(80 * 1024)).value, null);
    const broken = (length: number) => `{a:[${"'x".repeat(length / 2)}]}`;
    await assertLinear("broken replies", 1024, (length) => readReply(broken(length)));
    await assertLinear("brackets", 40 * 1024, (length) => readReply("[".repeat(length)));
    const long = JSON.stringify({ facts: "x".repeat(100_000) });
    assert.equal(readReply(long).repairs, 0);
    assert.equal(readReply(JSON.stringify({ facts: "x".repeat(150_000) })).value, null);
  });

  test("is searched in linear time, whatever brackets stand before it", async () => {
    const hostile: Record<string, (size: number) => string> = {
      commas: (size) => "{".repeat(size / 400) + ",".repeat(size),
      arrays: (size) => "{".repeat(size / 400) + "[],".repeat(size / 3),
      objects: (size) => "{".repeat(size / 400) + "{},".repeat(size / 3),
    };
    for (const [name, textOf] of Object.entries(hostile)) {
      await assertLinear(name, 6_000, (size) => readReply(textOf(size)));
    }
    const startsAndItems = (size: number) => `${'{"a":'.repeat(size / 7_500)}[${"[],".repeat(size / 3)}x,`;
    await assertLinear("starts", 30_000, (size) => readReply(startsAndItems(size)));
  });

  test("is found in a fence, among talk and braces, and behind a model's thoughts", () => {
    const replies = [
      `\`\`\`json\n${json}\n\`\`\``,
      `Sure! As {you} asked [1]:\n${json}\nAnything else {like this}?`,
      `I wonder whether { is right. ${json}`,
    ];
    for (const reply of replies) assert.deepEqual(readReply(reply), { value: facts, repairs: 1 }, reply);
    const thought = `<think>maybe {"facts": []}?</think>\n${json}`;
    assert.deepEqual(readReply(thought), { value: facts, repairs: 0 });
  });

  test("with faults of grammar is mended", () => {
    const mended = [`{facts: [{'a': 'one', n: [1, 2,]}],}`, `{"facts": [{"a": "one" "n": [1, 2]}]}`];
    for (const reply of mended) {
      assert.deepEqual(readReply(reply), { value: { facts: [{ a: "one", n: [1, 2] }] }, repairs: 1 }, reply);
    }
  });

  test("that was cut off keeps its whole items, and never half of one", () => {
    const items = facts.facts.map((fact) => JSON.stringify(fact));
    for (let length = 1; length < json.length; length++) {
      const { value } = readReply(json.slice(0, length));
      const kept = (value as { facts?: unknown[] } | null)?.facts ?? []; // Looked at below.
      assert.deepEqual(
        kept.map((item) => JSON.stringify(item)),
        items.slice(0, kept.length),
        json.slice(0, length),
      );
    }
    assert.deepEqual(readReply(json.slice(0, -5)).value, { facts: facts.facts.slice(0, 1) });
  });

  test("without JSON in it has no value", () => {
    for (const reply of [
      "",
      "I cannot do that.",
      "null",
      "42",
      '"text"',
      "}{",
      "[[[[",
      "{",
      "```json\n```",
    ]) {
      const { value } = readReply(reply);
      const isEmpty = value === null || Object.keys(value as object).length === 0;
      assert(isEmpty || Array.isArray(value), `${reply} → ${JSON.stringify(value)}`);
    }
    assert.equal(readReply("I cannot do that.").value, null);
  });

  test("of any kind is read without an error, and quickly", () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void readReply(text)));
    const hostile = [
      "[".repeat(100_000),
      '{"a":'.repeat(50_000),
      `${"{".repeat(63)}"`.repeat(1_000),
      '"'.repeat(99_999),
    ];
    const began = performance.now();
    for (const text of hostile) readReply(text);
    assert(performance.now() - began < 2_000);
  });
});
