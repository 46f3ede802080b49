import { KcsError } from "../errors.ts";
import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type { Entity, EntityDetail, EntityList, GraphFit, RelationshipList } from "../wire.ts";

const PAGE = 500;
/** The last position that the service pages to. */
const MAX_OFFSET = 10_000;

export interface GraphPage {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface EntityFilter {
  /** A part of the name. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
}

export interface RelationshipFilter {
  readonly type?: string | undefined;
  /** At either end. */
  readonly entity_id?: string | undefined;
}

export type EvidencedRelationship = RelationshipList["relationships"][number];

export interface GraphExport {
  readonly format?: "jsonld" | "graphml" | "csv" | undefined;
  /** Which rows a CSV file has. */
  readonly part?: "entities" | "relationships" | undefined;
}

export function graphResource(transport: Transport) {
  /** By name; `total` counts up to 10,000. */
  const entities = (projectId: string, page: EntityFilter & GraphPage = {}, options?: CallOptions) =>
    transport.json<EntityList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/entities`,
      query: { ...page },
      options,
    });
  /** Each with the sentences that state it. */
  const relationships = (
    projectId: string,
    page: RelationshipFilter & GraphPage = {},
    options?: CallOptions,
  ) =>
    transport.json<RelationshipList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/relationships`,
      query: { ...page },
      options,
    });
  return {
    entities,
    relationships,

    /** With what supports it and what it is related to; `limit` bounds the relationships. */
    entity: (projectId: string, entityId: string, input: { limit?: number } = {}, options?: CallOptions) =>
      transport.json<EntityDetail>({
        method: "GET",
        path: pathOf`/projects/${projectId}/entities/${entityId}`,
        query: input,
        options,
      }),

    /** What the documents have that the ontology has no place for, the most frequent first. */
    fit: (projectId: string, input: { limit?: number } = {}, options?: CallOptions) =>
      transport.json<GraphFit>({
        method: "GET",
        path: pathOf`/projects/${projectId}/graph/fit`,
        query: input,
        options,
      }),

    /** The whole graph as the bytes of a file. A stream that breaks is not resumed. */
    async export(
      projectId: string,
      input: GraphExport = {},
      options?: CallOptions,
    ): Promise<ReadableStream<Uint8Array>> {
      const { body } = await transport.open({
        method: "GET",
        path: pathOf`/projects/${projectId}/graph/export`,
        query: { ...input },
        accept: "*/*",
        options,
      });
      if (body === null) throw new KcsError("The export has no body.");
      return body;
    },

    /** Each entity, by name; the first 10,500 of them, `export` has all. */
    eachEntity: (projectId: string, filter: EntityFilter = {}, options?: CallOptions) =>
      eachItem<Entity>({
        ...{ pageSize: PAGE, maxOffset: MAX_OFFSET },
        page: async (limit, offset) =>
          (await entities(projectId, { ...filter, limit, offset }, options)).entities,
      }),

    /** Each relationship; the first 10,500 of them, `export` has all. */
    eachRelationship: (projectId: string, filter: RelationshipFilter = {}, options?: CallOptions) =>
      eachItem<EvidencedRelationship>({
        ...{ pageSize: PAGE, maxOffset: MAX_OFFSET },
        page: async (limit, offset) =>
          (await relationships(projectId, { ...filter, limit, offset }, options)).relationships,
      }),
  };
}
