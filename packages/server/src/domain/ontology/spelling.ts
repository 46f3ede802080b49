/** Finds the name that was probably meant. */
import { quoted } from "./faults.ts";
import { nameKey } from "./fields.ts";

/** Longer names are only compared by their key; keeps a comparison cheap. */
const MAX_COMPARED = 60;

/** `unknown node type "Persn"`, with the nearest known one where one is near. */
export function unknownType(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? "" : `, did you mean ${quoted(nearest)}?`;
  return `unknown node type ${quoted(name)}${hint}`;
}

/** The known name that differs least, by at most a third of its letters and never by more than three; ties by order. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = spelling(name);
  let nearest: string | null = null;
  let fewest = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    if (fewest === 0) break;
    const edits = countEdits(wanted, spelling(candidate), fewest);
    if (edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

function spelling(name: string): string {
  return nameKey(name).replace(/[_-]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; `limit` for that many or more. */
function countEdits(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  if (Math.max(one.length, other.length) > MAX_COMPARED) return limit;
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = nextRow({ one, other, i, row, before });
    if (Math.min(...next) >= limit) return limit;
    before = row;
    row = next;
  }
  return Math.min(limit, row[other.length] ?? limit);
}

function nextRow(state: {
  one: string;
  other: string;
  i: number;
  row: readonly number[];
  before: readonly number[];
}): readonly number[] {
  const { one, other, i, row, before } = state;
  const next = [i];
  for (let j = 1; j <= other.length; j++) {
    const isSame = one[i - 1] === other[j - 1];
    let edits = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
    const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
    if (isSwap) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
    next.push(edits);
  }
  return next;
}
