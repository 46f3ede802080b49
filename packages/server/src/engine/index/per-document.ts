/** Bounds how many chunks of one document a list has. */
import { type ChunkIdentity, compareIdentities, type Identities } from "./candidates.ts";
import type { ScoredId } from "./top-list.ts";

/** The chunks in their order, without those behind the first `max` of their document. null = all of them. */
export function keepPerDocument<Chunk extends { readonly sourceDocId: string }>(
  ranked: readonly Chunk[],
  max: number | null,
): readonly Chunk[] {
  if (max === null) return ranked;
  const counts = new Map<string, number>();
  return ranked.filter(({ sourceDocId }) => {
    const count = counts.get(sourceDocId) ?? 0;
    counts.set(sourceDocId, count + 1);
    return count < max;
  });
}

/** The chunks that one pass over the index kept, best first. */
export interface Pass {
  readonly best: readonly ScoredId[];
  /** BM25 sums of at least these chunks. */
  readonly lexical: ReadonlyMap<number, number>;
}

/** A chunk of a pass, with its document. */
export interface IdentifiedId extends ScoredId, ChunkIdentity {}

/** Ten times the highest limit. */
const KEPT_CHUNKS = 1_000;
const MAX_PASSES = 8;

/**
 * Chunks by estimated score, best first, of so many documents that {@link keepPerDocument} leaves `limit` of them wherever the
 * index has as many. While a pass is full and the list is not, the next pass leaves out the documents of which twice
 * `perDocument` chunks were found. After the last pass, the best 8,000 chunks or more have been seen; the list then stays shorter.
 */
export async function passUntilFilled(
  pass: (options: { readonly excluded: ReadonlySet<number>; readonly keepCount: number }) => Promise<Pass>,
  {
    limit,
    perDocument,
    identities,
  }: { readonly limit: number; readonly perDocument: number; readonly identities: Pick<Identities, "of"> },
): Promise<{ readonly best: readonly IdentifiedId[]; readonly lexical: ReadonlyMap<number, number> }> {
  const found = new Map<number, IdentifiedId>();
  const lexical = new Map<number, number>();
  let best: readonly IdentifiedId[] = [];
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const excluded = crowdedVersions(best, 2 * perDocument);
    const kept = await pass({ excluded, keepCount: KEPT_CHUNKS });
    for (const [id, sum] of kept.lexical) lexical.set(id, sum);
    for (const scored of kept.best) found.set(scored.id, { ...scored, ...identities.of(scored.id) });
    best = [...found.values()].sort((one, other) => other.score - one.score || compareIdentities(one, other));
    const isFilled = keepPerDocument(best, perDocument).length >= limit;
    if (isFilled || kept.best.length < KEPT_CHUNKS) break;
  }
  return { best, lexical };
}

/** The versions of documents of which `count` chunks or more were found. */
function crowdedVersions(chunks: readonly IdentifiedId[], count: number): ReadonlySet<number> {
  const counts = new Map<string, number>();
  for (const { sourceDocId } of chunks) counts.set(sourceDocId, (counts.get(sourceDocId) ?? 0) + 1);
  const crowded = chunks.filter(({ sourceDocId }) => (counts.get(sourceDocId) ?? 0) >= count);
  return new Set(crowded.map(({ versionId }) => versionId));
}
