/**
 * Reads a whole graph in pages, which bounds memory. The consumer of the pages sets the pace (backpressure).
 */
import type { Moment } from "../../domain/validity.ts";
import type { EdgePlace, EntityCursor, GraphBrowser, Proposal } from "../../ports/graph-browser.ts";
import type { GraphMatcher } from "../../ports/graph-matcher.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { type Association, type AssociationStore, findAssociations } from "./associations.ts";
import { type EntityName, readEntitiesInOrder, readNames } from "./entity-names.ts";
import { type PassageStore, type Stated, stateEntities, stateRelationships } from "./passages.ts";
import { nameProposals } from "./quoted-proposals.ts";
import { type RelationshipStore, relationshipsFrom } from "./relationships.ts";

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
  /** As `entities`, in small parts, with the passages of their properties. */
  statedEntities(): AsyncGenerator<Stated<Entity>>;
  /** As `relationships`, in small parts, with their passages. */
  statedRelationships(): AsyncGenerator<Stated<Relationship>>;
  /**
   * As `relationships`, with the names of both ends; without relationships that have lost an end meanwhile.
   */
  namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]>;
  /** By the normal form of the source. */
  proposals(): AsyncGenerator<readonly Proposal[]>;
  /** Each pair once, by the normal form of one of the two; one page for each entity that has any. */
  associations(): AsyncGenerator<readonly ExportedAssociation[]>;
}

export interface ExportedAssociation extends Pick<Association, "strength" | "chunks"> {
  readonly entity: EntityName;
  readonly other: EntityName;
}

export interface ExportedRelationship {
  readonly relationship: Relationship;
  readonly source: EntityName;
  readonly target: EntityName;
}

export type ExportStore = AssociationStore &
  PassageStore &
  RelationshipStore &
  Pick<GraphMatcher, "walkNeighbours"> &
  Pick<GraphBrowser, "listEntitiesAfter" | "listProposalSources" | "listProposalsFrom" | "countChunks"> &
  Pick<GraphStore, "readEntities">;

const ENTITIES_PER_PAGE = 100;
const PROPOSALS_PER_PAGE = 500;
/** Names that are cached for the next pages, because relationships often share their ends. */
const MAX_CACHED_NAMES = 10_000;
/** Entities whose associations are cached, because those that are associated often come soon after each other. */
const MAX_CACHED_LISTS = 10_000;

/**
 * `check` is called after each page has been read, also the last one. What it throws ends the export, which would otherwise look
 * complete when the project is deleted meanwhile. Relationships are those that hold at `asOf`; all without.
 */
export function createGraphExport(
  store: ExportStore,
  projectId: string,
  { check, asOf = null }: { readonly check: () => Promise<unknown>; readonly asOf?: Moment | null },
): GraphExport {
  async function* idPages(): AsyncGenerator<readonly string[]> {
    let after: EntityCursor | null = null;
    for (;;) {
      const listed = await store.listEntitiesAfter({ projectId, after, limit: ENTITIES_PER_PAGE });
      const last = listed.at(-1);
      if (last !== undefined) yield listed.map(({ entityId }) => entityId);
      await check();
      if (last === undefined) return;
      if (listed.length < ENTITIES_PER_PAGE) return;
      after = { key: last.key, type: last.type };
    }
  }

  async function* entities(): AsyncGenerator<readonly Entity[]> {
    for await (const ids of idPages()) yield await readEntitiesInOrder(store, projectId, { ids });
  }

  async function* relationships(): AsyncGenerator<readonly Relationship[]> {
    // Also what yields nothing ends here when the client has gone.
    for await (const entityIds of idPages()) yield* relationshipsFrom(store, { projectId, entityIds, asOf });
  }

  async function* namedRelationships(): AsyncGenerator<readonly ExportedRelationship[]> {
    const namesOf = createNameReader(store, projectId);
    for await (const page of relationships()) {
      const names = await namesOf(page.flatMap(({ sourceId, targetId }) => [sourceId, targetId]));
      yield page.flatMap((relationship) => {
        const source = names.get(relationship.sourceId);
        const target = names.get(relationship.targetId);
        return source === undefined || target === undefined ? [] : [{ relationship, source, target }];
      });
    }
  }

  async function* associations(): AsyncGenerator<readonly ExportedAssociation[]> {
    const namesOf = createNameReader(store, projectId);
    const total = await store.countChunks({ projectId });
    const pairs = createPairs((entityId) => findAssociations(store, { projectId, entityId, total }));
    for await (const ids of idPages()) {
      for (const id of ids) {
        const found = await pairs.of(id);
        // Also what yields nothing ends here when the client has gone.
        if (found.length === 0) {
          yield [];
          continue;
        }
        const names = await namesOf([id, ...found.map(({ entityId }) => entityId)]);
        yield found.flatMap(({ entityId, strength, chunks }) => {
          const [entity, other] = [names.get(id), names.get(entityId)];
          return entity === undefined || other === undefined ? [] : [{ entity, other, strength, chunks }];
        });
      }
    }
  }

  const proposals = () => exportProposals(store, projectId, check);
  return {
    ...{ entities, relationships, namedRelationships, proposals, associations },
    statedEntities: () => stateEntities(store, projectId, idPages()),
    statedRelationships: () => stateRelationships(store, projectId, relationships()),
  };
}

async function* exportProposals(
  store: ExportStore,
  projectId: string,
  check: () => Promise<unknown>,
): AsyncGenerator<readonly Proposal[]> {
  let after: EntityCursor | null = null;
  for (;;) {
    const sources = await store.listProposalSources({ projectId, after, limit: ENTITIES_PER_PAGE });
    const last = sources.at(-1);
    if (last === undefined) return void (await check());
    const nodeIds = sources.map(({ nodeId }) => nodeId);
    for await (const page of proposalsFrom(store, projectId, nodeIds))
      yield await nameProposals(store, projectId, page);
    await check();
    after = last;
  }
}

async function* proposalsFrom(
  store: ExportStore,
  projectId: string,
  nodeIds: readonly string[],
): AsyncGenerator<readonly Proposal[]> {
  let after: EdgePlace | null = null;
  do {
    const step: Awaited<ReturnType<ExportStore["listProposalsFrom"]>> = await store.listProposalsFrom({
      ...{ projectId, nodeIds, after },
      limit: PROPOSALS_PER_PAGE,
    });
    // Also what yields nothing ends here when the client has gone.
    yield step.proposals;
    after = step.next;
  } while (after !== null);
}

/** Reads the names of a few entities, and caches them. */
function createNameReader(store: ExportStore, projectId: string) {
  const cache = new Map<string, EntityName>();
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, EntityName>> => {
    if (cache.size > MAX_CACHED_NAMES) cache.clear();
    const unknown = ids.filter((id) => !cache.has(id));
    for (const [id, name] of await readNames(store, projectId, unknown)) cache.set(id, name);
    return cache;
  };
}

type PairedAssociation = Pick<Association, "entityId" | "strength" | "chunks">;

/**
 * Gives each pair to one of its two entities: the one with the smaller id, or the only one among whose strongest
 * associations it is. Finds those of each entity once, while there are no more entities than are cached, which takes a
 * millisecond or two for each.
 */
export function createPairs(find: (entityId: string) => Promise<readonly Association[]>) {
  const cache = new Map<string, readonly PairedAssociation[]>();
  async function read(id: string): Promise<readonly PairedAssociation[]> {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const found = (await find(id)).map(({ entityId, strength, chunks }) => ({ entityId, strength, chunks }));
    if (cache.size > MAX_CACHED_LISTS) cache.clear();
    cache.set(id, found);
    return found;
  }
  const isListed = async (id: string, by: string) => (await read(by)).some(({ entityId }) => entityId === id);
  return {
    async of(id: string): Promise<readonly PairedAssociation[]> {
      const kept: PairedAssociation[] = [];
      for (const association of await read(id)) {
        const { entityId } = association;
        if (id < entityId || !(await isListed(id, entityId))) kept.push(association);
      }
      return kept;
    },
  };
}
