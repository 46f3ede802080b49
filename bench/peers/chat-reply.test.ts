import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { replyTo } from "./chat-reply.ts";

const PASSAGE = "Larkspur Mill\nIt was built by Odile Brandt.";

const ask = (last: string, before = "") => replyTo({ last, all: `${before}\n${last}` });

describe("LightRAG's prompts", () => {
  const extract = (text: string) => `---Task---\n---Input Text---\n\`\`\`\n${text}\n\`\`\`\n\n---Output---\n`;

  test("extraction gives rows of entities and relations of the passage, not of the system's example", () => {
    const system =
      "from the `---Input Text---` section\n---Output Format Template---\nentity<|#|><entity_name>";
    assert.equal(
      ask(extract(PASSAGE), system),
      [
        "entity<|#|>Larkspur Mill<|#|>Concept<|#|>It was built by Odile Brandt.",
        "entity<|#|>Odile Brandt<|#|>Other<|#|>Odile Brandt is named with Larkspur Mill.",
        "relation<|#|>Larkspur Mill<|#|>Odile Brandt<|#|>names<|#|>The passage on Larkspur Mill names Odile Brandt.",
        "<|COMPLETE|>",
      ].join("\n"),
    );
  });

  test("what was missed is nothing, also when the first prompt is in the history", () => {
    const more = "identify and extract any missed or incorrectly formatted entities";
    assert.equal(ask(more, extract(PASSAGE)), "<|COMPLETE|>");
  });

  test("keywords are the question's names and its long words", () => {
    const prompt =
      '{"low_level_keywords": []}\nUser Query: Who founded Larkspur Mill and its garden?\n\n---Output---\n';
    assert.deepEqual(JSON.parse(ask(prompt)), {
      high_level_keywords: ["founded", "garden"],
      low_level_keywords: ["Larkspur Mill"],
    });
  });

  test("a question without either is its own keyword", () => {
    const prompt = "low_level_keywords\nUser Query: who is it?\n\n---Output---\n";
    assert.deepEqual(JSON.parse(ask(prompt)), {
      high_level_keywords: ["who is it?"],
      low_level_keywords: ["who is it?"],
    });
  });
});

describe("nano-graphrag's prompts", () => {
  const extract = `relationship_strength\nText: An example.\n######################\nOutput:\nno\nText: ${PASSAGE}\n######################\nOutput:\n`;

  test("extraction gives records of the last text, which is the passage", () => {
    assert.equal(
      ask(extract),
      [
        '("entity"<|>"Larkspur Mill"<|>"event"<|>"It was built by Odile Brandt.")',
        '("entity"<|>"Odile Brandt"<|>"person"<|>"Odile Brandt is named with Larkspur Mill.")',
        '("relationship"<|>"Larkspur Mill"<|>"Odile Brandt"<|>"The passage on Larkspur Mill names Odile Brandt."<|>5)<|COMPLETE|>',
      ].join("##"),
    );
  });

  test("more is not there", () => {
    assert.equal(ask("MANY entities were missed in the last extraction.", extract), "<|COMPLETE|>");
    assert.equal(ask("It appears some entities may have still been missed. Answer YES | NO", extract), "NO");
  });

  test("a report on a community is JSON with a rating", () => {
    const { rating, findings } = JSON.parse(ask('{"rating": 1, "rating_explanation": ""}')) as {
      readonly rating: unknown;
      readonly findings: unknown;
    };
    assert.ok(typeof rating === "number" && Array.isArray(findings));
  });
});

test("whatever else is asked is answered with a sentence", () => {
  assert.match(ask("Summarize."), /\.$/);
});
