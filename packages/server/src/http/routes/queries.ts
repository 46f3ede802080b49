import { bodies } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { SearchFilter } from "../../domain/metadata.ts";
import type { AnswerReader } from "../../domain/query.ts";
import type { QueryService } from "../../services/queries.ts";
import { type AnswerStreamDeps, streamAnswer, wantsEvents } from "../answer-stream.ts";
import { checkLater, jsonBody } from "../body.ts";
import { disconnectedSignal } from "../disconnected.ts";
import { presentAnswer, presentChunk } from "../present.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addQueryRoutes(
  app: FastifyInstance,
  deps: AnswerStreamDeps & { readonly queries: QueryService },
): void {
  addEndpoint(app, "query", {
    handler(request, reply) {
      const { ask, hasProvenance } = readQuestion(request, deps.queries);
      if (!wantsEvents(request)) return ask(disconnectedSignal(reply));
      return streamAnswer({ request, reply }, deps, {
        ask: (reader, signal) => ask(signal, reader),
        presentChunks: (chunks) => chunks.map((chunk) => presentChunk(chunk, hasProvenance())),
      });
    },
  });
}

function readQuestion(request: FastifyRequest, queries: QueryService) {
  const body = checkLater(bodies.queryBody, jsonBody(request).value);
  const hasProvenance = () => body().include.includes("provenance");
  const ask = async (signal: AbortSignal, reader?: AnswerReader) => {
    const answer = await queries.ask(requireCaller(request), pathParameter(request, "project_id"), () => {
      const { query, mode, top_k: topK, max_per_document: maxPerDocument, filter, as_of: asOf } = body();
      const { include } = body();
      return {
        query,
        mode,
        topK,
        maxPerDocument,
        filter: filterOf(filter),
        asOf,
        cites: hasProvenance(),
        explain: include.includes("explain"),
        listSteps: include.includes("steps"),
        signal,
        ...(reader === undefined ? {} : { reader }),
      };
    });
    return presentAnswer(body().query, answer, hasProvenance());
  };
  return { ask, hasProvenance };
}

function filterOf(filter: z.output<typeof bodies.queryBody>["filter"]): SearchFilter | null {
  return filter && { sourceDocIds: filter.source_doc_id, metadata: filter.metadata };
}
