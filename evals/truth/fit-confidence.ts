/**
 * Fits what the scores of those that read relationships are worth (extract/confidence.ts) to judged relationships.
 *
 *   node evals/truth/fit-confidence.ts
 *
 * Prints the maps, and how the confidences that they give hold: on what they were fitted on, and on the reported half of the annotated sentences, where
 * a relationship is true if it is annotated. Nothing is fitted to the reported half.
 */
import {
  applyConfidence,
  type ConfidenceMap,
  fitConfidence,
} from "../../packages/server/src/domain/confidence-map.ts";
import type { Producer } from "../../packages/server/src/engine/ingest/extract/confidence.ts";
import { isSame } from "./names.ts";
import { listReadings, openFactSource, type ReadFact } from "./read-facts.ts";
import { idOfFact, readVerdicts, type Verdict } from "./verdicts.ts";

/** Far below the least confidence of what is proposed, so that maps are fitted on more than what they let through. */
const LEAST = 0.1;
const BINS = [0, 0.2, 0.4, 0.6, 0.8, 0.9, 1] as const;

interface Judged {
  readonly producer: Producer;
  readonly score: number;
  readonly isTrue: boolean;
}

async function main(): Promise<void> {
  const verdicts = await readVerdicts();
  const source = await openFactSource({ asserted: 0.8, proposed: LEAST });
  const fitted = new Map<string, Judged>();
  const reported: Judged[] = [];
  let unjudged = 0;
  for (const reading of await listReadings()) {
    for (const fact of await source.read(reading)) {
      const { producer, score } = fact;
      if (!reading.isTuned) {
        reported.push({ producer, score, isTrue: isAnnotated(fact) });
        continue;
      }
      // A key means what the ontology of its subject calls it; this one is of no subject.
      if (producer === "record" && reading.ontology === "general") continue;
      const is = judge(fact, verdicts);
      if (is === null) unjudged++;
      else fitted.set(`${idOfFact(fact)} ${producer}`, { producer, score, isTrue: is });
    }
  }
  await source.close();
  const judged = [...fitted.values()];
  const byProducer = Map.groupBy(judged, ({ producer }) => producer);
  const maps = new Map([...byProducer].map(([producer, own]) => [producer, fitConfidence(own)]));
  const lines = [`${judged.length} judged relationships, ${unjudged} more that nobody has judged`];
  for (const [producer, { slope, offset }] of maps) {
    const own = byProducer.get(producer) ?? [];
    const share = own.filter(({ isTrue: is }) => is).length / own.length;
    lines.push(
      `"${producer}": { slope: ${slope.toFixed(2)}, offset: ${offset.toFixed(2)} }, // ${own.length} judged, ${percent(share)} true`,
    );
  }
  lines.push(...table("fitted", judged, maps), ...table("reported half", reported, maps));
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** By a reader; else, of annotated sentences, by what is annotated. null: not known. */
function judge(fact: ReadFact, verdicts: ReadonlyMap<string, Verdict>): boolean | null {
  const verdict = verdicts.get(idOfFact(fact));
  if (verdict !== undefined) return isTrue(verdict, fact.reading.schemaJson === null);
  return fact.reading.gold === null ? null : isAnnotated(fact);
}

/** Without an ontology the type of an end is a guess apart from what the sentence states. */
function isTrue(verdict: Verdict, isOpen: boolean): boolean {
  return verdict === "true" || (isOpen && verdict === "type");
}

function isAnnotated({ reading, edge, source, target }: ReadFact): boolean {
  return (reading.gold ?? []).some(
    (fact) => fact.edge === edge && isSame(fact.source, source) && isSame(fact.target, target),
  );
}

function table(
  name: string,
  judged: readonly Judged[],
  maps: ReadonlyMap<Producer, ConfidenceMap>,
): readonly string[] {
  const rated = judged.flatMap(({ producer, score, isTrue: is }) => {
    const map = maps.get(producer);
    return map === undefined ? [] : [{ confidence: applyConfidence(map, score), is, producer }];
  });
  const lines = [`\n${name}: ${rated.length}`, "confidence | n | mean confidence | share true"];
  const row = (title: string, own: typeof rated) => {
    const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / (own.length || 1);
    const share = own.filter(({ is }) => is).length / (own.length || 1);
    lines.push(`${title} | ${own.length} | ${percent(mean)} | ${percent(share)}`);
  };
  for (const [at, from] of BINS.slice(0, -1).entries()) {
    const to = BINS[at + 1] ?? 1;
    row(
      `${from} to ${to}`,
      rated.filter(({ confidence }) => confidence >= from && confidence < to),
    );
  }
  for (const [producer, own] of Map.groupBy(rated, (one) => one.producer)) row(producer, own);
  return lines;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

await main();
