/** Entities by their ids, many at a time. */
import type { Entity, GraphStore } from "../../ports/graph-store.ts";

export interface EntityName {
  readonly entityId: string;
  readonly type: string;
  readonly name: string;
}

/** Fewer than a call takes: of entities with many names it would leave some out. */
const IDS_A_CALL = 50;

/** In the order of the ids, without those that are gone, and without places. */
export async function readEntitiesInOrder(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  entityIds: readonly string[],
): Promise<readonly Entity[]> {
  const found: Entity[] = [];
  for (let from = 0; from < entityIds.length; from += IDS_A_CALL) {
    const part = entityIds.slice(from, from + IDS_A_CALL);
    found.push(...(await store.readEntities({ projectId, entityIds: part, withPlaces: false })));
  }
  return found;
}

/** By id; those that are gone are not in it. */
export async function readNames(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, EntityName>> {
  const entities = await readEntitiesInOrder(store, projectId, [...new Set(entityIds)]);
  return new Map(entities.map(({ entityId, type, name }) => [entityId, { entityId, type, name }]));
}
