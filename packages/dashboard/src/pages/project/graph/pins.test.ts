import assert from "node:assert/strict";
import { test } from "node:test";
import { readPins, withPin, writePins } from "./pins.ts";

test("places are in the address rounded, and are read again", () => {
  const pins = new Map([
    ["12", { x: -40.4, y: 33.6 }],
    ["7_a", { x: 0, y: 9 }],
  ]);
  assert.equal(writePins(pins), "12_-40_34~7_a_0_9");
  assert.deepEqual(
    [...readPins("12_-40_34~7_a_0_9")],
    [
      ["12", { x: -40, y: 34 }],
      ["7_a", { x: 0, y: 9 }],
    ],
  );
  assert.deepEqual([...readPins("")], []);
  assert.deepEqual([...readPins("12_a_3~_1_2~5_1_2")], [["5", { x: 1, y: 2 }]]);
});

test("of many the latest forty are there, and one that is dragged again is the latest", () => {
  let pins = new Map() as ReturnType<typeof readPins>;
  for (let at = 0; at < 60; at++) pins = withPin(pins, String(at), { x: at, y: 0 });
  pins = withPin(pins, "3", { x: 1, y: 1 });
  assert.equal(pins.size, 60);
  const ids = [...readPins(writePins(pins)).keys()];
  assert.equal(ids.length, 40);
  assert.deepEqual(ids.slice(-2), ["59", "3"]);
  assert.ok(encodeURIComponent(writePins(pins)).length < 1_000);
});
