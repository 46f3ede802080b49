import { ConnectionError, KcsError } from "../errors.ts";
import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  AssociationList,
  Entity,
  EntityDetail,
  EntityList,
  GraphFit,
  GraphMatch,
  GraphOverview,
  GraphPath,
  GraphPattern,
  ProposalList,
  RelationshipList,
} from "../wire.ts";

const PAGE = 500;
/** The largest offset that the service accepts. */
const MAX_OFFSET = 10_000;

export interface GraphPage {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface EntityFilter {
  /** A part of the name. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  /** A year, month or day: without entities that have relationships of which none holds then. */
  readonly as_of?: string | undefined;
}

export interface RelationshipFilter {
  readonly type?: string | undefined;
  /** The entity at either end of the relationship. */
  readonly entity_id?: string | undefined;
  /** A year, month or day: only relationships that a text says hold then, or dates not at all. */
  readonly as_of?: string | undefined;
}

export interface OverviewPart {
  /** Maximum number of entities. */
  readonly limit?: number | undefined;
  /** The id of a document: only what it names. */
  readonly document?: string | undefined;
  /** As in `RelationshipFilter`. */
  readonly as_of?: string | undefined;
}

export interface AssociationFilter {
  readonly entity_id: string;
}

export interface EntityOptions {
  /** Maximum number of relationships. */
  readonly limit?: number | undefined;
  /** Adds the entities that are mentioned together with it. */
  readonly include?: "associations" | undefined;
  /** As in `RelationshipFilter`. */
  readonly as_of?: string | undefined;
}

export type EvidencedRelationship = RelationshipList["relationships"][number];

export interface GraphExport {
  readonly format?: "jsonld" | "graphml" | "csv" | undefined;
  /** The kind of row in a CSV file. */
  readonly part?: "entities" | "relationships" | "associations" | "proposals" | undefined;
  /** As in `RelationshipFilter`. */
  readonly as_of?: string | undefined;
}

function getterOf(transport: Transport) {
  return <Answer>(
    path: ReturnType<typeof pathOf>,
    query: Parameters<Transport["json"]>[0]["query"],
    options: CallOptions | undefined,
  ) => transport.json<Answer>({ method: "GET", path, query, options });
}

export function graphResource(transport: Transport) {
  const get = getterOf(transport);
  /** Ordered by name. `total` counts up to 10,000. */
  const entities = (projectId: string, page: EntityFilter & GraphPage = {}, options?: CallOptions) =>
    get<EntityList>(pathOf`/projects/${projectId}/entities`, { ...page }, options);
  /** Each relationship has the sentences that state it. */
  const relationships = (
    projectId: string,
    page: RelationshipFilter & GraphPage = {},
    options?: CallOptions,
  ) => get<RelationshipList>(pathOf`/projects/${projectId}/relationships`, { ...page }, options);
  return {
    entities,
    relationships,

    /** The entity with its evidence and its relationships. */
    entity: (projectId: string, entityId: string, input: EntityOptions = {}, options?: CallOptions) =>
      get<EntityDetail>(pathOf`/projects/${projectId}/entities/${entityId}`, { ...input }, options),

    /** Relationships that are not sure enough for the graph, the most confident first, with their sentences. */
    proposals: (projectId: string, page: RelationshipFilter & GraphPage = {}, options?: CallOptions) =>
      get<ProposalList>(pathOf`/projects/${projectId}/graph/proposals`, { ...page }, options),

    /**
     * The entities that are mentioned together with an entity, the strongest first; at most 10. They are no facts, and
     * those that have a relationship with it are not among them.
     */
    associations: (projectId: string, page: AssociationFilter & GraphPage, options?: CallOptions) =>
      get<AssociationList>(pathOf`/projects/${projectId}/graph/associations`, { ...page }, options),

    ...structureOf(transport),

    /** Streams the whole graph as a file. A stream that breaks is not resumed. */
    export: (projectId: string, input: GraphExport = {}, options?: CallOptions) =>
      exportGraph(transport, { projectId, ...input }, options),

    /** Yields the first 10,500 entities, ordered by name; `export` has all of them. */
    eachEntity: (projectId: string, filter: EntityFilter = {}, options?: CallOptions) =>
      eachItem<Entity, EntityList>({
        pageSize: PAGE,
        maxOffset: MAX_OFFSET,
        page: (limit, offset) => entities(projectId, { ...filter, limit, offset }, options),
        itemsOf: (page) => page.entities,
      }),

    /** Yields the first 10,500 relationships; `export` has all of them. */
    eachRelationship: (projectId: string, filter: RelationshipFilter = {}, options?: CallOptions) =>
      eachItem<EvidencedRelationship, RelationshipList>({
        pageSize: PAGE,
        maxOffset: MAX_OFFSET,
        page: (limit, offset) => relationships(projectId, { ...filter, limit, offset }, options),
        itemsOf: (page) => page.relationships,
      }),
  };
}

/** What is read of several relationships together. */
function structureOf(transport: Transport) {
  const get = getterOf(transport);
  return {
    /** The best connected part of the graph, at most `limit` entities (300), without the sentences. */
    overview: (projectId: string, part: OverviewPart = {}, options?: CallOptions) =>
      get<GraphOverview>(pathOf`/projects/${projectId}/graph/overview`, { ...part }, options),

    /** A shortest path between two entities, with the sentences of its relationships; empty where there is none. */
    path: (projectId: string, ends: { from: string; to: string }, options?: CallOptions) =>
      get<GraphPath>(pathOf`/projects/${projectId}/graph/path`, { ...ends }, options),

    /** Where a pattern of entities and relationships is in the graph, with the sentences of the relationships. */
    match: (projectId: string, body: GraphPattern, options?: CallOptions) =>
      transport.json<GraphMatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/graph/match`,
        body,
        options,
      }),

    /** The entities without relationships, ordered by name. */
    unrelated: (
      projectId: string,
      page: Pick<EntityFilter, "type"> & GraphPage = {},
      options?: CallOptions,
    ) => get<EntityList>(pathOf`/projects/${projectId}/graph/unrelated`, { ...page }, options),

    /** What extraction found but the ontology has no type for, the most frequent first. */
    fit: (projectId: string, input: { limit?: number } = {}, options?: CallOptions) =>
      get<GraphFit>(pathOf`/projects/${projectId}/graph/fit`, input, options),
  };
}

async function exportGraph(
  transport: Transport,
  { projectId, ...query }: GraphExport & { readonly projectId: string },
  options: CallOptions | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await transport.open({
    method: "GET",
    path: pathOf`/projects/${projectId}/graph/export`,
    query,
    accept: "*/*",
    options,
  });
  if (body === null) throw new KcsError("The export has no body.");
  return throughConnection(body, options?.signal);
}

/** Fails with a ConnectionError where the stream breaks off. */
function throughConnection(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        throw new ConnectionError("The connection broke before the export was complete.", { cause: error });
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
