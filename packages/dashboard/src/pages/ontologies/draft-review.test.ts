import assert from "node:assert/strict";
import { test } from "node:test";
import { findWordsIn, typesWithoutRelationship } from "./draft-review.ts";
import type { EdgeTypeDraft } from "./schema-draft.ts";

function edge(name: string, source: string, target: string): EdgeTypeDraft {
  const rest = { description: "", properties: [], isTemporal: false, isFunctional: false };
  return { name, sources: [source], targets: [target], ...rest };
}

const type = (name: string, aggregates: readonly string[] = []) => ({
  ...{ name, aggregates, description: "", properties: [] },
  level: aggregates.length > 0 ? 1 : 0,
});

test("types that nothing joins are found; grouping counts as joining", () => {
  const nodeTypes = [type("Skipper"), type("Barge"), type("Lock"), type("Tug"), type("Fleet", ["Tug"])];
  const found = typesWithoutRelationship({ nodeTypes, edgeTypes: [edge("STEERS", "Skipper", "Barge")] });
  assert.deepEqual(found, ["Lock"]);
});

/** With what is named in brackets. */
function wordsFor(description: string, each: EdgeTypeDraft): string | null {
  const parts = findWordsIn(description)(each);
  return parts?.map(({ text, isNamed }) => (isNamed ? `[${text}]` : text)).join("") ?? null;
}

test("an edge type is shown with the words that name its ends and its verb", () => {
  const description =
    "We keep papers on barges. Shipping companies own barges, tugs and locks. Skippers steer barges daily.";
  assert.equal(
    wordsFor(description, edge("OWNS", "ShippingCompany", "Barge")),
    "Shipping [companies] [own] [barges], tugs and locks",
  );
  assert.equal(
    wordsFor(description, edge("STEERS", "Skipper", "Barge")),
    "[Skippers] [steer] [barges] daily",
  );
});

test("a wrong edge type is shown with what was misread", () => {
  const description =
    "On the rivers and canals each barge has skippers, mates and owners who run it, and guilds trained them";
  assert.equal(
    wordsFor(description, edge("TRAINS", "Guild", "Owner")),
    "… each barge has skippers, mates and [owners] who run it, and [guilds] [trained] them",
  );
});

test("a name of an end is not taken for the verb, and a sentence is preferred to a list", () => {
  const listed = "Entities: Skipper, Barge, Director\nRelationships: Director -> DIRECTED -> Barge";
  assert.equal(
    wordsFor(listed, edge("DIRECTED", "Director", "Barge")),
    "Relationships: [Director] -> [DIRECTED] -> [Barge]",
  );
  const irregular = "We need barges, skippers. The skippers bought barges in spring";
  assert.equal(
    wordsFor(irregular, edge("BUYS", "Skipper", "Barge")),
    "The [skippers] bought [barges] in spring",
  );
});

test("words of compound names are neither the other end nor the verb", () => {
  assert.equal(
    wordsFor("The barge owner owns a barge", edge("OWNS", "BargeOwner", "Barge")),
    "The barge [owner] [owns] a [barge]",
  );
  assert.equal(
    wordsFor("Training firms trained mates", edge("TRAINS", "TrainingFirm", "Mate")),
    "Training [firms] [trained] [mates]",
  );
});

test("where no sentence names both ends there are no words", () => {
  const description = "A barge has a skipper; harbours have a mayor";
  assert.equal(wordsFor(description, edge("KNOWS", "Skipper", "Mayor")), null);
  assert.equal(wordsFor(description, edge("MEETS", "Mayor", "Mayor")), null, "one mention is not two ends");
});

test("the work for a long sentence does not grow with the pairs of its words", () => {
  const words = wordsFor("barges meet ".repeat(50_000), edge("MEETS", "Barge", "Barge"));
  assert.match(words ?? "", /^\[barges\] \[meet\] \[barges\] meet .* …$/);
});
