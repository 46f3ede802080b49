import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ListedEntity, ListedRelationship } from "../../../ports/graph-store.ts";
import type { HubKind } from "../../graph/gathering.ts";
import { type Element, formGroups, GROUP_LIMITS, type Group } from "./form-groups.ts";

const end = (name: string): ListedEntity => {
  const [type = "", key = ""] = name.split(":");
  return { entityId: name, type, key };
};
/** "Boat:a OWNED_BY Firm:x" */
function relationship(text: string): ListedRelationship {
  const [source = "", type = "", target = ""] = text.split(" ");
  return { type, source: end(source), target: end(target), chunks: 1 };
}
const kind = (type: string, target: string, score: number): HubKind => ({
  kind: { type, sourceType: "Boat", targetType: target },
  isFromMember: true,
  score,
});
const element = (name: string): Element => ({
  key: end(name).key,
  types: new Set(["Boat"]),
  own: [name],
  parts: [],
});
const boats = [..."abcdef"].map((name) => element(`Boat:${name}`));
const format = (groups: readonly Group[]) =>
  groups.map(({ hub, elements }) => `${hub.key}: ${elements.map((at) => "abcdef".charAt(at)).join("")}`);

const facts = [
  "Boat:a OWNED_BY Firm:x",
  "Boat:b OWNED_BY Firm:x",
  "Boat:c OWNED_BY Firm:y",
  "Boat:a LED_BY Captain:k",
  "Boat:c LED_BY Captain:k",
  "Boat:d LED_BY Captain:k",
].map(relationship);

test("groups form around the hubs that the schema scores highest, not around the largest", () => {
  const kinds = [kind("OWNED_BY", "Firm", 2), kind("LED_BY", "Captain", 1)];
  assert.deepEqual(format(formGroups(boats, facts, kinds)), ["x: ab"]);
});

test("of kinds with equal scores the one that covers most elements is used", () => {
  const kinds = [kind("OWNED_BY", "Firm", 1), kind("LED_BY", "Captain", 1)];
  assert.deepEqual(format(formGroups(boats, facts, kinds)), ["k: acd"]);
});

test("without a scored kind each element is in the group of the largest hub", () => {
  const kinds = [kind("OWNED_BY", "Firm", 0), kind("LED_BY", "Captain", 0)];
  assert.deepEqual(format(formGroups(boats, facts, kinds)), ["k: acd"]);
  const more = [...facts, relationship("Boat:e OWNED_BY Firm:x"), relationship("Boat:f OWNED_BY Firm:x")];
  assert.deepEqual(format(formGroups(boats, more, kinds)), ["x: abef", "k: cd"]);
});

test("a group of one element is not formed", () => {
  assert.deepEqual(formGroups(boats, facts.slice(2, 3), [kind("OWNED_BY", "Firm", 3)]), []);
});

test("a hub that is an element itself is in its own group, once", () => {
  const towed = ["Boat:b TOWED Boat:a", "Boat:c TOWED Boat:a", "Boat:a TOWED Boat:d"].map(relationship);
  assert.deepEqual(format(formGroups(boats, towed, [kind("TOWED", "Boat", 0)])), ["a: abc"]);
});

test("a node of a lower level is linked through its own relationships or through those of half of its parts", () => {
  const flotillas: Element[] = [
    { key: "one", types: new Set(["Boat"]), own: ["Firm:x"], parts: ["Boat:a", "Boat:b", "Boat:c"] },
    { key: "two", types: new Set(["Boat"]), own: ["Firm:y"], parts: ["Boat:d", "Boat:e"] },
    { key: "three", types: new Set(["Boat"]), own: ["Firm:z"], parts: ["Boat:f", "Boat:g", "Boat:h"] },
  ];
  const sails = [
    "Boat:a SAILS_IN Sea:n",
    "Boat:b SAILS_IN Sea:n",
    "Boat:d SAILS_IN Sea:n",
    "Boat:f SAILS_IN Sea:n",
  ].map(relationship);
  const [group] = formGroups(flotillas, sails, [kind("SAILS_IN", "Sea", 1)]);
  assert.deepEqual(
    group?.elements.map((at) => flotillas[at]?.key),
    ["one", "two"],
  );
});

test("groups do not depend on the order of relationships, and are bounded", () => {
  const fact = fc
    .tuple(fc.nat(30), fc.constantFrom("OWNED_BY Firm", "LED_BY Captain"), fc.nat(8))
    .map(([boat, edge, hub]) => relationship(`Boat:${String(boat).padStart(2, "0")} ${edge}:${hub}`));
  const scores = fc.tuple(fc.nat(2), fc.nat(2));
  fc.assert(
    fc.property(fc.uniqueArray(fact, { selector: (each) => JSON.stringify(each) }), scores, (all, [a, b]) => {
      const elements = Array.from({ length: 31 }, (_, at) => element(`Boat:${String(at).padStart(2, "0")}`));
      const kinds = [kind("OWNED_BY", "Firm", a), kind("LED_BY", "Captain", b)];
      const groups = formGroups(elements, all, kinds);
      assert.deepEqual(formGroups(elements, all.toReversed(), kinds.toReversed()), groups);
      for (const { elements: held } of groups) {
        assert.ok(held.length >= GROUP_LIMITS.elements.min);
        assert.equal(new Set(held).size, held.length);
      }
    }),
    { seed: 77 },
  );
});

test("each relationship is read a bounded number of times, however many groups form", () => {
  let reads = 0;
  const counted = (name: string): ListedEntity => ({
    ...end(name),
    get entityId() {
      reads++;
      return name;
    },
  });
  const names = Array.from({ length: 600 }, (_, at) => `Boat:${at}`);
  const towed = names.flatMap((name, at) =>
    [7, 13, 29].map((step) => {
      const target = counted(`Boat:${(at * step + step) % names.length}`);
      return { type: "TOWED", source: counted(name), target, chunks: 1 };
    }),
  );
  const groups = formGroups(names.map(element), towed, [kind("TOWED", "Boat", 0)]);
  assert.equal(groups.length, GROUP_LIMITS.groups);
  assert.ok(reads < 20 * towed.length, `${reads / towed.length} times`);
});
