/**
 * What verdicts on relationships teach about others of their type (docs/decisions/0044): how many of those in other sentences are asserted,
 * right and wrong, before and after.
 *
 *   node evals/relations/verdicts.ts FOLDER [RESULT.json]
 *
 * Ten and forty verdicts on each edge type, as the gold list would give them, on what is read in the first half of the TekGen sentences of
 * FOLDER; counted is what is read in the other half, from which no weights were learned. The same with the sentences that are annotated
 * exhaustively: up to ten verdicts on a type from every other sentence. Means over `DRAWS` draws of verdicts. "confirmed only" and "rejected only":
 * of somebody who gives no other verdicts. The shifts and limits were chosen with the parts called tuned.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_CONFIDENCE_LIMITS } from "../../packages/server/src/domain/graph.ts";
import {
  applyLesson,
  learnLesson,
  onItsSide,
  prepareLesson,
  wordingOf,
} from "../../packages/server/src/domain/lesson.ts";
import { confidenceOf } from "../../packages/server/src/engine/ingest/extract/confidence.ts";
import { readAnnotated, schemaOf } from "../truth/annotated.ts";
import { isSame } from "../truth/names.ts";
import { type FactSource, openFactSource, type ReadFact, type Reading } from "../truth/read-facts.ts";
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

const DRAWS = 6;
const EXAMPLES = [0, 5] as const;
const TUNED = ["1_movie", "3_sport", "5_military"];
const limits = DEFAULT_CONFIDENCE_LIMITS;

interface Fact {
  readonly id: string;
  /** The edge type under its ontology. */
  readonly type: string;
  readonly isTaught: boolean;
  readonly isAsserted: boolean;
  readonly confidence: number;
  readonly wording: string;
  readonly isRight: boolean;
}

type Facts = Map<string, Fact[]>;

const nameOf = (name: string) =>
  normalForm(yearForm(/^[\d\p{L} ,.]{4,22}$/u.test(name) ? (dateForm(name) ?? name) : name));

/** "all", "confirmed only" or "rejected only": which verdicts are given. */
const GIVERS: Readonly<Record<string, (fact: Fact) => boolean>> = {
  all: () => true,
  "confirmed only": ({ isRight }) => isRight,
  "rejected only": ({ isRight }) => !isRight,
};

function toFact(read: ReadFact, isTaught: boolean, isRight: boolean): Fact {
  const { reading, edge, producer, score, isAsserted, quote, source, target, claim } = read;
  const stated = { isAsserted, confidence: confidenceOf(producer, score) };
  return {
    ...{ id: `${reading.document} ${claim}`, type: `${reading.ontology} ${reading.examples} ${edge}` },
    ...{ isTaught, isRight, isAsserted, confidence: onItsSide(stated, limits) },
    wording: wordingOf(quote, source, target),
  };
}

async function readTekgen(folder: string, source: FactSource, facts: Facts): Promise<void> {
  const rows = readRows(join(folder, "test.jsonl"));
  for (const [ontology, raw] of readOntologies(join(folder, "ontologies"))) {
    const own = rows.filter((row) => row.ontology === ontology);
    const known = own.filter(({ id }) => isFirstHalf(id));
    const part = `TekGen, ${TUNED.includes(ontology) ? "tuned" : "reported"}`;
    for (const examples of EXAMPLES) {
      const schemaJson = toOntologyJson(raw, pickExamples(known, examples));
      for (const { id, text, triples } of own) {
        const gold = new Set(triples.map(goldKey));
        const reading = { isTuned: false, ontology, examples, schemaJson, document: id, text, gold: null };
        for (const read of await source.read(reading)) {
          const key = `${nameOf(read.source)}|${read.edge}|${nameOf(read.target)}`;
          add(facts, part, toFact(read, isFirstHalf(id), gold.has(key)));
        }
      }
    }
  }
}

async function readSentences(source: FactSource, facts: Facts): Promise<void> {
  for (const set of await readAnnotated()) {
    for (const examples of EXAMPLES) {
      const schemaJson = JSON.stringify(schemaOf(set, examples));
      for (const [at, { text, facts: gold }] of set.sentences.entries()) {
        const document = `${set.id}-${at}`;
        const reading: Reading = {
          ...{ isTuned: false, ontology: set.id, examples, schemaJson, document, text, gold },
        };
        for (const read of await source.read(reading)) {
          const isRight = gold.some(
            (fact) =>
              fact.edge === read.edge && isSame(fact.source, read.source) && isSame(fact.target, read.target),
          );
          add(facts, `annotated, ${set.part}`, toFact(read, at % 2 === 0, isRight));
        }
      }
    }
  }
}

function add(facts: Facts, part: string, fact: Fact): void {
  const own = facts.get(part) ?? [];
  facts.set(part, own);
  own.push(fact);
}

function orderOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32LE(0);
}

/** Of the types with so many verdicts; `least` fewer are enough. */
function measure(
  facts: readonly Fact[],
  { count, least, giver }: { readonly count: number; readonly least: number; readonly giver: string },
) {
  const sums = { types: 0, before: { right: 0, wrong: 0 }, after: { right: 0, wrong: 0 } };
  const gives = GIVERS[giver] ?? (() => true);
  for (const own of Map.groupBy(facts, ({ type }) => type).values()) {
    const others = own.filter(({ isTaught }) => !isTaught);
    const given = own.filter((fact) => fact.isTaught && gives(fact));
    if (given.length < least || others.length === 0) continue;
    sums.types++;
    for (let draw = 0; draw < DRAWS; draw++) {
      const drawn = given.toSorted((a, b) => orderOf(`${draw}${a.id}`) - orderOf(`${draw}${b.id}`));
      const lesson = learnLesson(drawn.slice(0, count).map((fact) => ({ ...fact, isTrue: fact.isRight })));
      for (const fact of others) {
        const is = fact.isRight ? "right" : "wrong";
        const stated = { ...fact, wording: () => fact.wording };
        const isMoved = lesson !== null && applyLesson(prepareLesson(lesson), stated, limits) !== null;
        if (fact.isAsserted) sums.before[is]++;
        if (fact.isAsserted !== isMoved) sums.after[is]++;
      }
    }
  }
  const mean = (sum: number) => Math.round((10 * sum) / DRAWS) / 10;
  const rates = ({ right, wrong }: { readonly right: number; readonly wrong: number }) => ({
    ...{ right: mean(right), wrong: mean(wrong) },
    precision: right + wrong === 0 ? null : Math.round((1000 * right) / (right + wrong)) / 1000,
  });
  return { types: sums.types, before: rates(sums.before), after: rates(sums.after) };
}

async function main([folder = "", result]: readonly string[]): Promise<void> {
  const source = await openFactSource(limits);
  const facts: Facts = new Map();
  await readTekgen(folder, source, facts);
  await readSentences(source, facts);
  await source.close();
  const measured = [...facts].flatMap(([part, own]) => {
    const counts = part.startsWith("TekGen") ? [10, 40] : [10];
    return counts.flatMap((count) =>
      Object.keys(GIVERS).map((giver) => {
        const least = part.startsWith("TekGen") ? count : 1;
        return { part, verdicts: count, given: giver, ...measure(own, { count, least, giver }) };
      }),
    );
  });
  for (const row of measured) process.stdout.write(`${JSON.stringify(row)}\n`);
  if (result === undefined) return;
  const sha256 = createHash("sha256")
    .update(readFileSync(join(folder, "test.jsonl")))
    .digest("hex");
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const command = "node evals/relations/verdicts.ts FOLDER RESULT.json";
  const report = { command, commit, sha256: { "test.jsonl": sha256 }, draws: DRAWS, measured };
  writeFileSync(result, `${JSON.stringify(report, null, 1)}\n`);
}

await main(process.argv.slice(2));
