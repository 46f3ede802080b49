/** What the bundled model reads in a text for some labels: names, what a span may be, and how two spans are related. */
import type { Span } from "../../../../domain/graph.ts";
import type { FactNumbers } from "../../../../ports/fact-model.ts";

const SPAN = 256;
const PAIR = 384;
/** Tokens of the longest name. */
const MAX_TOKENS = 24;
const LEAST_END = 0.25;
const LEAST_INSIDE = 0.2;
/** Tokens that are read before and behind a pair. */
const [BEFORE, AFTER] = [4, 5];

export interface FoundSpan extends Span {
  /** 0…1, as learned: how sure it is that this is a name, or a term of one of the types. */
  readonly score: number;
}

/** All offsets are into the text that was read. */
export interface FactReading {
  /** Apart from each other, in the order of the text. */
  readonly names: readonly FoundSpan[];
  /** Indexes of the types that the model was not asked for. */
  readonly unreadTypes: ReadonlySet<number>;
  /** How likely the span is of each type, 0 for unread ones; the rest is that it is of none. null where the model has not read so far. */
  typesOf(span: Span): Float32Array | null;
  /** null where the model has not read so far, and for spans that overlap. */
  pairOf(source: Span, target: Span): PairReading | null;
}

export interface PairReading {
  /** For each relation: how likely the text states it of these two. */
  readonly logits: Float32Array;
  /** What the model makes of the two, whatever the relation: pairs that are related alike have similar ones. */
  readonly vector: Float32Array;
}

/** `starts` and `ends`: of each token's word, without [CLS] and [SEP]. */
export interface TokenPlaces {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

interface TokenRange {
  readonly first: number;
  readonly last: number;
}

export function readFacts(numbers: FactNumbers, { starts, ends }: TokenPlaces): FactReading {
  const rangeOf = ({ start, end }: Span): TokenRange | null => {
    const first = ends.findIndex((at) => at > start);
    const beyond = starts.findIndex((at) => at >= end);
    const last = (beyond < 0 ? starts.length : beyond) - 1;
    // [CLS] is the first row.
    return first < 0 || last < first || (ends.at(-1) ?? 0) < end
      ? null
      : { first: first + 1, last: last + 1 };
  };
  let sums: Float32Array | null = null;
  return {
    unreadTypes: new Set(),
    names: findNames(numbers).map(({ first, last, score }) => ({
      start: starts[first - 1] ?? 0,
      end: ends[last - 1] ?? 0,
      score,
    })),
    typesOf(span) {
      const range = rangeOf(span);
      return range === null ? null : typeShares(numbers, range);
    },
    pairOf(source, target) {
      const [from, to] = [rangeOf(source), rangeOf(target)];
      if (from === null || to === null || (from.first <= to.last && to.first <= from.last)) return null;
      sums ??= sumPairParts(numbers);
      const pair = placePair(numbers.tokens, from, to);
      const vector = vectorOf(numbers, sums, pair);
      return { vector, logits: relationLogits(numbers, pair, vector) };
    },
  };
}

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** The surest spans first, of every type and of names at large. */
function findNames(numbers: FactNumbers): readonly (TokenRange & { readonly score: number })[] {
  const { tokens, types, relations, tokenProducts, tokenBiases } = numbers;
  const columns = types + relations + 1;
  const found = new Map<number, TokenRange & { readonly score: number }>();
  const any = columns - 1;
  for (let column = 0; column < columns; column++) {
    if (column >= types && column !== any) continue;
    const at = (part: number, token: number) =>
      sigmoid(tokenProducts[(part * tokens + token) * columns + column]! + tokenBiases[column * 3 + part]!);
    const inside = Float64Array.from({ length: tokens }, (_, token) => at(1, token));
    const lasts = Float64Array.from({ length: tokens }, (_, token) => at(2, token));
    for (let first = 1; first < tokens - 1; first++) {
      const begins = at(0, first);
      if (begins <= LEAST_END) continue;
      let sum = 0;
      for (let last = first; last < Math.min(tokens - 1, first + MAX_TOKENS); last++) {
        if (inside[last]! < LEAST_INSIDE) break;
        sum += inside[last]!;
        if (lasts[last]! <= LEAST_END) continue;
        const score = (begins + lasts[last]! + sum / (last - first + 1)) / 3;
        const key = first * tokens + last;
        if (score > (found.get(key)?.score ?? 0)) found.set(key, { first, last, score });
      }
    }
  }
  const chosen: (TokenRange & { readonly score: number })[] = [];
  for (const one of [...found.values()].sort((a, b) => b.score - a.score || a.first - b.first))
    if (!chosen.some(({ first, last }) => first <= one.last && one.first <= last)) chosen.push(one);
  return chosen.sort((a, b) => a.first - b.first);
}

/** Gelu (Hendrycks and Gimpel 2016) with the error function by Abramowitz and Stegun 7.1.26, off by at most 1.5e-7. */
function gelu(value: number): number {
  const x = Math.abs(value) * Math.SQRT1_2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const error = 1 - series * Math.exp(-x * x);
  return 0.5 * value * (1 + (value < 0 ? -error : error));
}

function typeShares(numbers: FactNumbers, { first, last }: TokenRange): Float32Array {
  const { types, relations, spanParts, typeTokens, typeLabels, none, noneBias } = numbers;
  const width = 3 * SPAN;
  const vector = new Float32Array(SPAN);
  const share = 1 / (last - first + 1);
  for (let k = 0; k < SPAN; k++) {
    let inside = 0;
    for (let token = first; token <= last; token++) inside += spanParts[token * width + 2 * SPAN + k]!;
    vector[k] = gelu(spanParts[first * width + k]! + spanParts[last * width + SPAN + k]! + share * inside);
  }
  const logits = new Float32Array(types + 1);
  for (let type = 0; type < types; type++) {
    let logit = 0;
    for (let k = 0; k < SPAN; k++) logit += vector[k]! * typeLabels[type * SPAN + k]!;
    for (let token = first; token <= last; token++)
      logit += share * typeTokens[token * (types + relations) + type]!;
    logits[type] = logit;
  }
  logits[types] = vector.reduce((sum, value, k) => sum + value * none[k]!, noneBias);
  const highest = Math.max(...logits);
  const exponents = logits.map((logit) => Math.exp(logit - highest));
  const total = exponents.reduce((sum, value) => sum + value, 0);
  return exponents.subarray(0, types).map((value) => value / total);
}

/** Row t: the sum of the parts of all tokens before t, so that the mean over a range is a difference. */
function sumPairParts({ tokens, pairParts }: FactNumbers): Float32Array {
  const width = 5 * PAIR;
  const sums = new Float32Array((tokens + 1) * width);
  for (let token = 0; token < tokens; token++)
    for (let k = 0; k < width; k++)
      sums[(token + 1) * width + k] = sums[token * width + k]! + pairParts[token * width + k]!;
  return sums;
}

interface Pair {
  readonly source: TokenRange;
  readonly target: TokenRange;
  /** First token that is read before the pair, and the one after the last that is read behind it. */
  readonly before: number;
  readonly after: number;
  readonly distance: number;
}

function placePair(tokens: number, source: TokenRange, target: TokenRange): Pair {
  const [left, right] = source.first < target.first ? [source, target] : [target, source];
  const before = Math.min(Math.max(1, left.first - BEFORE), left.first);
  const after = Math.max(Math.min(right.last + AFTER, tokens - 1), right.last + 1);
  const gap = right.first - left.last - 1;
  const distance = Math.min(15, Math.floor(Math.log2(gap + 1) * 2.5)) + (source === left ? 16 : 0);
  return { source, target, before, after, distance };
}

function vectorOf(
  { distances }: FactNumbers,
  sums: Float32Array,
  { source, target, before, after, distance }: Pair,
): Float32Array {
  const [left, right] = source.first < target.first ? [source, target] : [target, source];
  // Half open, in the order of the parts.
  const ranges = [
    [source.first, source.last + 1],
    [target.first, target.last + 1],
    [left.last + 1, right.first],
    [before, left.first],
    [right.last + 1, after],
  ] as const;
  const vector = new Float32Array(PAIR);
  const width = 5 * PAIR;
  for (let k = 0; k < PAIR; k++) {
    let sum = distances[distance * PAIR + k]!;
    for (const [part, [from, to]] of ranges.entries()) {
      if (to <= from) continue;
      const column = part * PAIR + k;
      sum += (sums[to * width + column]! - sums[from * width + column]!) / (to - from);
    }
    vector[k] = gelu(sum);
  }
  return vector;
}

function relationLogits(
  { types, relations, edgeTokens, edgeLabels, edgeBias }: FactNumbers,
  { source, target, before, after }: Pair,
  vector: Float32Array,
): Float32Array {
  const labels = types + relations;
  return Float32Array.from({ length: relations }, (_, relation) => {
    const label = types + relation;
    let logit = edgeBias[label]!;
    for (let k = 0; k < PAIR; k++) logit += vector[k]! * edgeLabels[label * PAIR + k]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let token = before; token < after; token++) {
      const isEnd = [source, target].some(({ first, last }) => token >= first && token <= last);
      if (!isEnd) most = Math.max(most, edgeTokens[token * labels + label]!);
    }
    return most === Number.NEGATIVE_INFINITY ? logit : logit + most;
  });
}
