/**
 * Measures the facts that a project bound to an ontology asserts: sentences read as ingestion reads them, relationships compared
 * strictly (micro, nothing dropped). Each ontology with relation weights learned from the others; the threshold of confidence is
 * chosen on one half of the sentences, the other half is reported.
 *
 *   node evals/relations/asserted.ts <tekgen folder> <model cache> <folder of weights, of train.ts> [RESULT.json]
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPassageReader } from "../../packages/server/src/engine/ingest/extract/read-passage.ts";
import { LEAST_SCORE } from "../../packages/server/src/engine/ingest/extract/relations/create-relation-extractor.ts";
import { decodeRelationWeights } from "../../packages/server/src/engine/ingest/extract/relations/weights.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import type { PassageReader } from "../../packages/server/src/ports/passage-reader.ts";
import { ratesOf, round } from "./folds.ts";
import { type EvaluationModels, goldKey, openModels } from "./readings.ts";
import {
  dateForm,
  isFirstHalf,
  normalForm,
  pickExamples,
  readOntologies,
  readRows,
  type TekgenRow,
  toOntologyJson,
  yearForm,
} from "./tekgen.ts";

interface Asserted {
  readonly ontology: string;
  readonly extractor: string;
  readonly confidence: number;
  readonly isTrue: boolean;
  readonly isChoosing: boolean;
  readonly key: string;
  readonly text: string;
}

interface Measured {
  readonly facts: readonly Asserted[];
  /** Gold triples of the half that chooses and of the other. */
  readonly gold: { readonly choosing: number; readonly reported: number };
}

/** Facts below are not looked at when a threshold is chosen. */
const LEAST_CONFIDENCE = 0.1;
const WANTED_PRECISION = 0.6;
const COUNTS = [0, 5] as const;

/** Of the sentences that are scored, the half that the threshold is chosen on. */
const isChoosing = (id: string) => (createHash("sha256").update(id).digest()[1] ?? 0) < 128;

/** One triple of a text counts once. */
async function readFacts(reader: PassageReader, row: TekgenRow, schemaJson: string) {
  const { text, ontology } = row;
  const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
  const { sentences, mentions, title } = outlineDocument(text, {})(chunk);
  const bound = { ontologyId: `${ontology} ${schemaJson.length}`, schemaJson };
  const request = {
    ...{ text, start: 0, sentences, mentions, documentSubject: title, ontology: bound },
    // Scores are compared here, whatever they are worth.
    confidenceLimits: { asserted: 0, proposed: 0 },
  };
  const { facts } = await reader.read(request);
  const names = new Map(facts.entities.map((entity) => [`${entity.type}\n${entity.key}`, entity.name]));
  const nameOf = ({ type, key }: { readonly type: string; readonly key: string }) => {
    const name = names.get(`${type}\n${key}`) ?? key;
    return normalForm(yearForm(/^[\d\p{L} ,.]{4,22}$/u.test(name) ? (dateForm(name) ?? name) : name));
  };
  const found = new Map<string, { readonly extractor: string; readonly confidence: number }>();
  for (const { source, target, type, confidence, extractor } of facts.relationships) {
    const key = `${nameOf(source)}|${type}|${nameOf(target)}`;
    if ((found.get(key)?.confidence ?? 0) < confidence) found.set(key, { extractor, confidence });
  }
  return found;
}

interface Setting {
  readonly folder: string;
  readonly weights: string;
  readonly models: EvaluationModels;
  readonly rows: readonly TekgenRow[];
}

async function measure(count: number, setting: Setting): Promise<Measured> {
  const { folder, weights, models, rows } = setting;
  const facts: Asserted[] = [];
  const gold = { choosing: 0, reported: 0 };
  for (const [ontology, raw] of readOntologies(join(folder, "ontologies"))) {
    const own = rows.filter((row) => row.ontology === ontology);
    const examples = pickExamples(
      own.filter(({ id }) => isFirstHalf(id)),
      count,
    );
    const schemaJson = toOntologyJson(raw, examples);
    const relations = {
      models: decodeRelationWeights(readFileSync(join(weights, `${ontology}.bin`))),
      minConfidence: LEAST_CONFIDENCE,
    };
    const confidenceOf = (_: string, score: number) => score;
    const reader = createPassageReader({ ...models, relations, confidenceOf });
    for (const row of own.filter(({ id }) => !isFirstHalf(id))) {
      const wanted = new Set(row.triples.map(goldKey));
      const half = isChoosing(row.id);
      gold[half ? "choosing" : "reported"] += wanted.size;
      for (const [key, { extractor, confidence }] of await readFacts(reader, row, schemaJson)) {
        const isTrue = wanted.has(key);
        facts.push({ ontology, extractor, confidence, isTrue, isChoosing: half, key, text: row.text });
      }
    }
  }
  return { facts, gold };
}

function ratesOfFacts(facts: readonly Asserted[], gold: number) {
  return ratesOf({ found: facts.length, right: facts.filter(({ isTrue }) => isTrue).length, gold });
}

/**
 * The least confidence from which on relations, together with what statements say, have the wanted precision; 1 where there is none.
 */
function chooseThreshold({ facts }: Measured): number {
  const own = facts.filter((fact) => fact.isChoosing);
  const stated = own.filter(({ extractor }) => extractor === "statement");
  const order = own.filter((fact) => !stated.includes(fact)).sort((a, b) => b.confidence - a.confidence);
  let found = stated.length;
  let right = stated.filter(({ isTrue }) => isTrue).length;
  let least = 1;
  for (const { confidence, isTrue } of order) {
    found++;
    right += isTrue ? 1 : 0;
    if (right / found >= WANTED_PRECISION) least = confidence;
  }
  return least;
}

/** Relations compete before the threshold, and the surest are joined first: what is below it changes nothing above. */
function atLeast(confidence: number, { facts, gold }: Measured): Measured {
  return {
    gold,
    facts: facts.filter((fact) => fact.extractor === "statement" || fact.confidence >= confidence),
  };
}

function report(count: number, all: Measured) {
  const threshold = chooseThreshold(all);
  const shipped = atLeast(LEAST_SCORE, all);
  const halfOf = ({ facts }: Measured, half: boolean) => facts.filter((fact) => fact.isChoosing === half);
  const total = shipped.gold.choosing + shipped.gold.reported;
  return {
    examples: count,
    atDefault: {
      minConfidence: LEAST_SCORE,
      all: ratesOfFacts(shipped.facts, total),
      choosingHalf: ratesOfFacts(halfOf(shipped, true), shipped.gold.choosing),
      reportedHalf: ratesOfFacts(halfOf(shipped, false), shipped.gold.reported),
      byExtractor: Object.fromEntries(
        [...Map.groupBy(shipped.facts, ({ extractor }) => extractor)].map(([name, facts]) => [
          name,
          ratesOfFacts(facts, total),
        ]),
      ),
      byOntology: Object.fromEntries(
        [...Map.groupBy(shipped.facts, ({ ontology }) => ontology)].map(([name, facts]) => {
          const { precision, found, right } = ratesOfFacts(facts, total);
          return [name, { precision, found, right }];
        }),
      ),
    },
    chosenOnHalf: {
      wanted: WANTED_PRECISION,
      threshold: round(threshold),
      reportedHalf: ratesOfFacts(halfOf(atLeast(threshold, all), false), all.gold.reported),
    },
    atConfidence: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].map((confidence) => ({
      confidence,
      ...ratesOfFacts(atLeast(confidence, all).facts, total),
    })),
  };
}

async function main([folder = "", cache = "", weights = "", result]: readonly string[]): Promise<void> {
  const path = join(folder, "test.jsonl");
  const models = await openModels(cache);
  const setting = { folder, weights, models, rows: readRows(path) };
  const measured = [];
  for (const count of COUNTS) {
    measured.push(report(count, await measure(count, setting)));
    process.stdout.write(`${JSON.stringify(measured.at(-1))}\n`);
  }
  await models.close();
  if (result === undefined) return;
  const command = "node evals/relations/asserted.ts FOLDER MODELS WEIGHTS RESULT.json";
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  writeFileSync(
    result,
    `${JSON.stringify({ command, sha256: { "test.jsonl": sha256 }, measured }, null, 2)}\n`,
  );
}

await main(process.argv.slice(2));
