/** Passes the paths of the graph ranking on to the summary. */
import type { ChunkKey } from "../../domain/document.ts";
import type { RankedChunk } from "../../domain/query.ts";
import type { GraphRanking } from "./graph/rank.ts";
import type { SummaryInput } from "./summarize.ts";

/** The summary considers the paths to the first chunks only. */
const CONNECTED_CHUNKS = 3;
const MAX_LEADING_UNITS = 2_000;

/**
 * Adds to the first chunks the sentences on the paths to them, and returns the places of those sentences.
 * Returns the chunks unchanged without a ranking.
 */
export function connectChunks(
  chunks: readonly RankedChunk[],
  ranking: Pick<GraphRanking, "paths"> | null,
): Pick<SummaryInput, "chunks" | "connecting"> {
  if (ranking === null) return { chunks };
  const byKey = new Map(chunks.map((chunk) => [keyOf(chunk), chunk]));
  const first = new Set(chunks.slice(0, CONNECTED_CHUNKS).map(keyOf));
  const leading = new Map<string, string>();
  const connecting = ranking.paths
    .filter(({ target }) => first.has(keyOf(target)))
    .map(({ seed, sentence, target }) => {
      const from = byKey.get(keyOf(seed));
      const text =
        from?.text.slice(Math.max(0, sentence.start - from.start), sentence.end - from.start) ?? "";
      const known = leading.get(keyOf(target)) ?? "";
      if (known.length + text.length < MAX_LEADING_UNITS) leading.set(keyOf(target), `${known}\n${text}`);
      return { versionId: seed.versionId, start: sentence.start, end: sentence.end };
    });
  return {
    chunks: chunks.map((chunk) => {
      const leadingText = leading.get(keyOf(chunk));
      return leadingText === undefined ? chunk : { ...chunk, leadingText };
    }),
    connecting,
  };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
