/**
 * Nothing by itself: counts the relationships that get times, and draws some of them to be judged from their quotes.
 *
 *   node evals/truth/times.ts FACTS.json [COUNT]
 *
 * Texts and annotated sentences, without examples and with all edge types as `temporal`, read in this process.
 */
import { writeFile } from "node:fs/promises";
import { DEFAULT_CONFIDENCE_LIMITS } from "../../packages/server/src/domain/graph.ts";
import { listReadings, openFactSource, type ReadFact, type Reading } from "./read-facts.ts";

interface Schema {
  readonly ontology: { readonly edge_types: readonly object[] };
}

function withTimes(reading: Reading): Reading {
  if (reading.schemaJson === null) return reading;
  const schema = JSON.parse(reading.schemaJson) as Schema; // Made by `schemaOf`, or read from our own file.
  const edge_types = schema.ontology.edge_types.map((type) => ({ ...type, temporal: true }));
  return { ...reading, schemaJson: JSON.stringify({ ontology: { ...schema.ontology, edge_types } }) };
}

/** In equal steps over all of them. */
function draw(facts: readonly ReadFact[], count: number): readonly ReadFact[] {
  const step = Math.max(1, facts.length / count);
  return Array.from({ length: Math.min(count, facts.length) }, (_, at) => facts[Math.floor(at * step)]!);
}

async function main([file, count = "60"]: readonly string[]): Promise<void> {
  if (file === undefined) throw new Error("usage: node evals/truth/times.ts FACTS.json [COUNT]");
  const source = await openFactSource(DEFAULT_CONFIDENCE_LIMITS);
  const facts = new Map<string, ReadFact>();
  try {
    for (const reading of (await listReadings()).filter(({ examples }) => examples === 0))
      for (const fact of await source.read(withTimes(reading)))
        facts.set(`${fact.claim}\n${fact.quote}`, fact);
  } finally {
    await source.close();
  }
  const all = [...facts.values()];
  const timed = all.filter(({ validFrom, validTo }) => validFrom !== null || validTo !== null);
  const dated = all.filter(({ quote }) => /\b[12]\d{3}\b/.test(quote));
  const asserted = (list: readonly ReadFact[]) => list.filter(({ isAsserted }) => isAsserted).length;
  const counts = {
    facts: all.length,
    asserted: asserted(all),
    with_a_year_in_the_sentence: dated.length,
    timed: timed.length,
    asserted_and_timed: asserted(timed),
  };
  const drawn = draw(timed, Number(count)).map(({ claim, validFrom, validTo, isAsserted, quote }) => {
    return { claim, from: validFrom, to: validTo, is_asserted: isAsserted, quote };
  });
  await writeFile(file, `${JSON.stringify({ counts, drawn }, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}

await main(process.argv.slice(2));
