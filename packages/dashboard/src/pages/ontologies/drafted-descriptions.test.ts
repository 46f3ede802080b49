import assert from "node:assert/strict";
import { test } from "node:test";
import { describeEdge, describeType } from "../../../../server/src/engine/ontology/suggest/describe.ts";
import { withDraftedDescriptions } from "./drafted-descriptions.ts";
import type { Json } from "./json-value.ts";
import {
  type EdgeTypeDraft,
  emptySchema,
  type NodeTypeDraft,
  printSchema,
  readDraft,
  withEdgeType,
  withNodeType,
} from "./schema-draft.ts";

const node = (name: string, given: Partial<NodeTypeDraft> = {}): NodeTypeDraft => ({
  ...{ name, level: 0, description: "", properties: [], aggregates: [] },
  ...given,
});
const edge = (name: string, sources: readonly string[], targets: readonly string[]): EdgeTypeDraft => ({
  ...{ name, sources, targets, description: "", properties: [], isTemporal: false, isFunctional: false },
});

/** As the service drafts it. */
function drafted(nodes: readonly NodeTypeDraft[], edges: readonly EdgeTypeDraft[]): Json {
  const written = edges.map((each) => ({ ...each, sourceTypes: each.sources, targetTypes: each.targets }));
  const withNodes = nodes.reduce<Json>(
    (schema, type) =>
      withNodeType(schema, null, { ...type, description: type.description || describeType(type, written) }),
    emptySchema,
  );
  return written.reduce(
    (schema, each) => withEdgeType(schema, null, { ...each, description: describeEdge(each) }),
    withNodes,
  );
}

const nodes = [
  node("Keeper", { properties: ["first_name"] }),
  node("Animal"),
  node("CargoShip"),
  node("Guild", { level: 1, aggregates: ["Keeper"] }),
  node("Cage", { description: "Where animals sleep." }),
];
const edges = [
  edge("FEEDS", ["Keeper"], ["Animal", "CargoShip"]),
  edge("HELD_BY", ["Animal"], ["Keeper"]),
  edge("HAS_CAGE", ["CargoShip"], ["Cage"]),
];
const schema = drafted(nodes, edges);
const described = (of: Json) =>
  Object.fromEntries(readDraft(of).nodeTypes.map(({ name, description }) => [name, description]));

test("nothing changes in a draft of the service while its relationships stay: it is worded as the service words it", () => {
  assert.equal(printSchema(withDraftedDescriptions(schema, schema)), printSchema(schema));
  const withExtra = withNodeType(schema, null, node("Visitor"));
  assert.deepEqual(described(withDraftedDescriptions(schema, withExtra)), {
    ...described(schema),
    Visitor: "",
  });
});

test("the name of a relationship that is one word is a verb", () => {
  const acquired = edge("ACQUIRED", ["Guild"], ["Guild"]);
  const own = drafted([node("Guild")], [acquired]);
  assert.equal(described(own)["Guild"], "A guild: acquired a guild.");
  assert.equal(printSchema(withDraftedDescriptions(own, own)), printSchema(own));
});

test("the description of a drafted type says no longer what a removed relationship said", () => {
  assert.equal(described(schema)["Keeper"], "A keeper: feeds an animal or a cargo ship; has first name.");
  const without = withDraftedDescriptions(schema, withEdgeType(schema, 0, null));
  assert.deepEqual(described(without), {
    ...described(schema),
    Keeper: "A keeper: an animal is held by it; has first name.",
  });
});

test("a type that is removed or renamed is so in the descriptions of the others, which relationships have, too", () => {
  const gone = withDraftedDescriptions(schema, withNodeType(schema, "CargoShip", null));
  assert.equal(described(gone)["Keeper"], "A keeper: feeds an animal; has first name.");
  const beast = { ...node("Beast"), description: described(schema)["Animal"] ?? "" };
  const renamed = withDraftedDescriptions(schema, withNodeType(schema, "Animal", beast));
  assert.equal(described(renamed)["Keeper"], "A keeper: feeds a beast or a cargo ship; has first name.");
  assert.equal(described(renamed)["Beast"], "A beast: is held by a keeper.");
  assert.equal(readDraft(renamed).edgeTypes[0]?.description, "A keeper feeds a beast or a cargo ship.");
});

test("where texts are read under the earlier name of a type, the descriptions by which they are read stay", () => {
  const beast = { ...node("Beast"), readAs: "Animal", description: described(schema)["Animal"] ?? "" };
  const renamed = withDraftedDescriptions(schema, withNodeType(schema, "Animal", beast));
  const { Animal: animal, ...others } = described(schema);
  assert.deepEqual(described(renamed), { ...others, Beast: animal });
  const later = withDraftedDescriptions(renamed, withEdgeType(renamed, 0, null));
  assert.equal(described(later)["Keeper"], "A keeper: an animal is held by it; has first name.");
});

test("what a person wrote stays, also where it was written together with the change", () => {
  const own = { ...node("Keeper"), description: "Whoever has keys." };
  const written = withDraftedDescriptions(schema, withNodeType(schema, "Keeper", own));
  assert.equal(described(written)["Keeper"], "Whoever has keys.");
  const later = withDraftedDescriptions(written, withEdgeType(written, 0, null));
  assert.equal(described(later)["Keeper"], "Whoever has keys.");
  assert.equal(described(later)["Cage"], "Where animals sleep.");
});
