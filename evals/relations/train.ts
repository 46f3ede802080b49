/**
 * Learns the weights of the relation scorer and measures them, each ontology with weights learned on the others only
 * (strict micro scores, nothing dropped). One half of the sentences is for learning and examples, the other for scoring.
 *
 *   node evals/relations/train.ts <tekgen folder> <model cache> evals/results/relations.json \
 *     [packages/server/src/engine/ingest/extract/relations/relation-weights.bin] [folder for each ontology's weights]
 *
 * TekGen is CC BY-SA 2.0 (text of Wikipedia), its alignment with Wikidata CC0; nothing of it is kept but the weights.
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  calibrate,
  type ScoringModel,
} from "../../packages/server/src/engine/ingest/extract/relations/score.ts";
import { encodeRelationWeights } from "../../packages/server/src/engine/ingest/extract/relations/weights.ts";
import {
  bestThreshold,
  EXAMPLES,
  type Fold,
  fitCalibration,
  leastThreshold,
  leaveOut,
  ratesOf,
  round,
  type Setting,
  scoresAt,
  toGroups,
} from "./folds.ts";
import { createRandom, defaultLearning, learnMany } from "./learn.ts";
import {
  createRowReader,
  type EvaluationModels,
  newTiming,
  openModels,
  type ReadRow,
  type Timing,
  type TypedTexts,
} from "./readings.ts";
import { isFirstHalf, pickExamples, readOntologies, readRows, type TekgenRow, toSchema } from "./tekgen.ts";

/** How often examples are drawn for learning. */
const DRAWS = 3;

async function main(given: readonly string[]): Promise<void> {
  const [folder = "", cache = "", results = "", output, foldWeights] = given;
  const path = join(folder, "test.jsonl");
  const ontologies = readOntologies(join(folder, "ontologies"));
  const rows = readRows(path);
  const models = await openModels(cache);
  const timing = newTiming();
  const settings = new Map<string, Record<number, Setting>>();
  for (const [name, ontology] of ontologies) {
    const own = rows.filter((row) => row.ontology === name);
    settings.set(name, await readSettings({ ontology, own, models, timing }));
  }
  await models.close();
  const folds = [...settings.keys()].map((name) => leaveOut(settings, name));
  const calibrations = new Map<number, ScoringModel["calibration"]>(
    EXAMPLES.map((count) => [
      count,
      fitCalibration(folds.flatMap(({ outcomes }) => outcomes.get(count) ?? [])),
    ]),
  );
  const measured = EXAMPLES.map((count) => ({
    examples: count,
    reach: Object.fromEntries(
      [...settings].map(([name, setting]) => [name, reachOf(setting[count]?.scoring ?? [])]),
    ),
    ...scoresOf(folds, count),
    cautious: cautiousScores(folds, count),
    atConfidence: scoresAtConfidence(folds, count, calibrations.get(count) ?? none),
  }));
  const data = ["test.jsonl", ...[...ontologies.keys()].map((name) => `ontologies/${name}_ontology.json`)];
  const sha256 = Object.fromEntries(data.map((file) => [file, sha256Of(join(folder, file))]));
  const command = "node evals/relations/train.ts FOLDER MODELS RESULTS.json [WEIGHTS.bin]";
  const report = { command, date: new Date().toISOString(), sha256, measured, speed: speedOf(timing) };
  writeFileSync(results, `${JSON.stringify(report, null, 2)}\n`);
  if (foldWeights !== undefined) writeFoldWeights(folds, foldWeights);
  if (output === undefined) return;
  const learned = (count: number): ScoringModel => {
    const groups = toGroups([...settings.values()].flatMap((setting) => allRows(setting[count])));
    return { ...learnMany(groups, defaultLearning), calibration: calibrations.get(count) ?? none };
  };
  writeFileSync(output, encodeRelationWeights({ plain: learned(0), withExamples: learned(5) }));
}

/** What was learned from the other ontologies, calibrated on them: for measuring facts of an ontology never seen. */
function writeFoldWeights(folds: readonly Fold[], folder: string): void {
  for (const fold of folds) {
    const others = folds.filter((other) => other !== fold);
    const modelOf = (count: number): ScoringModel => {
      const model = fold.models.get(count);
      if (model === undefined) throw new RangeError(`nothing was learned for ${count} examples`);
      return {
        ...model,
        calibration: fitCalibration(others.flatMap(({ outcomes }) => outcomes.get(count) ?? [])),
      };
    };
    const bytes = encodeRelationWeights({ plain: modelOf(0), withExamples: modelOf(5) });
    writeFileSync(join(folder, `${fold.name}.bin`), bytes);
  }
}

const none = { slope: 1, offset: 0 };
const sha256Of = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const allRows = (setting: Setting | undefined) =>
  setting === undefined ? [] : [...setting.learning, ...setting.scoring];

/** Share of the gold triples that are among the candidates, and candidates for each sentence. */
function reachOf(rows: readonly ReadRow[]) {
  const sums = { gold: 0, reached: 0, candidates: 0 };
  for (const { gold, readings } of rows) {
    const keys = new Set(readings.flatMap((reading) => reading.keys));
    sums.gold += gold.size;
    sums.candidates += keys.size;
    for (const key of gold) if (keys.has(key)) sums.reached++;
  }
  return { reach: round(sums.reached / sums.gold), candidates: Math.round(sums.candidates / rows.length) };
}

interface Reading {
  readonly ontology: Parameters<typeof toSchema>[0];
  readonly own: readonly TekgenRow[];
  readonly models: EvaluationModels;
  readonly timing: Timing;
}

/** Reads all sentences without and with examples; the examples' own sentences are not learned from. */
async function readSettings({ ontology, own, models, timing }: Reading): Promise<Record<number, Setting>> {
  const first = own.filter(({ id }) => isFirstHalf(id));
  const last = own.filter(({ id }) => !isFirstHalf(id));
  const typed: TypedTexts = new Map();
  const settings: Record<number, Setting> = {};
  for (const count of EXAMPLES) {
    const learning: ReadRow[] = [];
    const scoring: ReadRow[] = [];
    for (let draw = 0; draw < (count === 0 ? 1 : DRAWS); draw++) {
      const examples = pickExamples(drawn(first, draw), count);
      const taken = new Set([...examples.values()].flat().map(({ text }) => text));
      const read = await createRowReader(toSchema(ontology, examples), { models, timing, typed });
      for (const row of first) if (!taken.has(row.text)) learning.push(await read(row));
      if (draw === 0) for (const row of last) scoring.push(await read(row));
    }
    settings[count] = { learning, scoring };
  }
  return settings;
}

/** The rows in an order of their own for each draw, so that examples differ; the first is the data's. */
function drawn(rows: readonly TekgenRow[], draw: number): readonly TekgenRow[] {
  if (draw === 0) return rows;
  const random = createRandom(draw);
  const keyed = rows.map((row) => ({ row, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ row }) => row);
}

/** Each ontology at the threshold that is best for the others. */
function scoresOf(folds: readonly Fold[], count: number) {
  const chosen = folds.map((fold) => {
    const threshold = bestThreshold(
      folds.filter((other) => other !== fold),
      count,
    );
    return { fold, threshold };
  });
  return { ontologies: chosen.map((one) => ownScores(one, count)), all: total(chosen, count) };
}

/** Strict precision that facts are asserted at. */
const WANTED_PRECISION = 0.6;
const LEAST_FOUND = 30;

/** Each ontology at the least threshold at which the others have the wanted precision. */
function cautiousScores(folds: readonly Fold[], count: number) {
  const chosen = folds.map((fold) => {
    const others = folds.filter((other) => other !== fold);
    return {
      fold,
      threshold: leastThreshold(others, { count, precision: WANTED_PRECISION, found: LEAST_FOUND }),
    };
  });
  return {
    wanted: WANTED_PRECISION,
    ontologies: chosen.map((one) => ownScores(one, count)),
    all: total(chosen, count),
  };
}

interface Chosen {
  readonly fold: Fold;
  readonly threshold: number;
}

function ownScores({ fold, threshold }: Chosen, count: number) {
  const scores = scoresAt([fold], count, (score) => score >= threshold);
  return { ontology: fold.name, threshold: round(threshold), ...scores };
}

function total(chosen: readonly Chosen[], count: number) {
  const sums = { found: 0, right: 0, gold: 0 };
  for (const one of chosen) {
    const scores = ownScores(one, count);
    for (const part of ["found", "right", "gold"] as const) sums[part] += scores[part];
  }
  return ratesOf(sums);
}

function scoresAtConfidence(folds: readonly Fold[], count: number, calibration: ScoringModel["calibration"]) {
  return [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75].map((confidence) => {
    return { confidence, ...scoresAt(folds, count, (score) => calibrate(calibration, score) >= confidence) };
  });
}

function speedOf(timing: Timing) {
  const each = (ms: number, sentences: number) => round(ms / sentences);
  return {
    sentences: timing.sentences,
    msEach: {
      mentions: each(timing.mentions, timing.typed),
      types: each(timing.types, timing.typed),
      relations: each(timing.relations, timing.sentences),
    },
  };
}

await main(process.argv.slice(2));
