/** What two things that a question compares by a time come to, and the sentences that tell it. */
import type { ComposedSummary, FollowedName, RankedChunk } from "../../../domain/query.ts";
import { type Comparison, readComparison } from "./comparison.ts";
import { findYear, type Stated } from "./find-year.ts";
import { keyOf } from "./read-step.ts";

/** One of the two things. */
export interface Compared {
  readonly name: string;
  /** Whom or what the time belongs to, where that is not the thing itself. */
  readonly owner: FollowedName | null;
}

interface Dated extends Compared {
  readonly stated: Stated;
}

const MAX_QUOTED_UNITS = 420;

/** The verdict, and below it both sentences, where the passages state both times; null for any other question. */
export function verdictOfPassages(query: string, chunks: readonly RankedChunk[]): ComposedSummary | null {
  const comparison = readComparison(query);
  if (comparison === null || comparison.role !== null) return null;
  const [one, other] = comparison.names;
  if (keyOf(one) === keyOf(other)) return null;
  const { event } = comparison;
  const ours = findYear(chunks, { name: one, event });
  const theirs = ours === null ? null : findYear(chunks, { name: other, event });
  if (ours === null || theirs === null) return null;
  return verdictOf(comparison, [
    { name: one, owner: null, stated: ours },
    { name: other, owner: null, stated: theirs },
  ]);
}

/** null where neither is the later or longer one for sure. */
export function verdictOf(
  comparison: Comparison,
  [one, other]: readonly [Dated, Dated],
): ComposedSummary | null {
  const measures = [one, other].map(({ stated }) => measureOf(stated, comparison));
  const [ours, theirs] = measures;
  if (ours == null || theirs == null) return null;
  // Lives of years alone can be a year longer or shorter.
  if (Math.abs(ours - theirs) < (comparison.isLength ? 2 : 1)) return null;
  const isFirst = ours > theirs === comparison.isLater;
  const { name, owner } = isFirst ? one : other;
  const [asserted, against] = isFirst ? [ours, theirs] : [theirs, ours];
  const whose = owner === null ? "" : `, whose ${comparison.role} ${owner.name}`;
  const compared = comparison.isLength
    ? `about ${asserted} years against ${against}`
    : `${asserted} against ${against}`;
  // A reader can tell what the sentences leave open: another person of the name, a year in a novel.
  const verdict = `Going by these sentences, ${name}${whose} ${comparison.verdict}: ${compared}.`;
  const text = [verdict, quote(one.stated), quote(other.stated)].join("\n");
  return { text, isDenied: false, quotes: [one.stated.from, other.stated.from] };
}

/** A year, or the years that a life had. */
function measureOf({ year, end }: Stated, { isLength }: Comparison): number | null {
  if (!isLength) return year;
  return end === null ? null : end - year;
}

function quote({ sentence }: Stated): string {
  const line = sentence.replace(/\s+/g, " ").trim();
  return line.length <= MAX_QUOTED_UNITS ? line : `${line.slice(0, MAX_QUOTED_UNITS).toWellFormed()} …`;
}
