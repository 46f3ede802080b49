/**
 * What a project bound to an ontology asserts and proposes of TekGen sentences, as shipped: strict scores (micro, nothing dropped) of every
 * n-th sentence that no weights were learned from, without examples and with one and five. Not held out by ontology, as asserted.ts is, and
 * quick: to tell what a change, or one part of the reader (EVAL_WITHOUT, evals/truth/ablation-parts.ts), does to them.
 *
 *   [EVAL_WITHOUT=PART] node --import ./evals/truth/ablation-hook.ts evals/relations/sampled.ts FOLDER [EVERY]
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { confidenceOf } from "../../packages/server/src/engine/ingest/extract/confidence.ts";
import { openFactSource, type ReadFact } from "../truth/read-facts.ts";
import { ratesOf } from "./folds.ts";
import { goldKey } from "./readings.ts";
import {
  dateForm,
  isFirstHalf,
  normalForm,
  pickExamples,
  readOntologies,
  readRows,
  toOntologyJson,
  yearForm,
} from "./tekgen.ts";

interface Read {
  readonly confidence: number;
  readonly isRight: boolean;
}

const COUNTS = [0, 1, 5] as const;
const LIMITS = { asserted: 0.8, proposed: 0.1 };

const isDrawn = (id: string, every: number) =>
  (createHash("sha256").update(id).digest()[2] ?? 0) % every === 0;

const nameOf = (name: string) =>
  normalForm(yearForm(/^[\d\p{L} ,.]{4,22}$/u.test(name) ? (dateForm(name) ?? name) : name));

/** One triple of a text counts once, with its best confidence. */
function judge(facts: readonly ReadFact[], gold: ReadonlySet<string>): readonly Read[] {
  const best = new Map<string, number>();
  for (const { source, edge, target, producer, score } of facts) {
    const key = `${nameOf(source)}|${edge}|${nameOf(target)}`;
    best.set(key, Math.max(best.get(key) ?? 0, confidenceOf(producer, score)));
  }
  return [...best].map(([key, confidence]) => ({ confidence, isRight: gold.has(key) }));
}

function report(read: readonly Read[], gold: number) {
  const from = (least: number) => {
    const own = read.filter(({ confidence }) => confidence >= least);
    return ratesOf({ found: own.length, right: own.filter(({ isRight }) => isRight).length, gold });
  };
  const steps = Array.from({ length: 17 }, (_, at) => 0.1 + at * 0.05).map((least) => ({
    least,
    ...from(least),
  }));
  const best = steps.reduce((most, one) => (one.f1 > most.f1 ? one : most));
  return { asserted: from(LIMITS.asserted), withProposals: from(0.4), best };
}

async function main([folder = "", every = "4"]: readonly string[]): Promise<void> {
  const rows = readRows(join(folder, "test.jsonl"));
  const source = await openFactSource(LIMITS);
  const read = new Map<number, Read[]>(COUNTS.map((count) => [count, []]));
  let gold = 0;
  for (const [ontology, raw] of readOntologies(join(folder, "ontologies"))) {
    const own = rows.filter((row) => row.ontology === ontology);
    const known = own.filter(({ id }) => isFirstHalf(id));
    const drawn = own.filter(({ id }) => !isFirstHalf(id) && isDrawn(id, Number(every)));
    for (const { triples } of drawn) gold += new Set(triples.map(goldKey)).size;
    for (const examples of COUNTS) {
      const schemaJson = toOntologyJson(raw, pickExamples(known, examples));
      for (const { id, text, triples } of drawn) {
        const reading = { isTuned: false, ontology, examples, schemaJson, document: id, text, gold: null };
        read.get(examples)?.push(...judge(await source.read(reading), new Set(triples.map(goldKey))));
      }
    }
  }
  await source.close();
  const measured = Object.fromEntries(
    [...read].map(([count, facts]) => [`${count} examples`, report(facts, gold)]),
  );
  process.stdout.write(`${JSON.stringify(measured, null, 1)}\n`);
}

await main(process.argv.slice(2));
