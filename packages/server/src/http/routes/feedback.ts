import { bodies } from "@kcs/contract";
import { API_VERSION } from "@kcs/contract/openapi";
import type { FastifyInstance } from "fastify";
import type { FeedbackService } from "../../services/feedback.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { JsonLines, LongJson } from "../long-json.ts";
import { presentFeedback } from "../present/feedback.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addFeedbackRoutes(app: FastifyInstance, feedback: FeedbackService): void {
  addEndpoint(app, "recordFeedback", {
    async handler(request) {
      const recorded = await feedback.record(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => {
          const body = check(bodies.feedbackBody, jsonBody(request).value);
          const { strategy_used: strategyUsed, source_doc_ids: sourceDocIds, ...given } = body;
          return { ...given, strategyUsed, sourceDocIds, serviceVersion: API_VERSION };
        },
      );
      return presentFeedback(recorded);
    },
  });

  addEndpoint(app, "listFeedback", {
    async handler(request, reply) {
      const parameters = checkLater(bodies.feedbackListParameters, request.query);
      const found = await feedback.list(requireCaller(request), pathParameter(request, "project_id"), () => {
        const { rating, limit, offset } = parameters();
        return { rating, page: { limit, offset } };
      });
      const { limit, offset, format } = parameters();
      const items = found.feedback.map(presentFeedback);
      if (format === "json") return { feedback: items, total: found.total, limit, offset };
      reply.header("content-type", "application/x-ndjson; charset=utf-8");
      return new LongJson(new JsonLines(items));
    },
  });
}
