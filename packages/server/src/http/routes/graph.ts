import { bodies, endpoints } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { GraphExport } from "../../services/graph/export.ts";
import type { GraphService } from "../../services/graph.ts";
import { attachmentOf } from "../attachment.ts";
import type { IsStillAllowed } from "../authenticate.ts";
import { checkLater, jsonBody } from "../body.ts";
import { DOWNLOAD_LIMITS, type DownloadLimits, streamDownload } from "../long-download.ts";
import {
  presentAssociations,
  presentEntities,
  presentEntityDetail,
  presentGraphFit,
  presentOverview,
  presentPath,
  presentProposals,
  presentRelationships,
} from "../present/graph.ts";
import { csvOf } from "../present/graph-export/csv.ts";
import { graphMlOf } from "../present/graph-export/graphml.ts";
import { jsonLdOf } from "../present/graph-export/jsonld.ts";
import { presentMatch, toPattern } from "../present/graph-match.ts";
import { addEndpoint, pathParameter, requireCaller, routePath } from "./endpoint.ts";

type ExportParameters = z.output<typeof bodies.graphExportParameters>;

export function addGraphRoutes(
  app: FastifyInstance,
  { graph, isStillAllowed }: { readonly graph: GraphService; readonly isStillAllowed: IsStillAllowed },
  limits = DOWNLOAD_LIMITS,
): void {
  addEntityEndpoints(app, graph);
  addOverviewEndpoints(app, graph);

  addEndpoint(app, "listRelationships", {
    async handler(request) {
      const parameters = checkLater(bodies.relationshipListParameters, request.query);
      const found = await graph.listRelationships(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => {
          const { type, entity_id: entityId, as_of: asOf, limit, offset } = parameters();
          return { type, entityId, asOf, limit, offset };
        },
      );
      return presentRelationships(found, parameters());
    },
  });

  addEndpoint(app, "listProposals", {
    async handler(request) {
      const parameters = checkLater(bodies.proposalListParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const found = await graph.listProposals(requireCaller(request), projectId, () => {
        const { type, entity_id: entityId, limit, offset } = parameters();
        return { type, entityId, limit, offset };
      });
      return presentProposals(found, parameters());
    },
  });

  addEndpoint(app, "listAssociations", {
    async handler(request) {
      const parameters = checkLater(bodies.associationListParameters, request.query);
      const found = await graph.listAssociations(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => {
          const { entity_id: entityId, limit, offset } = parameters();
          return { entityId, limit, offset };
        },
      );
      return presentAssociations(found, parameters());
    },
  });

  addEndpoint(app, "getGraphFit", {
    async handler(request) {
      const parameters = checkLater(bodies.graphFitParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      return presentGraphFit(await graph.getFit(requireCaller(request), projectId, () => parameters().limit));
    },
  });

  addExport(app, { graph, isStillAllowed }, limits);
}

function addEntityEndpoints(app: FastifyInstance, graph: GraphService): void {
  addEndpoint(app, "listEntities", {
    async handler(request) {
      const parameters = checkLater(bodies.entityListParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const found = await graph.listEntities(requireCaller(request), projectId, () => {
        const { as_of: asOf, ...search } = parameters();
        return { ...search, asOf };
      });
      return presentEntities(found, parameters());
    },
  });

  addEndpoint(app, "getEntity", {
    async handler(request) {
      const parameters = checkLater(bodies.entityParameters, request.query);
      const target = {
        projectId: pathParameter(request, "project_id"),
        entityId: pathParameter(request, "entity_id"),
      };
      return presentEntityDetail(
        await graph.getEntity(requireCaller(request), target, () => {
          const { limit, include, as_of: asOf } = parameters();
          return { limit, withAssociations: include === "associations", asOf };
        }),
      );
    },
  });
}

function addOverviewEndpoints(app: FastifyInstance, graph: GraphService): void {
  addEndpoint(app, "getGraphOverview", {
    async handler(request) {
      const parameters = checkLater(bodies.graphOverviewParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      return presentOverview(
        await graph.getOverview(requireCaller(request), projectId, () => {
          const { limit, document: sourceDocId, as_of: asOf } = parameters();
          return { limit, sourceDocId, asOf };
        }),
      );
    },
  });

  addEndpoint(app, "findGraphPath", {
    async handler(request) {
      const parameters = checkLater(bodies.graphPathParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      return presentPath(await graph.findPath(requireCaller(request), projectId, parameters));
    },
  });

  addEndpoint(app, "matchGraph", {
    async handler(request) {
      const body = checkLater(bodies.matchBody, jsonBody(request).value);
      const projectId = pathParameter(request, "project_id");
      const found = await graph.match(requireCaller(request), projectId, () => toPattern(body()));
      return presentMatch(found, body());
    },
  });

  addEndpoint(app, "listUnrelatedEntities", {
    async handler(request) {
      const parameters = checkLater(bodies.unrelatedListParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const found = await graph.listUnrelated(requireCaller(request), projectId, parameters);
      return presentEntities(found, parameters());
    },
  });
}

/**
 * Streams with backpressure: the next page is read from the database only
 * when the client has read the last one.
 */
function addExport(
  app: FastifyInstance,
  { graph, isStillAllowed }: { readonly graph: GraphService; readonly isStillAllowed: IsStillAllowed },
  limits: DownloadLimits,
): void {
  app.route({
    method: endpoints.exportGraph.method,
    url: routePath("exportGraph"),
    async handler(request, reply) {
      const parameters = checkLater(bodies.graphExportParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const exported = await graph.export(requireCaller(request), projectId, () => {
        const { as_of: asOf, ...chosen } = parameters();
        return { ...chosen, asOf };
      });
      const { mediaType, ending, pieces } = fileOf(exported.graph, { projectId, ...exported.chosen });
      const body = streamDownload(
        { request, reply },
        { pieces, end: exported.end, revoked: exported.revoked },
        { ...limits, isStillAllowed },
      );
      return reply
        .code(endpoints.exportGraph.success)
        .header("content-type", mediaType)
        .header("content-disposition", attachmentOf(exported.name, ending))
        .send(body);
    },
  });
}

function fileOf(
  graph: GraphExport,
  { projectId, format, part }: { projectId: string } & Pick<ExportParameters, "format" | "part">,
) {
  switch (format) {
    case "jsonld":
      return {
        mediaType: "application/ld+json",
        ending: ".jsonld",
        pieces: jsonLdOf(graph, projectId),
      };
    case "graphml":
      return {
        mediaType: "application/graphml+xml; charset=utf-8",
        ending: ".graphml",
        pieces: graphMlOf(graph, projectId),
      };
    case "csv":
      return {
        mediaType: "text/csv; charset=utf-8; header=present",
        ending: ` ${part}.csv`,
        pieces: csvOf(graph, part),
      };
  }
}
