import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { Correction } from "../../domain/correction.ts";
import type { CorrectionService } from "../../services/corrections.ts";
import type { OntologyExampleService } from "../../services/ontology-examples.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { JsonLines, LongJson } from "../long-json.ts";
import {
  presentCorrection,
  presentCorrectionEvidence,
  presentListedCorrection,
} from "../present/corrections.ts";
import { presentOntologyWithExamples } from "../present/ontology-examples.ts";
import { createOntologyParts } from "../present/ontology-parts.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addCorrectionRoutes(
  app: FastifyInstance,
  {
    corrections,
    ontologyExamples,
  }: { readonly corrections: CorrectionService; readonly ontologyExamples: OntologyExampleService },
): void {
  const readParts = createOntologyParts();
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

  addEndpoint(app, "addExamplesToOntology", {
    async handler(request) {
      const { value = {} } = jsonBody(request);
      const projectId = pathParameter(request, "project_id");
      const isBinding = () => check(bodies.ontologyExamplesBody, value).bind;
      return presentOntologyWithExamples(
        await ontologyExamples.addExamples(requireCaller(request), projectId, isBinding),
        readParts,
      );
    },
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
