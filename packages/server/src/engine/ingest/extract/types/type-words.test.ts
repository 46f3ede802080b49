import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import type { NodeType } from "../../../../domain/ontology-schema.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import { weighTypeWords } from "./type-words.ts";

function typeOf(name: string, description: string): NodeType {
  return { name, description, level: 0, properties: [], aliases: [], examples: [], aggregates: [] };
}

test("a word of a description counts for the only type whose description has it", () => {
  const types = [
    typeOf("River", "A stream of water that reaches the sea"),
    typeOf("Lake", "A body of water that has no tide"),
  ];
  const [river, lake] = weighTypeWords(types, createTriggerStem());
  assert.equal(river?.get("stream"), 0.8);
  assert.equal(lake?.get("tide"), 0.4);
  assert.deepEqual([river?.has("water"), lake?.has("water")], [false, false]);
});

test("weighing the words of many types is linear in their number", async () => {
  await assertLinear("types", 250, (count) => {
    const words = (type: number) => Array.from({ length: 12 }, (_, at) => `word${type}x${at}`).join(" ");
    const types = Array.from({ length: count }, (_, type) => typeOf(`Type${type}`, words(type)));
    weighTypeWords(types, (word) => word);
  });
});
