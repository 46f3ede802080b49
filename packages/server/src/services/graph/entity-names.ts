/** Reads entities by their ids, in batches. */
import type { Entity, GraphStore } from "../../ports/graph-store.ts";
import { readInSteps } from "../read-in-steps.ts";

export interface EntityName {
  readonly entityId: string;
  readonly type: string;
  readonly name: string;
}

/**
 * A call reads a limited number of names and leaves out further entities. Each name can have hundreds of properties, so that
 * more would keep other reads waiting.
 */
const IDS_PER_CALL = 16;

/** In the order of the ids, without entities that no longer exist, and without `places`. `maxCharacters`: as in `readInSteps`. */
export async function readEntitiesInOrder(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  { ids, maxCharacters }: { readonly ids: readonly string[]; readonly maxCharacters?: number | undefined },
): Promise<readonly Entity[]> {
  return readInSteps(ids, { itemsPerStep: IDS_PER_CALL, maxCharacters }, (entityIds) =>
    store.readEntities({ projectId, entityIds, withPlaces: false }),
  );
}

/** By id, without entities that no longer exist. */
export async function readNames(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, EntityName>> {
  const entities = await readEntitiesInOrder(store, projectId, { ids: [...new Set(entityIds)] });
  return new Map(entities.map(({ entityId, type, name }) => [entityId, { entityId, type, name }]));
}
