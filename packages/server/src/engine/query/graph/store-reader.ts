/** Reads the graph of one project from the store. */
import type { GraphStore } from "../../../ports/graph-store.ts";
import { decodePassage } from "../../graph/passage-record.ts";
import type { GraphReader } from "./graph-reader.ts";

/**
 * A record that cannot be decoded counts as missing: the graph improves a search but must not make it fail.
 */
export function createGraphReader(
  store: Pick<GraphStore, "findAbout" | "findByEnds" | "readPassages">,
  projectId: string,
): GraphReader {
  return {
    findAbout: (names, maxPerName) => store.findAbout({ projectId, names, maxPerName }),
    findByEnds: (ends, maxPerEnd) => store.findByEnds({ projectId, ends, maxPerEnd }),
    async readPassages(keys) {
      const records = await store.readPassages({ projectId, keys });
      return records.map((bytes) => (bytes === null ? null : decodePassage(bytes)));
    },
  };
}
