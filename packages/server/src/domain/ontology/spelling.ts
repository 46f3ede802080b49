/** Suggests the known name for a misspelt one. */
import { quoted } from "./faults.ts";
import { nameKey } from "./fields.ts";

/**
 * In characters. Longer names are only compared for equality, which bounds
 * the quadratic cost of a comparison.
 */
const MAX_COMPARED = 60;

/**
 * Rows of edit distances in all searches of an ontology together. Ten misspelt names among 2,000 types need 38,000, but
 * names that begin alike need a row for each of their characters.
 */
const MAX_ROWS = 100_000;

/** Makes the message `unknown node type "Persn"`, with the nearest known name, if one is near enough and found in time. */
export function createDescribeUnknown(known: readonly string[]): (name: string) => string {
  let left = MAX_ROWS;
  let spellings: readonly Spelling[] | null = null;
  return (name) => {
    spellings ??= known.map((each) => ({ name: each, letters: lettersOf(each) }));
    const { nearest, rows } = nearestName(name, spellings, left);
    left -= rows;
    const hint = nearest === null ? "" : `, did you mean ${quoted(nearest)}?`;
    return `unknown node type ${quoted(name)}${hint}`;
  };
}

interface Spelling {
  readonly name: string;
  readonly letters: string;
}

/**
 * The known name with the smallest edit distance, at most three and at most a third of the length of `name`;
 * of several the first. null when none is near enough, or found within `maxRows`.
 */
function nearestName(name: string, known: readonly Spelling[], maxRows: number) {
  const misspelt = lettersOf(name);
  let nearest: string | null = null;
  let fewestEdits = Math.min(3, Math.floor(misspelt.length / 3)) + 1;
  let rows = 0;
  for (const candidate of known) {
    if (fewestEdits === 0 || rows >= maxRows) break;
    const compared = countEdits(misspelt, candidate.letters, fewestEdits);
    rows += compared.rows;
    if (compared.edits >= fewestEdits) continue;
    nearest = candidate.name;
    fewestEdits = compared.edits;
  }
  return { nearest, rows };
}

function lettersOf(name: string): string {
  return nameKey(name).replace(/[_-]/g, "");
}

/**
 * Edit distance with insertions, deletions, replacements and swaps of adjacent characters (optimal string alignment); `limit`
 * when it is at least `limit`. Computes only the cells within `limit` of the diagonal, since any other one has more edits: cell k
 * of row i is column i + k - limit.
 */
function countEdits(one: string, other: string, limit: number): { edits: number; rows: number } {
  if (one === other) return { edits: 0, rows: 0 };
  const isLong = Math.max(one.length, other.length) > MAX_COMPARED;
  if (isLong || Math.abs(one.length - other.length) >= limit) return { edits: limit, rows: 0 };
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: 2 * limit + 1 }, (_, k) => Math.abs(k - limit));
  for (let i = 1; i <= one.length; i++) {
    const next = nextRow({ one, other, i, limit, row, before });
    if (Math.min(...next) >= limit) return { edits: limit, rows: i };
    before = row;
    row = next;
  }
  return { edits: Math.min(limit, row[other.length - one.length + limit] ?? limit), rows: one.length };
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
