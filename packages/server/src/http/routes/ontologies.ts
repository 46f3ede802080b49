import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import { errors } from "../../domain/errors.ts";
import { ONTOLOGY_LIMITS } from "../../domain/ontology/types.ts";
import type { Ontology } from "../../domain/ontology.ts";
import type { OntologyService } from "../../services/ontologies.ts";
import { check, jsonBody } from "../body.ts";
import { disconnectedSignal } from "../disconnected.ts";
import { addLargeBodyScope, type ReadLargeBody } from "../large-body.ts";
import { member } from "../ontology-body.ts";
import {
  presentOntology,
  presentOntologyCheck,
  presentOntologySummary,
  presentSuggestion,
} from "../present.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";
import { pageOf } from "./page.ts";

/**
 * Names the engine in a header, because the body of a suggestion has exactly the shape of a create request.
 */
const ENGINE_HEADER = "x-kcs-engine";
const ENGINES = { built_in: "built-in", language_model: "language-model" } as const;

export const SCHEMA_BODY_BYTES = ONTOLOGY_LIMITS.schemaBytes;

export interface OntologyRouteDeps {
  readonly ontologies: OntologyService;
  readonly maxTextBytes: number;
  readonly readLargeBody: ReadLargeBody;
}

export function addOntologyRoutes(app: FastifyInstance, deps: OntologyRouteDeps): void {
  const { ontologies } = deps;
  addEndpoint(app, "suggestOntology", {
    async handler(request, reply) {
      const { value } = jsonBody(request);
      if (!hasText(member(value, "usecase"))) throw errors.useCaseRequired();
      const { usecase } = check(bodies.suggestBody, value);
      const suggested = await ontologies.suggest(requireCaller(request), usecase, disconnectedSignal(reply));
      reply.header(ENGINE_HEADER, ENGINES[suggested.engine]);
      return presentSuggestion(suggested);
    },
  });

  addLargeBodyScope(app, { ...deps, form: "schema" }, (scope, contentOf) =>
    addEndpoint(scope, "lintOntology", {
      bodyLimit: SCHEMA_BODY_BYTES,
      handler: async (request) => presentOntologyCheck(contentOf(request)),
    }),
  );

  addLargeBodyScope(app, { ...deps, form: "ontology" }, (scope, contentOf) =>
    addCreatingEndpoint<Ontology>(scope, "createOntology", {
      bodyLimit: SCHEMA_BODY_BYTES,
      create: async (request, _reply, once) =>
        ontologies.create(requireCaller(request), contentOf(request), once),
      present: presentOntology,
    }),
  );

  addEndpoint(app, "listOntologies", {
    async handler(request) {
      const listed = ontologies.list(requireCaller(request), pageOf(request.query));
      const presented = await Array.fromAsync(listed, (step) => step.map(presentOntologySummary));
      return { ontologies: presented.flat() };
    },
  });

  addEndpoint(app, "getOntology", {
    async handler(request) {
      const { version } = check(bodies.ontologyParameters, request.query);
      const ontologyId = pathParameter(request, "ontology_id");
      const ontology = await ontologies.get(requireCaller(request), ontologyId, version);
      return presentOntology(ontology);
    },
  });
}

/** Absent, null and blank use cases all count as missing. */
function hasText(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}
