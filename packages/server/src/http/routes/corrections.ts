import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { Correction } from "../../domain/correction.ts";
import type { Ontology } from "../../domain/ontology.ts";
import type { CorrectionService } from "../../services/corrections.ts";
import type { OntologyService } from "../../services/ontologies.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { JsonLines, LongJson } from "../long-json.ts";
import {
  presentCorrection,
  presentCorrectionEvidence,
  presentListedCorrection,
} from "../present/corrections.ts";
import { presentOntology } from "../present.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addCorrectionRoutes(
  app: FastifyInstance,
  {
    corrections,
    ontologies,
  }: { readonly corrections: CorrectionService; readonly ontologies: OntologyService },
): void {
  addCreatingEndpoint<readonly Correction[]>(app, "createCorrections", {
    create: (request, _reply, once) =>
      corrections.create(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => check(bodies.correctionsBody, jsonBody(request).value).corrections,
        once,
      ),
    present: (made) => ({ corrections: made.map(presentCorrection) }),
  });

  addEndpoint(app, "listCorrections", {
    async handler(request, reply) {
      const parameters = checkLater(bodies.correctionListParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const found = await corrections.list(requireCaller(request), projectId, () => {
        const { kind, state, order, limit, offset } = parameters();
        const page = { limit, offset };
        return { kind, withoutEvidence: state !== null, newestFirst: order === "newest", page };
      });
      const { limit, offset, format } = parameters();
      const items = found.corrections.map(presentListedCorrection);
      if (format === "json")
        return { corrections: items, total: found.total, limit, offset, taught: found.taught };
      reply.header("content-type", "application/x-ndjson; charset=utf-8");
      return new LongJson(new JsonLines(items));
    },
  });

  addEndpoint(app, "listCorrectionExamples", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      const { nodeTypes, edgeTypes } = await corrections.listExamples(requireCaller(request), projectId);
      return { node_types: nodeTypes, edge_types: edgeTypes };
    },
  });

  addCreatingEndpoint<Ontology>(app, "createOntologyFromCorrections", {
    async create(request, _reply, once) {
      const caller = requireCaller(request);
      const projectId = pathParameter(request, "project_id");
      const schema = await corrections.readSchemaWithExamples(caller, projectId);
      const { name } = check(bodies.ontologyFromCorrectionsBody, jsonBody(request).value);
      return ontologies.create(caller, { name, ...schema }, once);
    },
    present: presentOntology,
  });

  addEndpoint(app, "getCorrectionEvidence", {
    async handler(request) {
      const target = {
        projectId: pathParameter(request, "project_id"),
        correctionId: pathParameter(request, "correction_id"),
      };
      return presentCorrectionEvidence(await corrections.readEvidence(requireCaller(request), target));
    },
  });

  addEndpoint(app, "deleteCorrection", {
    async handler(request, reply) {
      const projectId = pathParameter(request, "project_id");
      await corrections.undo(requireCaller(request), projectId, pathParameter(request, "correction_id"));
      return reply.status(204).send();
    },
  });
}
