import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { DocumentService } from "../../services/documents.ts";
import { checkLater } from "../body.ts";
import { presentChunkContext, presentDocument, presentDocuments } from "../present/documents.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addDocumentRoutes(app: FastifyInstance, documents: DocumentService): void {
  addEndpoint(app, "listDocuments", {
    async handler(request) {
      const parameters = checkLater(bodies.documentListParameters, request.query);
      const projectId = pathParameter(request, "project_id");
      const found = await documents.list(requireCaller(request), projectId, () => {
        const { status, sort, order, ...search } = parameters();
        const by = sort === "updated_at" ? "update" : "id";
        return { ...search, state: status, order: { by, isDescending: order === "desc" } };
      });
      return presentDocuments(found, parameters());
    },
  });

  addEndpoint(app, "getDocument", {
    async handler(request) {
      const sourceDocId = pathParameter(request, "source_doc_id");
      const projectId = pathParameter(request, "project_id");
      return presentDocument(await documents.get(requireCaller(request), projectId, sourceDocId));
    },
  });

  addEndpoint(app, "deleteDocument", {
    handler: (request) =>
      documents.delete(
        requireCaller(request),
        pathParameter(request, "project_id"),
        pathParameter(request, "source_doc_id"),
      ),
  });

  addEndpoint(app, "getChunk", {
    async handler(request) {
      const chunkId = pathParameter(request, "chunk_id");
      const projectId = pathParameter(request, "project_id");
      return presentChunkContext(await documents.getChunk(requireCaller(request), projectId, chunkId));
    },
  });
}
