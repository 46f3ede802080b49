/**
 * Reads a whole graph in pages, which bounds memory. The consumer of the pages sets the pace (backpressure).
 */
import type { EntityCursor, GraphBrowser, RelationshipCursor } from "../../ports/graph-browser.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { type EntityName, readEntitiesInOrder, readNames } from "./entity-names.ts";

/**
 * Not a snapshot: each page shows the state when it is read. Items that are added or deleted during the
 * export may be in it or not, and a relationship may be in it without one of its ends. Every item that exists
 * all the time is in it exactly once.
 */
export interface GraphExport {
  /** By normal form, then type. */
  entities(): AsyncGenerator<readonly Entity[]>;
  /** By the normal form of the source. */
  relationships(): AsyncGenerator<readonly Relationship[]>;
  /**
   * As `relationships`, with the names of both ends; without relationships that have lost an end meanwhile.
   */
  namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]>;
}

export interface ExportedRelationship {
  readonly relationship: Relationship;
  readonly source: EntityName;
  readonly target: EntityName;
}

type ExportStore = Pick<GraphBrowser, "listEntitiesAfter" | "listRelationshipsFrom"> &
  Pick<GraphStore, "readEntities">;

const ENTITIES_PER_PAGE = 100;
const RELATIONSHIPS_PER_PAGE = 500;
/** Names that are cached for the next pages, because relationships often share their ends. */
const MAX_CACHED_NAMES = 10_000;

export function createGraphExport(store: ExportStore, projectId: string): GraphExport {
  async function* idPages(): AsyncGenerator<readonly string[]> {
    let after: EntityCursor | null = null;
    for (;;) {
      const listed = await store.listEntitiesAfter({ projectId, after, limit: ENTITIES_PER_PAGE });
      const last = listed.at(-1);
      if (last === undefined) return;
      yield listed.map(({ entityId }) => entityId);
      if (listed.length < ENTITIES_PER_PAGE) return;
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
      const page: readonly Relationship[] = await store.listRelationshipsFrom({
        projectId,
        sourceIds,
        after,
        limit: RELATIONSHIPS_PER_PAGE,
      });
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      if (page.length < RELATIONSHIPS_PER_PAGE) return;
      after = { sourceId: last.sourceId, targetId: last.targetId, type: last.type };
    }
  }

  async function* namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]> {
    const cache = new Map<string, EntityName>();
    for await (const page of relationships()) {
      const ids = page.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
      if (cache.size > MAX_CACHED_NAMES) cache.clear();
      const names = await readNames(
        store,
        projectId,
        ids.filter((id) => !cache.has(id)),
      );
      for (const [id, name] of names) cache.set(id, name);
      yield page.flatMap((relationship) => {
        const source = cache.get(relationship.sourceId);
        const target = cache.get(relationship.targetId);
        return source === undefined || target === undefined ? [] : [{ relationship, source, target }];
      });
    }
  }

  return { entities, relationships, namedRelationships };
}
