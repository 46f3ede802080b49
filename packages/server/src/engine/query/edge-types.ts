/** The edge types of schemas that grow from the data, each counted once for each state of its project. */
import type { GraphStore, GraphTypes } from "../../ports/graph-store.ts";

export interface EdgeTypeReader {
  /** As of the index version, or later. @throws what the store throws */
  read(projectId: string, indexVersion: number): Promise<ReadonlySet<string>>;
}

/** Projects whose types are remembered. */
const MAX_PROJECTS = 256;

/** Counting reads all relationships of a project: half a second for 150,000 of them, which no question should take. */
export function createEdgeTypeReader(
  store: Pick<GraphStore, "readGraphTypes">,
  grownEdgeTypes: (types: GraphTypes) => ReadonlySet<string>,
): EdgeTypeReader {
  const known = new Map<string, { readonly indexVersion: number; readonly types: ReadonlySet<string> }>();
  return {
    async read(projectId, indexVersion) {
      const last = known.get(projectId);
      if (last?.indexVersion === indexVersion) return last.types;
      const types = grownEdgeTypes(await store.readGraphTypes({ projectId }));
      known.delete(projectId);
      known.set(projectId, { indexVersion, types });
      const [oldest] = known.keys();
      if (known.size > MAX_PROJECTS && oldest !== undefined) known.delete(oldest);
      return types;
    },
  };
}
