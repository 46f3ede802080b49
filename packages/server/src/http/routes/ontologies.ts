import { bodies, rawMember } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import { errors } from "../../domain/errors.ts";
import type { Ontology } from "../../domain/ontology.ts";
import type { OntologyService } from "../../services/ontologies.ts";
import { check, jsonBody } from "../body.ts";
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

const SCHEMA_BODY_BYTES = 4 * 1024 * 1024;

export function addOntologyRoutes(app: FastifyInstance, ontologies: OntologyService): void {
  addEndpoint(app, "suggestOntology", {
    async handler(request, reply) {
      const { value } = jsonBody(request);
      if (!hasText(member(value, "usecase"))) throw errors.useCaseRequired();
      const { usecase } = check(bodies.suggestBody, value);
      const suggested = await ontologies.suggest(requireCaller(request), usecase);
      reply.header(ENGINE_HEADER, ENGINES[suggested.engine]);
      return presentSuggestion(suggested);
    },
  });

  addEndpoint(app, "lintOntology", {
    bodyLimit: SCHEMA_BODY_BYTES,
    async handler(request) {
      const { value, text } = jsonBody(request);
      check(bodies.lintOntologyBody, value);
      return presentOntologyCheck(ontologies.check(rawMember(text, "schema")?.text ?? "{}"));
    },
  });

  addCreatingEndpoint<Ontology>(app, "createOntology", {
    bodyLimit: SCHEMA_BODY_BYTES,
    async create(request, _reply, once) {
      const { value, text } = jsonBody(request);
      if (lacksHierarchy(value)) throw errors.missingHierarchy();
      const { name } = check(bodies.createOntologyBody, value);
      const schemaJson = rawMember(text, "schema")?.text ?? "{}";
      return ontologies.create(requireCaller(request), { name, schemaJson }, once);
    },
    present: presentOntology,
  });

  addEndpoint(app, "listOntologies", {
    async handler(request) {
      const listed = await ontologies.list(requireCaller(request), pageOf(request.query));
      return { ontologies: listed.map(presentOntologySummary) };
    },
  });

  addEndpoint(app, "getOntology", {
    async handler(request) {
      const ontology = await ontologies.get(requireCaller(request), pathParameter(request, "ontology_id"));
      return presentOntology(ontology);
    },
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Absent, null and blank use cases all count as missing. */
function hasText(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}

/**
 * Whether the body has a schema object without a hierarchy. Other defects are
 * reported as faults of the body's shape.
 */
function lacksHierarchy(body: unknown): boolean {
  const schema = member(body, "schema");
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const ontology = member(schema, "ontology");
  if (ontology !== undefined && ontology !== null && typeof ontology !== "object") return false;
  const hierarchy = member(ontology, "hierarchy");
  return (
    hierarchy === undefined || hierarchy === null || (Array.isArray(hierarchy) && hierarchy.length === 0)
  );
}
