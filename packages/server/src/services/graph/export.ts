/** A whole graph, page by page: what is read at once is bounded, and whoever takes the pages sets the pace. */
import type { EntityCursor, GraphBrowser, RelationshipCursor } from "../../ports/graph-browser.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { type EntityName, readEntitiesInOrder, readNames } from "./entity-names.ts";

/**
 * Pages of what is there when each is read: what comes or goes meanwhile may be in it or not, and a relationship may come
 * whose end did not. Nothing that stays is left out or comes twice.
 */
export interface GraphExport {
  /** By normal form, then type. */
  entities(): AsyncGenerator<readonly Entity[]>;
  /** By the normal form of the source. */
  relationships(): AsyncGenerator<readonly Relationship[]>;
  /** Likewise, with the names of both ends; without those one of whose ends is gone meanwhile. */
  namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]>;
}

export interface ExportedRelationship {
  readonly relationship: Relationship;
  readonly source: EntityName;
  readonly target: EntityName;
}

type ExportStore = Pick<GraphBrowser, "listEntitiesAfter" | "listRelationshipsFrom"> &
  Pick<GraphStore, "readEntities">;

const ENTITIES_A_PAGE = 100;
const RELATIONSHIPS_A_PAGE = 500;
/** Names that are kept for the next pages: the ends of relationships are often the same. */
const MAX_NAMES = 10_000;

export function createGraphExport(store: ExportStore, projectId: string): GraphExport {
  async function* idPages(): AsyncGenerator<readonly string[]> {
    let after: EntityCursor | null = null;
    for (;;) {
      const listed = await store.listEntitiesAfter({ projectId, after, limit: ENTITIES_A_PAGE });
      const last = listed.at(-1);
      if (last === undefined) return;
      yield listed.map(({ entityId }) => entityId);
      if (listed.length < ENTITIES_A_PAGE) return;
      after = { key: last.key, type: last.type };
    }
  }

  async function* entities(): AsyncGenerator<readonly Entity[]> {
    for await (const ids of idPages()) yield await readEntitiesInOrder(store, projectId, ids);
  }

  async function* relationships(): AsyncGenerator<readonly Relationship[]> {
    for await (const sourceIds of idPages()) yield* relationshipsFrom(sourceIds);
  }

  async function* relationshipsFrom(sourceIds: readonly string[]): AsyncGenerator<readonly Relationship[]> {
    let after: RelationshipCursor | null = null;
    for (;;) {
      const page = { projectId, sourceIds, after, limit: RELATIONSHIPS_A_PAGE };
      const found: readonly Relationship[] = await store.listRelationshipsFrom(page);
      const last = found.at(-1);
      if (last === undefined) return;
      yield found;
      if (found.length < RELATIONSHIPS_A_PAGE) return;
      after = { sourceId: last.sourceId, targetId: last.targetId, type: last.type };
    }
  }

  async function* namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]> {
    const known = new Map<string, EntityName>();
    for await (const page of relationships()) {
      const ids = page.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
      if (known.size > MAX_NAMES) known.clear();
      const names = await readNames(
        store,
        projectId,
        ids.filter((id) => !known.has(id)),
      );
      for (const [id, name] of names) known.set(id, name);
      yield page.flatMap((relationship) => {
        const source = known.get(relationship.sourceId);
        const target = known.get(relationship.targetId);
        return source === undefined || target === undefined ? [] : [{ relationship, source, target }];
      });
    }
  }

  return { entities, relationships, namedRelationships };
}
