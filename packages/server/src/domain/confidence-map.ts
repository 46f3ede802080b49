/** What a score is worth: the probability that what has it is true, by a logistic map of its log odds (Platt 1999). */

export interface ConfidenceMap {
  readonly slope: number;
  readonly offset: number;
}

export interface JudgedScore {
  readonly score: number;
  readonly isTrue: boolean;
}

const STEPS = 100;
/** Strength of the prior that a slope is 1. */
const PRIOR = 0.3;
const LEAST_STEP = 1e-6;

export function applyConfidence({ slope, offset }: ConfidenceMap, score: number): number {
  return logistic(slope * logOdds(score) + offset);
}

/** Platt's targets and Newton's method; a slope is at least 0, so that a map is monotone. */
export function fitConfidence(judged: readonly JudgedScore[]): ConfidenceMap {
  const positive = judged.filter(({ isTrue }) => isTrue).length;
  const targets = { true: (positive + 1) / (positive + 2), false: 1 / (judged.length - positive + 2) };
  const rows = judged.map(({ score, isTrue }) => ({
    x: logOdds(score),
    y: isTrue ? targets.true : targets.false,
  }));
  const free = descend(rows, false);
  return free.slope > 0 ? free : descend(rows, true);
}

interface Row {
  readonly x: number;
  readonly y: number;
}

/** `isFlat`: with a slope of 0. A step is halved until it leads downwards: a whole one may lead away from the only minimum. */
function descend(rows: readonly Row[], isFlat: boolean): ConfidenceMap {
  let map: ConfidenceMap = { slope: isFlat ? 0 : 1, offset: 0 };
  for (let step = 0; step < STEPS; step++) {
    const { slope, offset } = stepFrom(map, rows, isFlat);
    let share = 1;
    let next = map;
    do {
      next = { slope: map.slope - share * slope, offset: map.offset - share * offset };
      share /= 2;
    } while (share > LEAST_STEP && lossOf(next, rows) > lossOf(map, rows));
    map = next;
  }
  return map;
}

function stepFrom({ slope, offset }: ConfidenceMap, rows: readonly Row[], isFlat: boolean): ConfidenceMap {
  let [a, b, aa, ab, bb] = [PRIOR * (slope - 1), 0, PRIOR, 0, 1e-9];
  for (const { x, y } of rows) {
    const p = logistic(slope * x + offset);
    const weight = p * (1 - p);
    a += (p - y) * x;
    b += p - y;
    aa += weight * x * x;
    ab += weight * x;
    bb += weight;
  }
  if (isFlat) return { slope: 0, offset: b / bb };
  const determinant = aa * bb - ab * ab;
  return { slope: (bb * a - ab * b) / determinant, offset: (aa * b - ab * a) / determinant };
}

/** Cross entropy and prior. */
function lossOf({ slope, offset }: ConfidenceMap, rows: readonly Row[]): number {
  const entropy = rows.reduce((sum, { x, y }) => {
    const value = slope * x + offset;
    return sum + Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value))) - y * value;
  }, 0);
  return entropy + (PRIOR / 2) * (slope - 1) ** 2;
}

function logOdds(score: number): number {
  const bounded = Math.max(1e-3, Math.min(1 - 1e-3, score));
  return Math.log(bounded / (1 - bounded));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
