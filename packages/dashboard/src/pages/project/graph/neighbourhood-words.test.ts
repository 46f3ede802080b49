import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbourhoodWords } from "./neighbourhood-words.ts";
import { sceneAround } from "./scene.ts";

const end = (entity_id: string) => ({ entity_id, name: entity_id, type: "Person" });
const relationship = (source: string, target: string) => ({
  ...{ relationship_id: `${source} ${target}`, type: "KNOWS", source: end(source), target: end(target) },
  ...{ chunks: 1, confidence: 1, valid_from: null, valid_to: null },
});
const detail = (id: string, others: readonly string[]) => ({
  ...{ ...end(id), aliases: [], properties: {}, chunks: 1, evidence: [], history: [] },
  relationships: others.map((other) => relationship(id, other)),
});

test("the words say how many relationships are drawn, of how many, and how many more were added", () => {
  const words = (details: readonly ReturnType<typeof detail>[], total: number | null = null) => {
    const [centre] = details;
    assert.ok(centre !== undefined);
    return neighbourhoodWords(centre, {
      ...{ scene: sceneAround(details), total, expanded: details.length - 1, isNow: true },
    });
  };
  const [porto, maria] = [detail("Porto", ["Maria", "Tomas"]), detail("Maria", ["Porto", "Nordvik", "Cork"])];
  assert.equal(words([porto]), "All 2 relationships of Porto");
  assert.equal(words([porto, maria]), "All 2 relationships of Porto, and 2 more with 1 expanded entity");
  assert.equal(words([detail("Cork", ["Odile"])]), "The only relationship of Cork");
  assert.equal(words([detail("Cork", [])]), "Cork has no relationship");
  const many = detail(
    "Rome",
    Array.from({ length: 100 }, (_, at) => `Person ${at}`),
  );
  assert.equal(words([many], 150), "The 60 best supported of 150 relationships of Rome");
  assert.equal(words([many]), "The 60 best supported relationships of Rome");
});
