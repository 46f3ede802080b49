import assert from "node:assert/strict";
import { test } from "node:test";
import { rankingOf, rankMatches } from "./ranked-entities.ts";

const entity = (entity_id: string, name: string, type = "Place") => ({ entity_id, name, type });
const found = (entity_id: string, name: string, aliases: readonly string[] = []) => ({
  ...entity(entity_id, name),
  aliases,
});

const ranking = rankingOf({
  entities: [
    { ...entity("2", "Elm Street"), degree: 3 },
    { ...entity("1", "Élm Harbour"), degree: 12 },
    { ...entity("3", "Elm House", "Firm"), degree: 5 },
  ],
  connected_entities: 3,
  is_complete: true,
});

test("what is found comes by the number of relationships, exact names first", () => {
  const matches = rankMatches(
    [found("9", "Elm Alley"), found("8", "Old Mill", ["ELM"]), found("2", "Elm Street")],
    {
      ...{ ranking, find: "elm", type: null },
    },
  );
  assert.deepEqual(
    matches.map(({ name, relationships }) => [name, relationships]),
    [
      ["Old Mill", 0],
      ["Élm Harbour", 12],
      ["Elm House", 5],
      ["Elm Street", 3],
      ["Elm Alley", 0],
    ],
  );
});

test("of a part of the graph nothing is said of what is not in it, and a type is kept to", () => {
  const part = { ...ranking, isAll: false };
  const matches = rankMatches([found("9", "Elm Alley")], { ranking: part, find: "elm", type: "Place" });
  assert.deepEqual(
    matches.map(({ name, relationships }) => [name, relationships]),
    [
      ["Élm Harbour", 12],
      ["Elm Street", 3],
      ["Elm Alley", null],
    ],
  );
});
