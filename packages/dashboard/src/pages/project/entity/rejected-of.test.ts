import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { rejectedOf } from "./rejected-of.ts";

const kept = {
  ...{ correction_id: "c", project_id: "p", account_id: "a", key_id: null, reason: null },
  ...{ created_at: "2031-01-01T00:00:00Z", chunks: 1, later_chunks: 0, conflicts: 0 },
};
const ship = { type: "Ship", name: "Ilse", also: [{ type: "Ship", name: "the ilse" }] };
const porto = { type: "Town", name: "Porto", also: [] };
const verdict = { ...kept, source: ship, type: "MOORED_IN", target: porto, document: null, sentence: null };
const rejected: ListedCorrection = { ...verdict, kind: "reject" };
const confirmed: ListedCorrection = {
  ...{ ...verdict, kind: "confirm" },
  ...{ source_type: "Ship", target_type: "Town" },
};

test("an entity has the rejections that name it as either end, by any of its names", () => {
  const all = [confirmed, rejected];
  assert.deepEqual(rejectedOf({ type: "Ship", name: "Ilse", aliases: [] }, all), [rejected]);
  assert.deepEqual(rejectedOf({ type: "Ship", name: "SS Ilse", aliases: ["The Ilse"] }, all), [rejected]);
  assert.deepEqual(rejectedOf({ type: "Town", name: "Porto", aliases: [] }, all), [rejected]);
  assert.deepEqual(rejectedOf({ type: "Person", name: "Ilse", aliases: [] }, all), []);
});

test("an entity keeps the rejections of what it was before it was renamed, merged or given another type", () => {
  const renamed: ListedCorrection = { ...kept, kind: "rename", entity: ship, name: "Astrid" };
  const astrid = { type: "Ship", name: "Astrid", also: [] };
  const retyped: ListedCorrection = { ...kept, kind: "retype", entity: astrid, type: "Boat" };
  const into = { type: "Ferry", name: "Frida" };
  const merged: ListedCorrection = { ...kept, kind: "merge", entity: { ...astrid, type: "Boat" }, into };
  const all = [merged, retyped, renamed, rejected];
  assert.deepEqual(rejectedOf({ ...into, aliases: [] }, all), [rejected]);
  assert.deepEqual(rejectedOf({ type: "Boat", name: "Astrid", aliases: [] }, all.slice(1)), [rejected]);
  assert.deepEqual(rejectedOf({ type: "Boat", name: "Frida", aliases: [] }, all), [], "another entity");
});
