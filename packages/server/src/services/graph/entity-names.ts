/** Reads entities by their ids, in batches. */
import type { Entity, GraphStore } from "../../ports/graph-store.ts";

export interface EntityName {
  readonly entityId: string;
  readonly type: string;
  readonly name: string;
}

/** Half of what a call accepts. A call reads a limited number of names and leaves out further entities. */
const IDS_PER_CALL = 50;

/** In the order of the ids, without entities that no longer exist, and without `places`. */
export async function readEntitiesInOrder(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  entityIds: readonly string[],
): Promise<readonly Entity[]> {
  const entities: Entity[] = [];
  for (let from = 0; from < entityIds.length; from += IDS_PER_CALL) {
    const batch = entityIds.slice(from, from + IDS_PER_CALL);
    entities.push(...(await store.readEntities({ projectId, entityIds: batch, withPlaces: false })));
  }
  return entities;
}

/** By id, without entities that no longer exist. */
export async function readNames(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, EntityName>> {
  const entities = await readEntitiesInOrder(store, projectId, [...new Set(entityIds)]);
  return new Map(entities.map(({ entityId, type, name }) => [entityId, { entityId, type, name }]));
}
