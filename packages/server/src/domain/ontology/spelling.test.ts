import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertLinear } from "../../../test/support/growth.ts";
import { describeOntologyFaults } from "../ontology-check.ts";

/** An ontology with these node types and an edge type between these ends. */
function textOf(known: readonly string[], ends: readonly string[]): string {
  const types = Object.fromEntries(known.map((name) => [name, {}]));
  const edge = { name: "E", source_types: ends, target_types: known.slice(0, 1) };
  return JSON.stringify({
    ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [edge] },
  });
}

test("the search for the name that was meant is linear in the length of the names", async () => {
  const schemaOf = (length: number) => {
    const name = (tail: string) => `${"a".repeat(length - 6)}${tail.padStart(6, "0")}`;
    const known = Array.from({ length: 100 }, (_, at) => name(`${at}`));
    return textOf(
      known,
      Array.from({ length: 10 }, (_, at) => name(`x${at}yyy`)),
    );
  };
  const [short, long] = [schemaOf(15), schemaOf(60)];
  await assertLinear("similar names", 15, (length) => describeOntologyFaults(length === 15 ? short : long));
});

test("the names that were meant are found among 2,000 types, but not sought for long among names that begin alike", () => {
  const hintsOf = (known: readonly string[], ends: readonly string[]) =>
    (describeOntologyFaults(textOf(known, ends)) ?? "").match(/did you mean/g)?.length ?? 0;
  const wordOf = (at: number) =>
    createHash("sha256")
      .update(`${at}`)
      .digest("base64url")
      .slice(0, 5 + (at % 12));
  const known = Array.from({ length: 2_000 }, (_, at) => wordOf(at));
  const misspelt = known.slice(-10).map((name) => `${name}x`);
  assert.equal(hintsOf(known, misspelt), 10);
  const alike = (tail: string) => `${"a".repeat(50)}${tail.padStart(6, "0")}`;
  const similar = Array.from({ length: 2_000 }, (_, at) => alike(`${at}`));
  const wrong = Array.from({ length: 10 }, (_, at) => alike(`${at}x`));
  assert.ok(hintsOf(similar, wrong) < 5);
});
