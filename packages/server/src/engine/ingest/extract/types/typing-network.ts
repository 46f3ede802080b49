/**
 * Scores spans of a sentence for the broad classes of `ANCHORS`, from the states of its words.
 *
 * Words are projected to a few numbers, each looks at its two neighbours, and a span is read from its first and last word, the mean
 * of its words, and the words around it. Learned by evals/entity-typing; span readings after Lee et al. 2017
 * (https://arxiv.org/abs/1707.07045).
 */
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { dot } from "../vectors.ts";
import { NETWORK, type Weights } from "./weights.ts";
import { shapeOf } from "./word-shape.ts";

const { input, shape, hidden, span, anchors } = NETWORK;

const kindRows = { proper: 0, noun: 1, quoted: 2, date: 3, number: 4, demonym: 5 } as const;

/** The row of `NETWORK.kinds` for a mention: its kind, and whether it is another reading of a mention. */
export function kindRowOf({ kind, variantOf }: EntityMention): number {
  return kindRows[kind] + (variantOf === null ? 0 : NETWORK.kinds / 2);
}

export interface SpanScores {
  /** `mentions` rows of `NETWORK.anchors` logits. */
  readonly anchors: Float32Array;
  /** A logit for each mention: no entity, or a wrong span. */
  readonly none: Float32Array;
}

export type ScoreSpans = (
  tokens: readonly TaggedToken[],
  mentions: readonly EntityMention[],
  centred: Float32Array,
) => SpanScores;

/**
 * `centred`: a row of `NETWORK.input` numbers for each token, less the mean of the weights. The words of a sentence are read once,
 * most of the work, while its tokens live: mentions that were among those of an earlier call cost little.
 */
export function createSpanScorer(weights: Weights): ScoreSpans {
  const known = new WeakMap<readonly TaggedToken[], KnownWords>();
  return (tokens, mentions, centred) => {
    const before = known.get(tokens);
    const isRead = before !== undefined && mentions.every((mention) => before.mentions.has(mention));
    const words = isRead ? before.words : readWords({ tokens, mentions, centred }, weights);
    if (!isRead) known.set(tokens, { mentions: new Set(mentions), words });
    const scores = {
      anchors: new Float32Array(mentions.length * anchors),
      none: new Float32Array(mentions.length),
    };
    const reading = new Float32Array(span);
    for (const [index, mention] of mentions.entries()) {
      readSpan(mention, { words, weights, count: tokens.length, reading });
      const row = scores.anchors.subarray(index * anchors, (index + 1) * anchors);
      row.set(weights.anchorBias);
      multiplyAdd(reading, weights.anchor, row);
      scores.none[index] = weights.noneBias[0]! + dot(reading, weights.none);
    }
    return scores;
  };
}

/** What spans read of the words: a row of `NETWORK.span` numbers for each token. */
interface WordReadings {
  readonly first: Float32Array;
  readonly last: Float32Array;
  readonly before: Float32Array;
  readonly after: Float32Array;
  /** Running sums: row i holds the sum of the tokens before i. */
  readonly middle: Float32Array;
}

interface KnownWords {
  readonly mentions: ReadonlySet<EntityMention>;
  readonly words: WordReadings;
}

interface SentenceWords {
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
  readonly centred: Float32Array;
}

/** For each reading the tokens at which some mention takes it: a third of the work is spared. */
function readPlaces(count: number, mentions: readonly EntityMention[]) {
  const places = () => new Uint8Array(count);
  const used = { first: places(), last: places(), before: places(), after: places(), middle: places() };
  for (const { from, to } of mentions) {
    used.first[from] = 1;
    used.last[to - 1] = 1;
    if (from > 0) used.before[from - 1] = 1;
    if (to < count) used.after[to] = 1;
    used.middle.fill(1, from, to);
  }
  return used;
}

/** The words of mentions, and two before and behind them, which are all that readings of mentions can see. */
function wordsNear(count: number, mentions: readonly EntityMention[]): Uint8Array {
  const near = new Uint8Array(count);
  for (const { from, to } of mentions) near.fill(1, Math.max(0, from - 2), Math.min(count, to + 2));
  return near;
}

function readWords({ tokens, mentions, centred }: SentenceWords, weights: Weights): WordReadings {
  const count = tokens.length;
  const used = readPlaces(count, mentions);
  const near = wordsNear(count, mentions);
  const own = new Float32Array(count * hidden);
  for (let at = 0; at < count; at++) {
    if (near[at] === 0) continue;
    const row = own.subarray(at * hidden, (at + 1) * hidden);
    row.set(weights.projectBias);
    multiplyAdd(centred.subarray(at * input, (at + 1) * input), weights.project, row);
    multiplyAdd(shapeOf(tokens[at]!, shape), weights.projectShape, row);
    for (let k = 0; k < hidden; k++) row[k] = Math.tanh(row[k]!);
  }
  const seen = own.slice();
  for (let at = 0; at < count; at++) {
    if (near[at] === 0) continue;
    const row = seen.subarray(at * hidden, (at + 1) * hidden);
    if (at > 0) multiplyAdd(own.subarray((at - 1) * hidden, at * hidden), weights.left, row);
    if (at + 1 < count) multiplyAdd(own.subarray((at + 1) * hidden, (at + 2) * hidden), weights.right, row);
    for (let k = 0; k < hidden; k++) row[k] = Math.max(0, row[k]!);
  }
  const middle = new Float32Array((count + 1) * span);
  middle.set(projectRows(own, used.middle, weights.middle), span);
  for (let at = span; at < middle.length; at++) middle[at] = middle[at]! + middle[at - span]!;
  return {
    first: projectRows(seen, used.first, weights.first),
    last: projectRows(seen, used.last, weights.last),
    before: projectRows(seen, used.before, weights.before),
    after: projectRows(seen, used.after, weights.after),
    middle,
  };
}

function projectRows(rows: Float32Array, used: Uint8Array, matrix: Float32Array): Float32Array {
  const projected = new Float32Array(used.length * span);
  for (let at = 0; at < used.length; at++) {
    if (used[at] === 0) continue;
    const row = projected.subarray(at * span, (at + 1) * span);
    multiplyAdd(rows.subarray(at * hidden, (at + 1) * hidden), matrix, row);
  }
  return projected;
}

interface SpanContext {
  readonly words: WordReadings;
  readonly weights: Weights;
  /** Tokens of the sentence. */
  readonly count: number;
  readonly reading: Float32Array;
}

function readSpan(mention: EntityMention, { words, weights, count, reading }: SpanContext): void {
  const { from, to } = mention;
  const length = Math.min(to - from, NETWORK.lengths - 1);
  const kind = kindRowOf(mention);
  for (let k = 0; k < span; k++) {
    const around =
      (from > 0 ? words.before[(from - 1) * span + k]! : 0) + (to < count ? words.after[to * span + k]! : 0);
    const mean = (words.middle[to * span + k]! - words.middle[from * span + k]!) / (to - from);
    const learned =
      weights.spanBias[k]! + weights.kind[kind * span + k]! + weights.length[length * span + k]!;
    const ends = words.first[from * span + k]! + words.last[(to - 1) * span + k]!;
    reading[k] = Math.max(0, ends + mean + around + learned);
  }
}

/**
 * target += row × matrix; the matrix has a row for each number of `row`. Eight rows at a time: less than half the time of one by
 * one, as the target is read and written less.
 */
function multiplyAdd(row: Float32Array, matrix: Float32Array, target: Float32Array): void {
  const width = target.length;
  const blocked = row.length - (row.length % 8);
  for (let i = 0; i < blocked; i += 8) {
    const a = row[i]!;
    const b = row[i + 1]!;
    const c = row[i + 2]!;
    const d = row[i + 3]!;
    const e = row[i + 4]!;
    const f = row[i + 5]!;
    const g = row[i + 6]!;
    const h = row[i + 7]!;
    const first = i * width;
    const middle = first + 4 * width;
    for (let k = 0; k < width; k++) {
      const at = first + k;
      const half = a * matrix[at]! + b * matrix[at + width]!;
      const rest = c * matrix[at + 2 * width]! + d * matrix[at + 3 * width]!;
      const low = middle + k;
      const more = e * matrix[low]! + f * matrix[low + width]!;
      const last = g * matrix[low + 2 * width]! + h * matrix[low + 3 * width]!;
      target[k] = target[k]! + (half + rest) + (more + last);
    }
  }
  for (let i = blocked; i < row.length; i++) {
    const value = row[i]!;
    if (value === 0) continue;
    for (let k = 0; k < width; k++) target[k] = target[k]! + value * matrix[i * width + k]!;
  }
}
