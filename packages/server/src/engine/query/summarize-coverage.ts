/** How much of a question sentences cover, with what stands around them. */
import type { TermFinder } from "../text/term-finder.ts";

/** The question's terms in texts, and words related to them. */
export interface AskedTerms {
  readonly asked: ReadonlySet<string>;
  /** By term of the question. */
  readonly related: ReadonlyMap<string, readonly string[]>;
  /** Finds both. */
  readonly find: TermFinder;
}

/** A text that a sentence has or stands near, and what a term of the question counts there, 0…1. */
export interface NearbyTerms {
  readonly found: ReadonlySet<string> | undefined;
  readonly counts: number;
  /** What it counts where only a word related to it is found; 0 if absent. */
  readonly countsRelated?: number;
}

/**
 * The returned function gives the share of the question's terms, 0…1, that the nearby texts of a sentence have; each counts where it counts
 * most, rare ones more. `sentences`: what each sentence has itself. `around`: what counts for all sentences of a chunk. A long question has
 * more terms than all sentences: its others count once, not for each sentence.
 */
export function createCoverage(
  { asked, related }: AskedTerms,
  input: {
    readonly sentences: readonly ReadonlySet<string>[];
    /** By chunk. */
    readonly around: readonly (readonly NearbyTerms[])[];
    /** Everything that is found in other texts. */
    readonly elsewhere: readonly ReadonlySet<string>[];
  },
): (chunk: number, nearby: readonly NearbyTerms[]) => number {
  const { sentences, around } = input;
  const inChunks = around.flat().flatMap(({ found }) => found ?? []);
  const seen = new Set([...sentences, ...inChunks, ...input.elsewhere].flatMap((found) => [...found]));
  const idf = inverseFrequencies(asked, sentences);
  const present = [...idf].filter(
    ([term]) => seen.has(term) || related.get(term)?.some((other) => seen.has(other)) === true,
  );
  const total = [...idf.values()].reduce((sum, value) => sum + value, 0);
  const values = Float64Array.from(present, ([, value]) => value);
  const placeOf = new Map(present.map(([term], place) => [term, place]));
  const relatedPlaces = placesByRelated(placeOf, related);

  function raise(shares: Float64Array, { found = new Set(), counts, countsRelated = 0 }: NearbyTerms): void {
    const least = (place: number, share: number) => {
      if ((shares[place] ?? 1) < share) shares[place] = share;
    };
    for (const word of found) {
      const place = placeOf.get(word);
      if (place !== undefined) least(place, counts);
      if (countsRelated > 0) for (const other of relatedPlaces.get(word) ?? []) least(other, countsRelated);
    }
  }
  function sharesIn(nearby: readonly NearbyTerms[], before: Float64Array): Float64Array {
    const shares = before.slice();
    for (const each of nearby) raise(shares, each);
    return shares;
  }
  const none = new Float64Array(present.length);
  const ofChunks = around.map((nearby) => sharesIn(nearby, none));
  return (chunk, nearby) => {
    const shares = sharesIn(nearby, ofChunks[chunk] ?? none);
    // A plain loop over numbers: it runs for each sentence.
    let covered = 0;
    for (let place = 0; place < values.length; place++)
      covered += (values[place] ?? 0) * (shares[place] ?? 0);
    return total === 0 ? 0 : covered / total;
  };
}

/** The places of the terms to which a word is related. */
function placesByRelated(
  placeOf: ReadonlyMap<string, number>,
  related: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [term, words] of related) {
    const place = placeOf.get(term);
    if (place === undefined) continue;
    for (const word of words) places.set(word, [...(places.get(word) ?? []), place]);
  }
  return places;
}

/** In the order of the question's terms. */
function inverseFrequencies(
  asked: ReadonlySet<string>,
  sentences: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const terms of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const idfOf = (term: string) => Math.log(1 + sentences.length / ((counts.get(term) ?? 0) + 0.5));
  return new Map([...asked].map((term) => [term, idfOf(term)]));
}
