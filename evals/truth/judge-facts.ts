/**
 * Writes the relationships that are read in what may be tuned on and that nobody has judged yet, without their scores, for a judge.
 *
 *   node evals/truth/judge-facts.ts FACTS.json [--least 0.1]
 *
 * The judge writes `{ "<id>": "true" | "loose" | "false" | "useless" }` as guide.md says; both files go to judged/facts-<date>/ as sample.json and
 * verdicts.json, where fit-confidence.ts finds them. `least`: least confidence.
 */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { listReadings, openFactSource } from "./read-facts.ts";
import type { Item } from "./sample-types.ts";
import { idOfFact, readVerdicts } from "./verdicts.ts";

const AROUND = 160;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { least: { type: "string", default: "0.1" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined) throw new Error("Usage: node evals/truth/judge-facts.ts FACTS.json [--least 0.1]");
  const verdicts = await readVerdicts();
  const source = await openFactSource({ asserted: 0.8, proposed: Number(values.least) });
  const items = new Map<string, Item>();
  for (const reading of await listReadings()) {
    // What annotated sentences state is known.
    if (!reading.isTuned || reading.gold !== null) continue;
    for (const fact of await source.read(reading)) {
      const id = idOfFact(fact);
      const at = reading.text.indexOf(fact.quote);
      const quote = reading.text.slice(Math.max(0, at - AROUND), at + fact.quote.length + AROUND);
      if (!verdicts.has(id)) items.set(id, { id, kind: reading.ontology, claim: fact.claim, quote });
    }
  }
  await source.close();
  const orderOf = ({ id }: Item) => createHash("sha256").update(id).digest("hex");
  const sorted = [...items.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  await writeFile(file, `${JSON.stringify(sorted, null, 1)}\n`);
  process.stdout.write(`${sorted.length} facts\n`);
}

await main();
