/** Browsing of a project's graph: entities, relationships, associations, and the texts that are their evidence. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { UnfitFact } from "../domain/graph.ts";
import type { GraphPattern } from "../domain/pattern.ts";
import { momentOf } from "../domain/validity.ts";
import { normalizePart } from "../engine/text/names/normal-form.ts";
import type { Entity, Relationship } from "../ports/graph-store.ts";
import type { Page, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { type AccountQueue, createAccountQueue } from "./account-queue.ts";
import { createAccountSlots } from "./account-slots.ts";
import { searchNeighbours, searchProposals, searchRelationships } from "./graph/edge-lists.ts";
import { type EntityName, readEntitiesInOrder, readNames } from "./graph/entity-names.ts";
import { createGraphExport, type GraphExport } from "./graph/export.ts";
import { type GraphMatch, matchPattern } from "./graph/match.ts";
import {
  type GraphOverview,
  listEntitiesAt,
  listUnrelated,
  type OverviewChoice,
  readOverview,
  readPath,
} from "./graph/overview.ts";
import { listAssociations, type QuotedAssociation } from "./graph/quoted-associations.ts";
import { type QuotedProposal, quoteProposals } from "./graph/quoted-proposals.ts";
import { type Quote, quotePlaces, quoteSentences } from "./graph/quotes.ts";

export interface EntitySearch extends Page {
  /** Part of a name; null = all. */
  readonly search: string | null;
  readonly type: string | null;
  /** A year, month or day; then without those that have relationships of which none holds then. null: all. */
  readonly asOf?: string | null;
  /** As in `readInSteps`. */
  readonly maxCharacters?: number;
}

export interface RelationshipSearch extends Page {
  readonly type: string | null;
  /** An entity at either end; null = all. */
  readonly entityId: string | null;
  /** Of relationships: a year, month or day at which they hold. Absent: now. */
  readonly asOf?: string | null;
}

export interface NamedRelationship {
  readonly relationship: Relationship;
  readonly source: EntityName;
  readonly target: EntityName;
}

export interface QuotedRelationship extends NamedRelationship {
  readonly evidence: readonly Quote[];
}

export interface UnrelatedSearch extends Page {
  readonly type: string | null;
}

/** A shortest path between two entities. */
export interface QuotedPath {
  readonly relationships: readonly QuotedRelationship[];
  /** Whether all relationships of the graph were looked at. */
  readonly isComplete: boolean;
}

/** Where a pattern was found, with the sentences of its relationships. */
export interface QuotedMatch extends Omit<GraphMatch, "relationships"> {
  readonly relationships: readonly QuotedRelationship[];
}

export interface AssociationSearch extends Page {
  readonly entityId: string;
}

export interface EntityOptions {
  /** Applies to relationships and to evidence. */
  readonly limit: number;
  readonly withAssociations: boolean;
  /** A year, month or day at which relationships hold. Absent: now. */
  readonly asOf?: string | null;
}

export interface EntityDetail {
  readonly entity: Entity;
  /** Sentences that name it, from its first chunks. */
  readonly evidence: readonly Quote[];
  /** Its neighbourhood, relationships with the most evidence first. */
  readonly relationships: readonly NamedRelationship[];
  /** Its other relationships: what held before, or holds later than the time that is asked of. */
  readonly history: readonly QuotedRelationship[];
  /** The strongest first; absent unless they were asked for. */
  readonly associations?: readonly QuotedAssociation[];
}

interface GraphServiceDeps {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Parameters are functions that are called after the access check, so that callers without access learn
 * nothing from validation errors.
 */
export interface GraphService {
  listEntities(
    caller: Caller,
    projectId: string,
    search: () => EntitySearch,
  ): Promise<{ readonly entities: readonly Entity[]; readonly total: number }>;
  /** @throws ServiceError `not_found` */
  getEntity(
    caller: Caller,
    target: { projectId: string; entityId: string },
    choose: () => EntityOptions,
  ): Promise<EntityDetail>;
  listRelationships(
    caller: Caller,
    projectId: string,
    search: () => RelationshipSearch,
  ): Promise<{ readonly relationships: readonly QuotedRelationship[]; readonly total: number }>;
  /** The most confident first. @throws ServiceError `not_found` */
  listProposals(
    caller: Caller,
    projectId: string,
    search: () => RelationshipSearch,
  ): Promise<{ readonly proposals: readonly QuotedProposal[]; readonly total: number }>;
  /** The best connected part. @throws ServiceError `not_found` for a document that does not exist */
  getOverview(caller: Caller, projectId: string, choose: () => OverviewChoice): Promise<GraphOverview>;
  /** In the order of a shortest path, empty where there is none. @throws ServiceError `not_found` */
  findPath(
    caller: Caller,
    projectId: string,
    choose: () => { readonly from: string; readonly to: string },
  ): Promise<QuotedPath>;
  /** Where a pattern is in the graph, within the bounds that `boundsMet` tells. @throws ServiceError `invalid_input` */
  match(caller: Caller, projectId: string, choose: () => GraphPattern): Promise<QuotedMatch>;
  /** Entities without relationships, by name. */
  listUnrelated(
    caller: Caller,
    projectId: string,
    search: () => UnrelatedSearch,
  ): Promise<{ readonly entities: readonly Entity[]; readonly total: number }>;
  /** The associations of one entity, the strongest first; at most 10. @throws ServiceError `not_found` */
  listAssociations(
    caller: Caller,
    projectId: string,
    search: () => AssociationSearch,
  ): Promise<{ readonly associations: readonly QuotedAssociation[]; readonly total: number }>;
  /**
   * The whole graph, which fails when the project is deleted meanwhile, together with the validated options (`chosen`). The caller must call `end` when the
   * export is finished or abandoned; more than one call is harmless. `revoked` aborts when the export must end because
   * other accounts wait.
   * @throws ServiceError for too many concurrent exports
   */
  export<Options extends { readonly asOf?: string | null }>(
    caller: Caller,
    projectId: string,
    choose: () => Options,
  ): Promise<{
    /** Of the project. */
    readonly name: string;
    readonly graph: GraphExport;
    readonly chosen: Options;
    readonly end: () => void;
    readonly revoked: AbortSignal;
  }>;
  getFit(caller: Caller, projectId: string, limit: () => number): Promise<readonly UnfitFact[]>;
}

const MAX_EVIDENCE = 100;
/** An export reads page by page. One with a slow client takes long but costs little. */
const EXPORTS = { what: "exports", perAccount: 4, total: 64, kept: 16 } as const;
/**
 * A search scans the names of a project: 100,000 names take about 20 ms,
 * during which SQLite's reader is busy.
 */
const SEARCHES = { what: "searches for entities", perAccount: 4, total: 16, kept: 4 } as const;

/**
 * Lists are read in steps that take milliseconds of SQLite's reader; a page of relationships is cut out of the whole list. One
 * list of an account runs at a time, so that another account waits for a step at most.
 */
const LISTS = { what: "lists of the graph", atOnce: 1, maxWaiting: 256 } as const;

/** Each reads the facts of up to 200 chunks, which takes tens of milliseconds. */
const ASSOCIATIONS = { what: "lists of associations", perAccount: 4, total: 16, kept: 4 } as const;

export function createGraphService({ store, now }: GraphServiceDeps): GraphService {
  const exports = createAccountSlots(EXPORTS);
  const searches = createAccountSlots(SEARCHES);
  const lists = createAccountQueue(LISTS);
  const associations = createAccountSlots(ASSOCIATIONS);
  const associationsOf = async (
    { accountId }: Caller,
    input: { projectId: string; entityId: string; page?: Page },
  ) => {
    const release = associations.take(accountId);
    return listAssociations(store, input).finally(release);
  };
  return {
    async listEntities(caller, projectId, search) {
      await requireProject(store, { projectId, caller });
      const { search: text, type, asOf = null, limit, offset, maxCharacters } = search();
      const part = text === null ? "" : normalizePart(text);
      // Text without letters and digits has an empty normal form. It must not match everything.
      if (text !== null && part === "") return { entities: [], total: 0 };
      // Without a search text the list comes from an index, so it needs no slot.
      const release = part === "" ? () => undefined : searches.take(caller.accountId);
      const readAll = (ids: readonly string[]) =>
        readEntitiesInOrder(store, projectId, { ids, maxCharacters });
      if (asOf !== null) {
        const listAt = async () => {
          const ids = await listEntitiesAt(store, { projectId, part, type, asOf: momentOf(asOf, now()) });
          return { entities: await readAll(ids.slice(offset, offset + limit)), total: ids.length };
        };
        return lists.run(caller.accountId, listAt).finally(release);
      }
      const find = () => store.searchEntities({ projectId, part, type, page: { limit, offset } });
      const { entities, total } = await find().finally(release);
      const ids = entities.map(({ entityId }) => entityId);
      return { entities: await lists.run(caller.accountId, () => readAll(ids)), total };
    },

    async getEntity(caller, { projectId, entityId }, choose) {
      await requireProject(store, { projectId, caller });
      const { limit: max, withAssociations, asOf = null } = choose();
      const entity = await requireEntity(store, projectId, entityId);
      const search = { projectId, entityId, asOf: momentOf(asOf, now()), limit: max };
      const read = () => searchNeighbours(store, search);
      const [places, { relationships, history }] = await Promise.all([
        store.readEntityEvidence({ projectId, entityId, limit: Math.min(max, MAX_EVIDENCE) }),
        lists.run(caller.accountId, read),
      ]);
      const associated = withAssociations ? await associationsOf(caller, { projectId, entityId }) : null;
      return {
        entity,
        evidence: await quoteSentences(store, projectId, places),
        relationships: await nameEnds(store, projectId, relationships),
        history: await quoteRelationships(store, projectId, history),
        ...(associated === null ? {} : { associations: associated.associations }),
      };
    },

    ...connectionsOf({ store, now }, lists),

    async listAssociations(caller, projectId, search) {
      await requireProject(store, { projectId, caller });
      const { entityId, ...page } = search();
      await requireEntity(store, projectId, entityId);
      return associationsOf(caller, { projectId, entityId, page });
    },

    async export(caller, projectId, choose) {
      const { name } = await requireProject(store, { projectId, caller });
      const chosen = choose();
      const revocation = new AbortController();
      const end = exports.take(caller.accountId, () => revocation.abort());
      const check = () => requireProject(store, { projectId, caller });
      const graph = createGraphExport(store, projectId, { check, asOf: momentOf(chosen.asOf, now()) });
      return { name, graph, chosen, end, revoked: revocation.signal };
    },

    async getFit(caller, projectId, limit) {
      await requireProject(store, { projectId, caller });
      const most = limit();
      return lists.run(caller.accountId, () => store.readFitReport({ projectId, limit: most }));
    },
  };
}

/** What is read by walking edges: one list of an account at a time. */
function connectionsOf(
  { store, now }: GraphServiceDeps,
  lists: AccountQueue,
): Pick<
  GraphService,
  "listRelationships" | "listProposals" | "getOverview" | "findPath" | "match" | "listUnrelated"
> {
  return {
    async listRelationships(caller, projectId, search) {
      const input = await readSearch(store, { caller, projectId, search });
      const find = () => searchRelationships(store, { ...input, asOf: momentOf(input.asOf, now()) });
      const { relationships, total } = await lists.run(caller.accountId, find);
      return { relationships: await quoteRelationships(store, projectId, relationships), total };
    },

    async listProposals(caller, projectId, search) {
      const input = await readSearch(store, { caller, projectId, search });
      const find = () => searchProposals(store, { ...input, asOf: null });
      const { proposals, total } = await lists.run(caller.accountId, find);
      return { proposals: await quoteProposals(store, projectId, proposals), total };
    },

    async getOverview(caller, projectId, choose) {
      await requireProject(store, { projectId, caller });
      const choice = choose();
      const timed = { ...choice, asOf: momentOf(choice.asOf, now()) };
      return lists.run(caller.accountId, () => readOverview(store, projectId, timed));
    },

    async findPath(caller, projectId, choose) {
      await requireProject(store, { projectId, caller });
      const ends = choose();
      await Promise.all([ends.from, ends.to].map((entityId) => requireEntity(store, projectId, entityId)));
      const asked = { ...ends, asOf: momentOf(null, now()) };
      const path = await lists.run(caller.accountId, () => readPath(store, projectId, asked));
      return { ...path, relationships: await quoteRelationships(store, projectId, path.relationships) };
    },

    async match(caller, projectId, choose) {
      await requireProject(store, { projectId, caller });
      const pattern = choose();
      const [nodes, edges] = [pattern.nodes.length, pattern.edges.length];
      if (edges !== nodes - 1) throw errors.edgesBetweenNodes({ nodes, edges });
      const timed = { ...pattern, asOf: momentOf(pattern.asOf, now()) };
      const found = await lists.run(caller.accountId, () => matchPattern(store, projectId, timed));
      return { ...found, relationships: await quoteNamed(store, projectId, found.relationships) };
    },

    async listUnrelated(caller, projectId, search) {
      await requireProject(store, { projectId, caller });
      const input = search();
      return lists.run(caller.accountId, () => listUnrelated(store, projectId, input));
    },
  };
}

/** @throws ServiceError `not_found` */
async function requireEntity(store: Store, projectId: string, entityId: string): Promise<Entity> {
  const [known] = await store.readEntities({ projectId, entityIds: [entityId], withPlaces: false });
  if (known === undefined) throw errors.entityNotFound();
  return known;
}

/** @throws ServiceError `not_found` */
async function readSearch(
  store: Store,
  input: {
    readonly caller: Caller;
    readonly projectId: string;
    readonly search: () => RelationshipSearch;
  },
) {
  const { caller, projectId, search } = input;
  await requireProject(store, { projectId, caller });
  const { type, entityId, asOf = null, limit, offset } = search();
  if (entityId !== null) await requireEntity(store, projectId, entityId);
  return { projectId, type, entityId, asOf, page: { limit, offset } };
}

async function quoteRelationships(
  store: Store,
  projectId: string,
  relationships: readonly Relationship[],
): Promise<readonly QuotedRelationship[]> {
  return quoteNamed(store, projectId, await nameEnds(store, projectId, relationships));
}

async function quoteNamed(
  store: Store,
  projectId: string,
  named: readonly NamedRelationship[],
): Promise<readonly QuotedRelationship[]> {
  const places = named.flatMap(({ relationship }) => relationship.evidence);
  const quotes = await quotePlaces(store, projectId, places);
  return named.map((each) => ({
    ...each,
    evidence: each.relationship.evidence.flatMap((place) => quotes.get(place) ?? []),
  }));
}

/** Leaves out relationships that have lost an end meanwhile. */
async function nameEnds(
  store: Store,
  projectId: string,
  relationships: readonly Relationship[],
): Promise<readonly NamedRelationship[]> {
  const ids = relationships.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
  const names = await readNames(store, projectId, ids);
  return relationships.flatMap((relationship) => {
    const source = names.get(relationship.sourceId);
    const target = names.get(relationship.targetId);
    return source === undefined || target === undefined ? [] : [{ relationship, source, target }];
  });
}
