/** Keeps documents outside of a filter from influencing the ranking. */
import type { PassagesAbout } from "../../../ports/graph-store.ts";
import { type GraphReader, type HybridScores, idOf } from "./graph-reader.ts";

/**
 * Wraps the reader and removes the passages that the filter excludes. A name that only excluded passages
 * are about is not found, and excluded documents do not count towards the number of documents about a name;
 * that number is computed from the passages that are listed for the name.
 */
export function createFilteredReader(
  reader: GraphReader,
  { scoresOf }: Pick<HybridScores, "scoresOf">,
): GraphReader {
  return {
    ...reader,
    async findAbout(names, maxPerName) {
      const found = await reader.findAbout(names, maxPerName);
      const listed = [...found.values()].flatMap(({ passages }) => passages);
      const keys = [...new Map(listed.map((passage) => [idOf(passage), passage])).values()];
      if (keys.length === 0) return found;
      const scores = await scoresOf(keys);
      const allowed = new Set(keys.filter((_, at) => (scores[at] ?? null) !== null).map(idOf));
      const kept = new Map<string, PassagesAbout>();
      for (const [name, about] of found) {
        const passages = about.passages.filter((passage) => allowed.has(idOf(passage)));
        if (passages.length === 0) continue;
        kept.set(name, { documents: new Set(passages.map(({ versionId }) => versionId)).size, passages });
      }
      return kept;
    },
  };
}
