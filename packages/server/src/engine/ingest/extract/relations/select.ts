/** Chooses among scored candidates: no two readings of one fact, no relation both ways. */

import type { TokenRange } from "../statements/tagged-token.ts";
import type { Candidate } from "./candidates.ts";

export interface Scored {
  readonly candidate: Candidate;
  /** Range of tokens of the target. */
  readonly target: TokenRange;
  readonly confidence: number;
}

/** A number for the two ends of a candidate; −1 for none. */
export function pairOf(candidate: Candidate | undefined): number {
  return candidate === undefined ? -1 : (candidate.source.mention + 8) * 1024 + candidate.target;
}

/** The best first; of equals the first. */
export function selectRelations(scored: readonly Scored[]): readonly Scored[] {
  const order = scored.map((_, index) => index);
  order.sort((a, b) => (scored[b]?.confidence ?? 0) - (scored[a]?.confidence ?? 0) || a - b);
  const kept: Scored[] = [];
  for (const index of order) {
    const one = scored[index];
    if (one !== undefined && !kept.some((other) => excludes(other, one))) kept.push(one);
  }
  return kept;
}

function excludes(kept: Scored, other: Scored): boolean {
  if (kept.candidate.edge !== other.candidate.edge) return false;
  const [keptSource, otherSource] = [kept.candidate.source.range, other.candidate.source.range];
  if (overlap(kept.target, other.target)) {
    // The same target of another source is another fact; the same source, or another cut of the target, is the same.
    return !isSame(kept.target, other.target) || overlap(keptSource, otherSource);
  }
  return overlap(keptSource, other.target) && overlap(kept.target, otherSource);
}

const overlap = (a: TokenRange, b: TokenRange) => a.from < b.to && b.from < a.to;
const isSame = (a: TokenRange, b: TokenRange) => a.from === b.from && a.to === b.to;
