/** Features of a candidate among those that compete for the same target. */

import type { Candidate } from "./candidates.ts";

/** Where the compared numbers stand in a row. */
export interface ComparedColumns {
  readonly triggers: readonly number[];
  readonly fit: number;
  readonly example: number;
  /** Where the comparisons are written. */
  readonly first: number;
}

export interface Compared {
  readonly rows: readonly Float64Array[];
  readonly candidates: readonly Candidate[];
  readonly columns: ComparedColumns;
}

export const comparisonNames = [
  "triggerBest",
  "triggerBehind",
  "triggerLeads",
  "fitBehind",
  "exampleBehind",
  "exampleLeads",
  "edgesCompeting",
  "edgesOfPair",
] as const;

export function writeComparisons({ rows, candidates, columns }: Compared, group: readonly number[]): void {
  const best = { trigger: 0, fit: 0, example: 0 };
  const edges = new Set<number>();
  const pairs = new Map<number, number>();
  for (const index of group) {
    const row = rows[index];
    const candidate = candidates[index];
    if (row === undefined || candidate === undefined) continue;
    best.trigger = Math.max(best.trigger, most(row, columns.triggers));
    best.fit = Math.max(best.fit, row[columns.fit] ?? 0);
    best.example = Math.max(best.example, row[columns.example] ?? 0);
    edges.add(candidate.edge);
    const pair = pairOf(candidate);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  for (const index of group) {
    const row = rows[index];
    const candidate = candidates[index];
    if (row === undefined || candidate === undefined) continue;
    const trigger = most(row, columns.triggers);
    const example = row[columns.example] ?? 0;
    row.set(
      [
        trigger,
        trigger - best.trigger,
        trigger > 0 && trigger >= best.trigger ? 1 : 0,
        (row[columns.fit] ?? 0) - best.fit,
        example - best.example,
        example > 0 && example >= best.example ? 1 : 0,
        1 / edges.size,
        Math.min(pairs.get(pairOf(candidate)) ?? 1, 8) / 8,
      ],
      columns.first,
    );
  }
}

const pairOf = ({ source, target }: Candidate) => (source.mention + 1) * 1024 + target;

function most(row: Float64Array, columns: readonly number[]): number {
  let best = 0;
  for (const column of columns) best = Math.max(best, row[column] ?? 0);
  return best;
}
