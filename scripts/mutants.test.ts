import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findMutants } from "./mutants/find-mutants.ts";

interface Tried {
  readonly file: string;
  readonly line: number;
  readonly killedBy: string | null;
  readonly reason?: string;
}

test("of 300 mutants the gate kills 80 %, and each survivor has a reason", () => {
  const file = new URL("./mutants/result.json", import.meta.url);
  const mutants: readonly Tried[] = JSON.parse(readFileSync(file, "utf8")).mutants;
  const survivors = mutants.filter(({ killedBy }) => killedBy === null);
  assert.ok(mutants.length >= 300 && survivors.length <= mutants.length / 5);
  assert.deepEqual(
    survivors.filter(({ reason = "" }) => reason.length < 20),
    [],
  );
});

test("mutants exchange operators, conditions and branches, and leave calls out, but not what only types need", () => {
  const code = 'if (a < b && !c) send(list[0] ?? 0);\nconst d = e ? "x" : f ?? "y";\n';
  const found = findMutants("a.ts", code).map(({ line, original, replacement }) => [
    line,
    original,
    replacement,
  ]);
  assert.deepEqual(found, [
    [1, "a < b && !c", "false"],
    [1, "<", "<="],
    [1, "&&", "||"],
    [1, "!", ""],
    [1, "send(list[0] ?? 0);", ";"],
    [1, "0", "1"],
    [2, '"x" : f ?? "y"', 'f ?? "y" : "x"'],
    [2, ' ?? "y"', "!"],
  ]);
});
