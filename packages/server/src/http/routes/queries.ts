import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { SearchFilter } from "../../domain/metadata.ts";
import type { QueryService } from "../../services/queries.ts";
import { checkLater, jsonBody } from "../body.ts";
import { disconnectedSignal } from "../disconnected.ts";
import { presentAnswer } from "../present.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addQueryRoutes(app: FastifyInstance, queries: QueryService): void {
  addEndpoint(app, "query", {
    async handler(request, reply) {
      const signal = disconnectedSignal(reply);
      const body = checkLater(bodies.queryBody, jsonBody(request).value);
      const answer = await queries.ask(requireCaller(request), pathParameter(request, "project_id"), () => {
        const { query, mode, top_k: topK, max_per_document: maxPerDocument, filter, include } = body();
        return {
          query,
          mode,
          topK,
          maxPerDocument,
          filter: filterOf(filter),
          cites: include.includes("provenance"),
          explain: include.includes("explain"),
          listSteps: include.includes("steps"),
          signal,
        };
      });
      const { query, include } = body();
      return presentAnswer(query, answer, include.includes("provenance"));
    },
  });
}

function filterOf(filter: z.output<typeof bodies.queryBody>["filter"]): SearchFilter | null {
  return filter && { sourceDocIds: filter.source_doc_id, metadata: filter.metadata };
}
