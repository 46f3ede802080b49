/**
 * Learns the weights of the relation scorer and measures them, each ontology with weights learned on the others only
 * (strict micro scores, nothing dropped). One half of the sentences is for learning and examples, the other for scoring.
 *
 *   node evals/relations/train.ts <tekgen folder> <model cache> evaluate
 *   node evals/relations/train.ts <tekgen folder> <model cache> write packages/server/src/engine/ingest/extract/relations/weights.ts
 *
 * TekGen is CC BY-SA 2.0 (text of Wikipedia), its alignment with Wikidata CC0; nothing of it is kept but the weights.
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { featureNames } from "../../packages/server/src/engine/ingest/extract/relations/features.ts";
import {
  calibrate,
  type RelationModels,
  type ScoringModel,
  scoreCandidates,
} from "../../packages/server/src/engine/ingest/extract/relations/score.ts";
import { selectRelations } from "../../packages/server/src/engine/ingest/extract/relations/select.ts";
import { createRandom, defaultLearning, type Group, learnMany } from "./learn.ts";
import {
  createRowReader,
  type EvaluationModels,
  newTiming,
  openModels,
  type ReadRow,
  type Timing,
} from "./readings.ts";
import { isFirstHalf, pickExamples, readOntologies, readRows, type TekgenRow, toSchema } from "./tekgen.ts";

const EXAMPLES = [0, 5] as const;
const THRESHOLDS = Array.from({ length: 60 }, (_, index) => (index + 1) / 62);
const NEGATIVES = { perQuestion: 40, share: 0.25 };

interface Setting {
  readonly learning: readonly ReadRow[];
  readonly scoring: readonly ReadRow[];
}

type Settings = ReadonlyMap<string, Readonly<Record<number, Setting>>>;

async function main([
  folder = "",
  cache = "",
  mode = "evaluate",
  output = "",
]: readonly string[]): Promise<void> {
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
  report({ ms: timing.sentences });
  const folds = [...settings.keys()].map((name) => leaveOut(settings, name));
  printScores(folds);
  const calibrations = new Map<number, ScoringModel["calibration"]>(
    EXAMPLES.map((count) => [
      count,
      fitCalibration(folds.flatMap(({ outcomes }) => outcomes.get(count) ?? [])),
    ]),
  );
  for (const count of EXAMPLES) printAtConfidence(folds, count, calibrations.get(count) ?? none);
  printTiming(timing, models);
  if (mode === "write") {
    const of = (count: number): ScoringModel => {
      const all = [...settings.values()].flatMap((setting) => Object.entries(setting[count] ?? {}));
      const groups = toGroups(all.flatMap(([, rows]) => rows as readonly ReadRow[]));
      return { ...learnMany(groups, defaultLearning), calibration: calibrations.get(count) ?? none };
    };
    writeFileSync(output, render({ plain: of(0), withExamples: of(5) }, path));
  }
  await models.close();
}

const none = { slope: 1, offset: 0 };

function report(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
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
  const examples = pickExamples(first, Math.max(...EXAMPLES));
  const taken = new Set([...examples.values()].flat().map(({ text }) => text));
  const settings: Record<number, Setting> = {};
  for (const count of EXAMPLES) {
    const read = await createRowReader(
      toSchema(ontology, count === 0 ? new Map() : examples),
      models,
      timing,
    );
    const learning: ReadRow[] = [];
    const scoring: ReadRow[] = [];
    for (const row of own) {
      if (!isFirstHalf(row.id)) scoring.push(await read(row));
      else if (!taken.has(row.text)) learning.push(await read(row));
    }
    settings[count] = { learning, scoring };
  }
  return settings;
}

/** All questions with a true candidate, a share of the others; of many false candidates some. */
function toGroups(rows: readonly ReadRow[]): readonly Group[] {
  const random = createRandom(7);
  const groups: Group[] = [];
  for (const { readings } of rows) {
    for (const { rows: features, isTrue, questions } of readings) {
      for (const question of questions) {
        const right = question.filter((index) => isTrue[index] === 1);
        const wrong = question.filter((index) => isTrue[index] !== 1);
        if (right.length === 0 && random() > NEGATIVES.share) continue;
        const sampled =
          wrong.length <= NEGATIVES.perQuestion
            ? wrong
            : Array.from(
                { length: NEGATIVES.perQuestion },
                () => wrong[Math.floor(random() * wrong.length)] ?? 0,
              );
        const kept = [...right, ...sampled];
        groups.push({
          rows: kept.map((index) => features[index] ?? new Float32Array(featureNames.length)),
          isTrue: Uint8Array.from(kept, (_, index) => (index < right.length ? 1 : 0)),
        });
      }
    }
  }
  return groups;
}

interface Outcome {
  readonly score: number;
  readonly isTrue: boolean;
}

interface Fold {
  readonly name: string;
  readonly gold: number;
  /** For each number of examples, what is selected from all candidates above a small score. */
  readonly outcomes: ReadonlyMap<number, readonly Outcome[]>;
}

function leaveOut(settings: Settings, name: string): Fold {
  const learnFor = (count: number) =>
    learnMany(
      [...settings].flatMap(([other, setting]) =>
        other === name ? [] : toGroups(setting[count]?.learning ?? []),
      ),
      defaultLearning,
    );
  const own = settings.get(name) ?? {};
  const gold = own[0]?.scoring.reduce((sum, row) => sum + row.gold.size, 0) ?? 0;
  return {
    name,
    gold,
    outcomes: new Map(EXAMPLES.map((count) => [count, predict(learnFor(count), own[count]?.scoring ?? [])])),
  };
}

const LEAST_SCORE = 0.015;

/** One outcome for each distinct triple of a text. */
function predict(model: ScoringModel, rows: readonly ReadRow[]): readonly Outcome[] {
  return rows.flatMap(({ readings, gold, sentences }) => {
    const seen = new Set<string>();
    return readings.flatMap((reading, at) => {
      const features = reading.rows.map((row) => Float64Array.from(row));
      const scores = scoreCandidates(model, features, reading.questions);
      const scored = reading.candidates.flatMap((candidate, index) => {
        const target = sentences[at]?.mentions[candidate.target];
        const score = scores[index] ?? 0;
        if (target === undefined || score < LEAST_SCORE) return [];
        return [{ candidate, target, confidence: score, key: reading.keys[index] ?? "" }];
      });
      const keys = new Map(scored.map(({ candidate, key }) => [candidate, key]));
      return selectRelations(scored).flatMap(({ candidate, confidence }) => {
        const key = keys.get(candidate) ?? "";
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ score: confidence, isTrue: gold.has(key) }];
      });
    });
  });
}

function scoresAt(folds: readonly Fold[], count: number, least: (score: number) => boolean) {
  const sums = { found: 0, right: 0, gold: 0 };
  for (const { outcomes, gold } of folds) {
    const kept = (outcomes.get(count) ?? []).filter(({ score }) => least(score));
    sums.found += kept.length;
    sums.right += kept.filter(({ isTrue }) => isTrue).length;
    sums.gold += gold;
  }
  const precision = sums.right / (sums.found || 1);
  const recall = sums.right / (sums.gold || 1);
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  return { precision: round(precision), recall: round(recall), f1: round(f1), ...sums };
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Each ontology at the threshold that is best for the others. */
function printScores(folds: readonly Fold[]): void {
  for (const count of EXAMPLES) {
    const totals = { found: 0, right: 0, gold: 0 };
    for (const fold of folds) {
      const others = folds.filter((other) => other !== fold);
      const threshold = bestThreshold(others, count);
      const own = scoresAt([fold], count, (score) => score >= threshold);
      for (const part of ["found", "right", "gold"] as const) totals[part] += own[part];
      report({ ontology: fold.name, examples: count, threshold: round(threshold), ...own });
    }
    const precision = totals.right / totals.found;
    const recall = totals.right / totals.gold;
    report({
      all: true,
      examples: count,
      precision: round(precision),
      recall: round(recall),
      f1: round((2 * precision * recall) / (precision + recall)),
    });
  }
}

function bestThreshold(folds: readonly Fold[], count: number): number {
  let best = { threshold: 0, f1: -1 };
  for (const threshold of THRESHOLDS) {
    const { f1 } = scoresAt(folds, count, (score) => score >= threshold);
    if (f1 > best.f1) best = { threshold, f1 };
  }
  return best.threshold;
}

/** Logistic regression of truth on the log odds of the score, by Newton steps. */
function fitCalibration(outcomes: readonly Outcome[]): ScoringModel["calibration"] {
  const points = outcomes.map(({ score, isTrue }) => {
    const bounded = Math.max(1e-6, Math.min(1 - 1e-6, score));
    return { x: Math.log(bounded / (1 - bounded)), y: isTrue ? 1 : 0 };
  });
  let [slope, offset] = [1, 0];
  for (let step = 0; step < 30; step++) {
    const sums = { ga: 0, gb: 0, aa: 1e-6, ab: 0, bb: 1e-6 };
    for (const { x, y } of points) {
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const w = p * (1 - p);
      sums.ga += (p - y) * x;
      sums.gb += p - y;
      sums.aa += w * x * x;
      sums.ab += w * x;
      sums.bb += w;
    }
    const determinant = sums.aa * sums.bb - sums.ab ** 2;
    slope -= (sums.bb * sums.ga - sums.ab * sums.gb) / determinant;
    offset -= (sums.aa * sums.gb - sums.ab * sums.ga) / determinant;
  }
  return { slope, offset };
}

function printAtConfidence(
  folds: readonly Fold[],
  count: number,
  calibration: ScoringModel["calibration"],
): void {
  report({ calibration });
  for (const least of [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7]) {
    const isKept = (score: number) => calibrate(calibration, score) >= least;
    report({ confidence: least, examples: count, ...scoresAt(folds, count, isKept) });
  }
}

function printTiming(timing: Timing, { spent }: EvaluationModels): void {
  const each = (ms: number) => round(ms / timing.sentences);
  report({
    sentences: timing.sentences,
    msEach: { mentions: each(timing.mentions), types: each(timing.types), relations: each(timing.relations) },
    model: spent,
  });
}

function render(models: RelationModels, path: string): string {
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
  return [
    `/** Learned by evals/relations/train.ts on TekGen's sentences (sha256 ${hash}…); do not edit. */`,
    "// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: learned numbers, which none of the constants is.",
    "",
    'import type { RelationModels, ScoringModel } from "./score.ts";',
    "",
    renderModel("plain", models.plain),
    renderModel("withExamples", models.withExamples),
    "export const relationWeights: RelationModels = { plain, withExamples };",
    "",
  ].join("\n");
}

function renderModel(
  name: string,
  { units, features, mean, deviation, weights, calibration }: ScoringModel,
): string {
  const numbers = (values: readonly number[]) =>
    `[${values.map((value) => Number(value.toPrecision(3))).join(",")}]`;
  return [
    "// biome-ignore format: numbers",
    `const ${name}: ScoringModel = {`,
    `  units: ${units}, features: ${features},`,
    `  mean: ${numbers(mean)},`,
    `  deviation: ${numbers(deviation)},`,
    `  weights: ${numbers(weights)},`,
    `  calibration: { slope: ${calibration.slope.toPrecision(4)}, offset: ${calibration.offset.toPrecision(4)} },`,
    "};",
    "",
  ].join("\n");
}

await main(process.argv.slice(2));
