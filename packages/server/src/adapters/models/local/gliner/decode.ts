/** From a model's logits to spans with labels, as the GLiNER library decodes them. */

/** Words from `start` to `end`, both inclusive. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: number;
  /** 0…1 */
  readonly score: number;
}

export interface Logits {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** The surest of more candidates are kept: a text of this length has fewer names. */
const MAX_CANDIDATES = 2_000;

/** Logits of a span model: [1, words, widths, labels]. */
export function spanCandidates(
  { data, dims }: Logits,
  { words, threshold }: { readonly words: number; readonly threshold: number },
): readonly LabelledSpan[] {
  const [, , widths = 0, labels = 0] = dims;
  const least = logit(threshold);
  const found: LabelledSpan[] = [];
  for (let start = 0; start < words; start++)
    for (let width = 0; width < widths && start + width < words; width++)
      for (let label = 0; label < labels; label++) {
        const value = data[(start * widths + width) * labels + label]!; // In range.
        if (value > least) found.push({ start, end: start + width, label, score: sigmoid(value) });
      }
  return surest(found);
}

/** Logits of a token model: of the start, the end and the inside, last as [1, words, labels, 3] or first as [3, 1, words, labels]. */
export function tokenCandidates(
  { data, dims }: Logits,
  { words, threshold }: { readonly words: number; readonly threshold: number },
): readonly LabelledSpan[] {
  const isLast = dims[0] === 1;
  const labels = dims[isLast ? 2 : 3] ?? 0;
  const all = dims[isLast ? 1 : 2] ?? 0;
  const score = (kind: number, word: number, label: number) => {
    const at = word * labels + label;
    return sigmoid(data[isLast ? at * 3 + kind : kind * all * labels + at]!); // In range.
  };
  const found: LabelledSpan[] = [];
  for (let start = 0; start < words && found.length < MAX_CANDIDATES; start++)
    for (let label = 0; label < labels; label++) {
      let least = score(0, start, label);
      if (least <= threshold) continue;
      for (let end = start; end < words; end++) {
        const inside = score(2, end, label);
        if (inside < threshold) break;
        least = Math.min(least, inside);
        const last = score(1, end, label);
        if (last > threshold) found.push({ start, end, label, score: Math.min(least, last) });
      }
    }
  return surest(found);
}

function surest(found: readonly LabelledSpan[]): readonly LabelledSpan[] {
  if (found.length <= MAX_CANDIDATES) return found;
  return found.toSorted((one, other) => other.score - one.score).slice(0, MAX_CANDIDATES);
}

/**
 * The surest spans of which no two overlap, by their start. `nested`: one may lie within another. A span has one label.
 */
export function chooseSpans<Of extends LabelledSpan>(
  candidates: readonly Of[],
  nested: boolean,
): readonly Of[] {
  const chosen: Of[] = [];
  for (const span of candidates.toSorted((one, other) => other.score - one.score))
    if (!chosen.some((other) => excludes(span, other, nested))) chosen.push(span);
  return chosen.toSorted((one, other) => one.start - other.start);
}

function excludes(one: LabelledSpan, other: LabelledSpan, nested: boolean): boolean {
  if (one.start === other.start && one.end === other.end) return true;
  if (one.start > other.end || other.start > one.end) return false;
  const isWithin = (inner: LabelledSpan, outer: LabelledSpan) =>
    outer.start <= inner.start && inner.end <= outer.end;
  return !(nested && (isWithin(one, other) || isWithin(other, one)));
}

/** Between two entities, by their index. */
export interface PairRelation {
  readonly source: number;
  readonly target: number;
  readonly label: number;
  /** 0…1 */
  readonly score: number;
}

/**
 * Of ordered pairs that are likely related at all: `adjacency` has shares, [1, entities, entities]; `logits` are
 * [1, entities, entities, labels].
 */
export function relationCandidates(
  { adjacency, logits }: { readonly adjacency: Logits; readonly logits: Logits },
  { threshold, relationThreshold }: { readonly threshold: number; readonly relationThreshold: number },
): readonly PairRelation[] {
  const [, count = 0, , labels = 0] = logits.dims;
  const found: PairRelation[] = [];
  for (let pair = 0; pair < count * count; pair++) {
    const [source, target] = [Math.floor(pair / count), pair % count];
    if (source === target || (adjacency.data[pair] ?? 0) <= threshold) continue;
    for (let label = 0; label < labels; label++) {
      const score = sigmoid(logits.data[pair * labels + label]!); // In range.
      if (score > relationThreshold) found.push({ source, target, label, score });
    }
  }
  return found;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function logit(share: number): number {
  return Math.log(share / (1 - share));
}
