/** What is selected when the scorer has learned from the other ontologies only, and what it is worth. */

import {
  competeForPairs,
  type ScoringModel,
  scoreCandidates,
} from "../../packages/server/src/engine/ingest/extract/relations/score.ts";
import { pairOf, selectRelations } from "../../packages/server/src/engine/ingest/extract/relations/select.ts";
import { createRandom, defaultLearning, type Group, learnMany } from "./learn.ts";
import type { ReadRow } from "./readings.ts";

/** Numbers of examples for each edge type. */
export const EXAMPLES = [0, 5] as const;
const THRESHOLDS = Array.from({ length: 60 }, (_, index) => (index + 1) / 62);
const NEGATIVES = { perQuestion: 40, share: 0.25 };

export interface Setting {
  readonly learning: readonly ReadRow[];
  readonly scoring: readonly ReadRow[];
}

export type Settings = ReadonlyMap<string, Readonly<Record<number, Setting>>>;

/** All questions with a true candidate, a share of the others; of many false candidates some. */
export function toGroups(rows: readonly ReadRow[]): readonly Group[] {
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
          rows: kept.map((index) => features[index] ?? new Float32Array(0)),
          isTrue: Uint8Array.from(kept, (_, index) => (index < right.length ? 1 : 0)),
        });
      }
    }
  }
  return groups;
}

export interface Outcome {
  readonly score: number;
  readonly isTrue: boolean;
}

export interface Fold {
  readonly name: string;
  readonly gold: number;
  /** For each number of examples, what is selected from all candidates above a small score. */
  readonly outcomes: ReadonlyMap<number, readonly Outcome[]>;
  /** For each number of examples, what was learned from the other ontologies. */
  readonly models: ReadonlyMap<number, ScoringModel>;
}

export function leaveOut(settings: Settings, name: string): Fold {
  const learnFor = (count: number) =>
    learnMany(
      [...settings].flatMap(([other, setting]) =>
        other === name ? [] : toGroups(setting[count]?.learning ?? []),
      ),
      defaultLearning,
    );
  const own = settings.get(name) ?? {};
  const gold = own[0]?.scoring.reduce((sum, row) => sum + row.gold.size, 0) ?? 0;
  const models = new Map(EXAMPLES.map((count) => [count, learnFor(count)]));
  const outcomes = [...models].map(
    ([count, model]) => [count, predict(model, own[count]?.scoring ?? [])] as const,
  );
  return { name, gold, outcomes: new Map(outcomes), models };
}

const LEAST_SCORE = 0.015;

/** One outcome for each distinct triple of a text. */
function predict(model: ScoringModel, rows: readonly ReadRow[]): readonly Outcome[] {
  return rows.flatMap(({ readings, gold, sentences }) => {
    const seen = new Set<string>();
    return readings.flatMap((reading, at) => {
      const features = reading.rows.map((row) => Float64Array.from(row));
      const scores = competeForPairs(scoreCandidates(model, features, reading.questions), (index) =>
        pairOf(reading.candidates[index]),
      );
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

export function scoresAt(folds: readonly Fold[], count: number, least: (score: number) => boolean) {
  const sums = { found: 0, right: 0, gold: 0 };
  for (const { outcomes, gold } of folds) {
    const kept = (outcomes.get(count) ?? []).filter(({ score }) => least(score));
    sums.found += kept.length;
    sums.right += kept.filter(({ isTrue }) => isTrue).length;
    sums.gold += gold;
  }
  return ratesOf(sums);
}

export function ratesOf(sums: { readonly found: number; readonly right: number; readonly gold: number }) {
  const precision = sums.right / (sums.found || 1);
  const recall = sums.right / (sums.gold || 1);
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  return { precision: round(precision), recall: round(recall), f1: round(f1), ...sums };
}

export const round = (value: number) => Math.round(value * 1000) / 1000;

export function bestThreshold(folds: readonly Fold[], count: number): number {
  let best = { threshold: 0, f1: -1 };
  for (const threshold of THRESHOLDS) {
    const { f1 } = scoresAt(folds, count, (score) => score >= threshold);
    if (f1 > best.f1) best = { threshold, f1 };
  }
  return best.threshold;
}

/** Logistic regression of truth on the log odds of the score, by Newton steps. */
export function fitCalibration(outcomes: readonly Outcome[]): ScoringModel["calibration"] {
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

export interface Wanted {
  readonly count: number;
  readonly precision: number;
  readonly found: number;
}

/** The least score at which so many are found with this precision; 1 where there is none. */
export function leastThreshold(folds: readonly Fold[], { count, precision, found }: Wanted): number {
  const outcomes = folds.flatMap((fold) => fold.outcomes.get(count) ?? []).sort((a, b) => b.score - a.score);
  let right = 0;
  let least = 1;
  for (const [index, { score, isTrue }] of outcomes.entries()) {
    right += isTrue ? 1 : 0;
    if (index + 1 >= found && right / (index + 1) >= precision) least = score;
  }
  return least;
}
