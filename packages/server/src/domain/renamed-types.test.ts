import assert from "node:assert/strict";
import { test } from "node:test";
import { type CorrectionChange, ruleOf, targetOf, targetsOf } from "./correction.ts";
import { createRenaming, NOTHING_RENAMED, presentRule, type TypeNames } from "./renamed-types.ts";

const rename = (from: string, to: string): TypeNames => ({ nodes: [[from, to]], edges: [] });

/** The rule of a correction that was made before these moves. */
function ruleAfter(change: CorrectionChange, moves: readonly TypeNames[]) {
  const given = ruleOf(change, (name) => name.toLowerCase());
  const types = moves.reduce((known, move) => createRenaming(move)(given, known), NOTHING_RENAMED);
  const rule = presentRule(given, types);
  assert.ok(rule.kind === "name");
  return rule;
}

const boat = { type: "Boat", name: "Ilse", also: [] };
const key = { type: "Boat", key: "ilse" };

test("a name whose type keeps its own gets the name that the given type had when its document was read", () => {
  const moves = [rename("Ship", "Vessel"), rename("Vessel", "Craft")];
  for (const [change, name] of [
    [{ kind: "retype", entity: boat, type: "Ship" }, "ilse"],
    [{ kind: "merge", entity: boat, into: { type: "Ship", name: "Ines" } }, "ines"],
  ] as const) {
    const rule = ruleAfter(change, moves);
    const given = [0, 1, 2].map((moved) => targetOf(rule, key, moved));
    const expected = ["Craft", "Vessel", "Ship"].map((type) => ({ type, key: name }));
    assert.deepEqual(given, expected);
    assert.deepEqual(targetsOf(rule, key), expected);
    // Read before all moves that are known, or before moves were counted: by its own type, which tells nothing here.
    for (const moves of [3, null]) assert.deepEqual(targetOf(rule, key, moves), expected[0]);
    assert.deepEqual(targetsOf(ruleAfter(change, []), key), [{ type: "Ship", key: name }]);
  }
});

test("both names of a type that a move renames are those of the ontology under which their document was read", () => {
  const ship = { type: "Ship", name: "Ines", also: [] };
  const merge: CorrectionChange = { kind: "merge", entity: ship, into: { type: "Ship", name: "Ilse" } };
  const rule = ruleAfter(merge, [rename("Boat", "Barge"), rename("Ship", "Vessel")]);
  assert.deepEqual(targetOf(rule, { type: "Vessel", key: "ines" }), { type: "Vessel", key: "ilse" });
  for (const moves of [1, 2, 9, null])
    assert.deepEqual(targetOf(rule, { type: "Ship", key: "ines" }, moves), { type: "Ship", key: "ilse" });
});
