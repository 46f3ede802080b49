/** Reads the edge types of schemas that grow from the data, once for each index version of a project. */
import type { GraphStore, GraphTypes } from "../../ports/graph-store.ts";

export interface EdgeTypeReader {
  /** As of the index version or a later one. @throws what the store throws */
  read(projectId: string, indexVersion: number): Promise<ReadonlySet<string>>;
}

/** Projects in the cache; the one that was added longest ago is evicted. */
const MAX_PROJECTS = 256;

/** Cached, because counting reads all relationships of a project: about 0.5 s for 150,000. */
export function createEdgeTypeReader(
  store: Pick<GraphStore, "readGraphTypes">,
  grownEdgeTypes: (types: GraphTypes) => ReadonlySet<string>,
): EdgeTypeReader {
  const cache = new Map<string, { readonly indexVersion: number; readonly types: ReadonlySet<string> }>();
  return {
    async read(projectId, indexVersion) {
      const last = cache.get(projectId);
      if (last?.indexVersion === indexVersion) return last.types;
      const types = grownEdgeTypes(await store.readGraphTypes({ projectId }));
      cache.delete(projectId);
      cache.set(projectId, { indexVersion, types });
      const [oldest] = cache.keys();
      if (cache.size > MAX_PROJECTS && oldest !== undefined) cache.delete(oldest);
      return types;
    },
  };
}
