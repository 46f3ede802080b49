import assert from "node:assert/strict";
import { test } from "node:test";
import type { CorrectionChange } from "../domain/correction.ts";
import { NOTHING_RENAMED } from "../domain/renamed-types.ts";
import { readExamples } from "./correction-examples.ts";

const verdict = (kind: "confirm" | "reject", document: string | null, sentence: string | null = null) =>
  ({
    ...{ kind, type: "OWNS", document, sentence },
    source: { type: "Firm", name: "Ada" },
    target: { type: "Ship", name: "Bee" },
  }) as CorrectionChange; // The fields that are read.

test("a fact is one example, in however many documents people confirmed it", async () => {
  const changes = [
    verdict("confirm", "a"),
    verdict("confirm", "b"),
    verdict("confirm", null),
    verdict("confirm", "a", "Ada owns Bee."),
    verdict("reject", "c"),
    verdict("reject", "d"),
  ];
  const store = { listChanges: async () => changes.map((change) => ({ change, renamed: NOTHING_RENAMED })) };
  const ends = { source: "Ada", target: "Bee" };
  assert.deepEqual(await readExamples(store, "p"), {
    nodeTypes: [],
    edgeTypes: [{ name: "OWNS", examples: [ends, { ...ends, text: "Ada owns Bee." }], rejected: [ends] }],
  });
});
