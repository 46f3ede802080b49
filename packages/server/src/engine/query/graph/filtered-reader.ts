/** Keeps what a filter leaves out from having a say in the ranking. */
import type { PassagesAbout } from "../../../ports/graph-store.ts";
import { type GraphReader, type HybridScores, idOf } from "./graph-reader.ts";

/**
 * The reader without the passages that cannot be found: a name that only they are about is none, and they do not make a name
 * common. Documents are counted among the passages that are listed for a name.
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
