import { bodies, endpoints } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OntologyFormat } from "../../ports/ontology-files.ts";
import type { ImportedOntology, OntologyFileService } from "../../services/ontology-files.ts";
import { check, registerBodies } from "../body.ts";
import type { Content, LargeBody, ReadLargeBody } from "../large-body.ts";
import { LongJson, MadeBytes } from "../long-json.ts";
import { presentOntology } from "../present.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { pathParameter, requireCaller, routePath } from "./endpoint.ts";
import { SCHEMA_BODY_BYTES } from "./ontologies.ts";

const FILES = {
  turtle: { mediaType: "text/turtle; charset=utf-8", ending: "ttl" },
  rdfxml: { mediaType: "application/rdf+xml; charset=utf-8", ending: "rdf" },
  "json-schema": { mediaType: "application/schema+json; charset=utf-8", ending: "schema.json" },
  neo4j: { mediaType: "application/json; charset=utf-8", ending: "neo4j.json" },
  linkml: { mediaType: "application/yaml; charset=utf-8", ending: "linkml.yaml" },
} as const satisfies Record<OntologyFormat, unknown>;

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
      const bytes = await files.export(requireCaller(request), ontologyId, choice);
      const { mediaType, ending } = FILES[choice.format];
      return reply
        .code(endpoints.exportOntology.success)
        .header("content-type", mediaType)
        .header("content-disposition", `attachment; filename="${ontologyId}.${ending}"`)
        .header("content-length", bytes.length)
        .send(new LongJson(new MadeBytes(bytes)));
    },
  });
}
