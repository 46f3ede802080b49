import assert from "node:assert/strict";
import { test } from "node:test";
import { isToldInPresent } from "./told-in-present.ts";

test("a sentence is of its document's time where its verbs are of the present", () => {
  for (const sentence of [
    "Ann works for Dunmore Glass.",
    "Ann is head of Dunmore Glass.",
    "Dunmore Glass is owned by Holt Mills.",
    "Ann has joined Dunmore Glass.",
    "Ann has recently left Dunmore Glass.",
    "Dunmore Glass, which is based in Leith, owns Holt Mills.",
    "Ann and Eva have led Holt Mills for years.",
    "Ann, who lives in Leith, chairs Dunmore Glass.",
  ])
    assert.equal(isToldInPresent(sentence), true, sentence);
});

test("a sentence with a mark of another time, or that asserts nothing, is not", () => {
  for (const sentence of [
    "Ann worked for Dunmore Glass.",
    "Ann was head of Dunmore Glass.",
    "Ann led Dunmore Glass and is in Leith.",
    "Ann will be head of Dunmore Glass.",
    "Ann may be head of Dunmore Glass.",
    "If Ann is head of Dunmore Glass, Eva is, too.",
    "Ann is not head of Dunmore Glass.",
    "Ann is no longer head of Dunmore Glass.",
    "Ann is a former head of Dunmore Glass.",
    "Ann is going to lead Dunmore Glass.",
    "Ann joined Dunmore Glass, which has ten kilns.",
    "In 1990 Ann is head of Dunmore Glass.",
    "Is Ann head of Dunmore Glass?",
    "“Ann is head of Dunmore Glass”, said Eva.",
    "Ann, head of Dunmore Glass.",
    "Ann hasn’t led Dunmore Glass.",
  ])
    assert.equal(isToldInPresent(sentence), false, sentence);
});
