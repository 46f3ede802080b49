/** Suggests the known name for a misspelt one. */
import { quoted } from "./faults.ts";
import { nameKey } from "./fields.ts";

/**
 * In characters. Longer names are only compared for equality, which bounds
 * the quadratic cost of a comparison.
 */
const MAX_COMPARED = 60;

/** `unknown node type "Persn"`, with the nearest known name, if one is near enough. */
export function unknownType(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? "" : `, did you mean ${quoted(nearest)}?`;
  return `unknown node type ${quoted(name)}${hint}`;
}

/**
 * The known name with the smallest edit distance, at most three and at most a third of the length of `name`;
 * of several the first. null when none is near enough.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const misspelt = spelling(name);
  let nearest: string | null = null;
  let fewestEdits = Math.min(3, Math.floor(misspelt.length / 3)) + 1;
  for (const candidate of known) {
    if (fewestEdits === 0) break;
    const edits = countEdits(misspelt, spelling(candidate), fewestEdits);
    if (edits < fewestEdits) {
      nearest = candidate;
      fewestEdits = edits;
    }
  }
  return nearest;
}

function spelling(name: string): string {
  return nameKey(name).replace(/[_-]/g, "");
}

/**
 * Edit distance with insertions, deletions, replacements and swaps of adjacent characters (optimal string alignment); `limit`
 * when it is at least `limit`. Computes only the cells within `limit` of the diagonal, since any other one has more edits: cell k
 * of row i is column i + k - limit.
 */
function countEdits(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  if (Math.max(one.length, other.length) > MAX_COMPARED) return limit;
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: 2 * limit + 1 }, (_, k) => Math.abs(k - limit));
  for (let i = 1; i <= one.length; i++) {
    const next = nextRow({ one, other, i, limit, row, before });
    if (Math.min(...next) >= limit) return limit;
    before = row;
    row = next;
  }
  return Math.min(limit, row[other.length - one.length + limit] ?? limit);
}

function nextRow(state: {
  one: string;
  other: string;
  i: number;
  limit: number;
  row: readonly number[];
  before: readonly number[];
}): readonly number[] {
  const { one, other, i, limit, row, before } = state;
  const next: number[] = [];
  for (let k = 0; k <= 2 * limit; k++) {
    const j = i + k - limit;
    if (j <= 0 || j > other.length) {
      next.push(j === 0 ? i : limit);
      continue;
    }
    const replaced = (row[k] ?? limit) + (one[i - 1] === other[j - 1] ? 0 : 1);
    let edits = Math.min((row[k + 1] ?? limit) + 1, (next[k - 1] ?? limit) + 1, replaced);
    const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
    if (isSwap) edits = Math.min(edits, (before[k] ?? limit) + 1);
    next.push(edits);
  }
  return next;
}
