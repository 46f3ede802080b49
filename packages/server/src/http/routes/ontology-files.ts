import { bodies, endpoints, ontologyFormats } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ImportedOntology, OntologyFileService } from "../../services/ontology-files.ts";
import { attachmentOf } from "../attachment.ts";
import { check, registerBodies } from "../body.ts";
import type { Content, LargeBody, ReadLargeBody } from "../large-body.ts";
import { LongJson, MadeBytes } from "../long-json.ts";
import { presentOntology } from "../present.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { pathParameter, requireCaller, routePath } from "./endpoint.ts";
import { SCHEMA_BODY_BYTES } from "./ontologies.ts";

export function addOntologyFileRoutes(
  app: FastifyInstance,
  {
    ontologyFiles: files,
    readLargeBody,
  }: { readonly ontologyFiles: OntologyFileService; readonly readLargeBody: ReadLargeBody },
): void {
  app.register((scope, _options, done) => {
    const read = ({ caller, query }: FastifyRequest, pieces: LargeBody["pieces"]) => {
      const { format } = check(bodies.importOntologyParameters, query);
      return readLargeBody({ form: "ontologyFile", format, pieces }, caller?.accountId ?? "");
    };
    registerBodies(scope, read);
    addCreatingEndpoint<ImportedOntology>(scope, "importOntology", {
      bodyLimit: SCHEMA_BODY_BYTES,
      async create(request, _reply, once) {
        // Bodies come from `read` only. It is not called for a request without a body.
        const contentOf = (request.body as Content<"ontologyFile"> | undefined) ?? (await read(request, []));
        return files.import(requireCaller(request), contentOf(), once);
      },
      present: ({ ontology, leftOut }) => ({ ontology: presentOntology(ontology), left_out: leftOut }),
    });
    done();
  });

  app.route({
    method: endpoints.exportOntology.method,
    url: routePath("exportOntology"),
    async handler(request, reply) {
      const choice = check(bodies.exportOntologyParameters, request.query);
      const ontologyId = pathParameter(request, "ontology_id");
      const { name, bytes } = await files.export(requireCaller(request), ontologyId, choice);
      const { mediaType, endings } = ontologyFormats[choice.format];
      return reply
        .code(endpoints.exportOntology.success)
        .header("content-type", `${mediaType}; charset=utf-8`)
        .header("content-disposition", attachmentOf(name, `.${endings[0]}`))
        .header("content-length", bytes.length)
        .send(new LongJson(new MadeBytes(bytes)));
    },
  });
}
