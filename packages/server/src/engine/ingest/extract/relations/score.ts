/** Scores the candidates that compete for a target: a softmax over them and "none of these". */

/**
 * Numbers of a linear layer beside one hidden layer of leaky units, both on standardised features. Flat, in this order:
 * hidden weights (units × features), hidden biases, output weights of the units, output bias, direct weights.
 */
export interface ScoringModel {
  readonly units: number;
  readonly features: number;
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
  readonly weights: readonly number[];
  /** Logistic calibration of the log odds: probability = 1 / (1 + exp(−(slope · x + offset))). */
  readonly calibration: { readonly slope: number; readonly offset: number };
}

/** Examples change what the features of an edge type are worth, so that such edge types have weights of their own. */
export interface RelationModels {
  readonly plain: ScoringModel;
  readonly withExamples: ScoringModel;
}

/** A standardised number beyond this says no more. */
const MAX_DEVIATIONS = 5;
const LEAK = 0.05;
const noRow = new Float64Array(0);

/** The likelihood of each candidate within its group, 0…1. */
export function scoreCandidates(
  model: ScoringModel,
  rows: readonly Float64Array[],
  groups: readonly (readonly number[])[],
): Float64Array {
  const raw = new Float64Array(rows.length);
  const scores = new Float64Array(rows.length);
  const standard = new Float64Array(model.features);
  for (const group of groups) {
    for (const index of group) raw[index] = activation(model, rows[index] ?? noRow, standard);
    const highest = Math.max(0, ...group.map((index) => raw[index] ?? 0));
    let sum = Math.exp(-highest);
    for (const index of group) sum += Math.exp((raw[index] ?? 0) - highest);
    for (const index of group) scores[index] = Math.exp((raw[index] ?? 0) - highest) / sum;
  }
  return scores;
}

/** How much an edge type loses to a likelier one between the same two ends: most pairs are joined by one or two. */
const RIVALRY = 1;

/** The scores, less where another edge type is likelier between the same ends. `pairOf`: equal for equal ends. */
export function competeForPairs(scores: Float64Array, pairOf: (index: number) => number): Float64Array {
  const best = new Map<number, number>();
  for (const [index, score] of scores.entries()) {
    const pair = pairOf(index);
    best.set(pair, Math.max(best.get(pair) ?? 0, score));
  }
  return scores.map((score, index) => {
    const most = best.get(pairOf(index)) ?? 0;
    return most > 0 ? score * (score / most) ** RIVALRY : score;
  });
}

/** `standard`: room for a row. */
function activation(model: ScoringModel, row: Float64Array, standard: Float64Array): number {
  const { units, features, weights } = model;
  const direct = units * (features + 2) + 1;
  let sum = weights[direct - 1] ?? 0;
  for (let at = 0; at < features; at++) {
    const value = ((row[at] ?? 0) - model.mean[at]!) / model.deviation[at]!;
    const kept = Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, value));
    standard[at] = kept;
    sum += weights[direct + at]! * kept;
  }
  const biases = units * features;
  for (let unit = 0; unit < units; unit++) {
    let input = weights[biases + unit]!;
    for (let at = 0; at < features; at++) input += weights[unit * features + at]! * standard[at]!;
    sum += weights[biases + units + unit]! * (input > 0 ? input : LEAK * input);
  }
  return sum;
}

/** What a score is worth as a probability that the sentence states the relation. */
export function calibrate({ slope, offset }: ScoringModel["calibration"], score: number): number {
  const bounded = Math.max(1e-6, Math.min(1 - 1e-6, score));
  return 1 / (1 + Math.exp(-(slope * Math.log(bounded / (1 - bounded)) + offset)));
}
