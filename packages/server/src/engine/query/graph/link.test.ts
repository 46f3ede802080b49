import assert from "node:assert/strict";
import { test } from "node:test";
import { focusOf, linkMentioned, linkNames, restOfQuestion } from "./link.ts";
import type { NamedPassages, NameLookup } from "./name-lookup.ts";

function lookupOf(titles: readonly string[], about: Partial<NamedPassages> = {}): NameLookup {
  const passages = [{ versionId: 1, position: 0, name: "", kind: "title" as const }];
  return {
    async find(names) {
      const known = names.filter((name) => titles.includes(name));
      return new Map(known.map((name) => [name, { documents: 1, passages, isSynonym: false, ...about }]));
    },
  };
}

const namesOf = async (question: string, lookup: NameLookup) =>
  (await linkNames(question, lookup)).map(({ name }) => name);

test("the longest name is linked, not the names inside it", async () => {
  const lookup = lookupOf(["holm", "ada holm", "ada", "gate"]);
  assert.deepEqual(await namesOf("Did Ada Holm build a Gate?", lookup), ["ada holm", "gate"]);
});

test("names that touch each other are both linked", async () => {
  assert.deepEqual(await namesOf("東京タワーSony", lookupOf(["東京タワー", "sony"])), ["東京タワー", "sony"]);
});

test("a lower-case word is not a name in a question with capitalised names", async () => {
  assert.deepEqual(await namesOf("Which bridge did Ada Holm build?", lookupOf(["bridge", "ada holm"])), [
    "ada holm",
  ]);
});

test("a capital at the start of a sentence makes at most an uncertain name", async () => {
  const linked = await linkNames("Avalanches kill. Bridges fall.", lookupOf(["avalanches", "bridges"]));
  assert.deepEqual(
    linked.filter(({ isUncertain }) => !isUncertain),
    [],
  );
});

test("a name that too many documents are about is not linked", async () => {
  assert.deepEqual(await namesOf("Who is Ada Holm?", lookupOf(["ada holm"], { documents: 500 })), []);
});

test("a name that passages only mention is linked without passages about it", () => {
  const linked = linkMentioned("Did Ada Holm meet Bo Lind?", [], new Set(["bo lind", "meet"]));
  assert.deepEqual(
    linked.map(({ name, about }) => [name, about.documents]),
    [["bo lind", 0]],
  );
});

test("the rest of a question has no linked name, and is the whole question if nothing would remain", async () => {
  const lookup = lookupOf(["ada holm", "silver gate"]);
  const question = "Did Ada Holm film Silver Gate?";
  assert.equal(restOfQuestion(question, await linkNames(question, lookup)), "Did film ?");
  assert.equal(restOfQuestion("Ada Holm?", await linkNames("Ada Holm?", lookup)), "Ada Holm?");
});

test("names have less weight in a question as long as an abstract", () => {
  assert.equal(focusOf("Who is Ada Holm?"), 1);
  assert.ok(focusOf("word ".repeat(100)) < 0.1);
});
