import * as bodies from "../../bodies.ts";
import { ontologySchema } from "../../ontology-schema.ts";
import { IDEMPOTENCY_KEY, type OperationDetails } from "../operation-details.ts";

export const exampleSchema = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Ship: { properties: ["tonnage"], description: "A seagoing vessel with a name of its own" },
          Harbour: { properties: [], description: "A port where ships lie" },
        },
      },
    ],
    edge_types: [
      {
        name: "BERTHED_AT",
        source_types: ["Ship"],
        target_types: ["Harbour"],
        properties: [],
        temporal: true,
        description: "Where the ship lies",
      },
    ],
  },
};

export const exampleOntology = {
  id: "ont_98f13708210194c475687be6106a3b84",
  name: "Shipping",
  created_at: "2031-05-03T09:12:44.000Z",
};

export const ontologyDetails = {
  suggestOntology: {
    tag: "Ontologies",
    description:
      "Drafts an ontology from a description of the use case. The draft is not stored; create an ontology from it with `POST /ontologies`.",
    body: {
      name: "SuggestOntology",
      schema: bodies.suggestBody,
      example: { usecase: "Ships of a port: which ship lies in which harbour, and since when." },
    },
    answerHeaders: ["X-KCS-Engine"],
    example: { name: "Shipping", schema: exampleSchema },
    errors: [
      { status: 400, detail: "Use case description is required", when: "`usecase` is missing or blank." },
      {
        status: 400,
        detail: "usecase: no kinds of things were found in the description. <what to do>",
        when: "The built-in engine cannot read the description.",
      },
      {
        status: 500,
        detail: "Failed to generate ontology suggestion: <reason>",
        when: "The language model cannot be reached, or has not returned a valid ontology.",
      },
      {
        status: 429,
        detail: "At most 8 suggestions of an account run at once. Try again shortly.",
        when: "The account already runs as many suggestions as it may at once.",
      },
    ],
  },
  lintOntology: {
    tag: "Ontologies",
    description: "Returns the faults that creating the ontology would report, at most ten. Stores nothing.",
    body: { name: "LintOntology", schema: bodies.lintOntologyBody, example: { schema: exampleSchema } },
    example: { valid: true, faults: [], fault_count: 0 },
  },
  createOntology: {
    tag: "Ontologies",
    description:
      "The schema is stored and returned exactly as it was sent. The error for an invalid schema lists at most ten faults with their places.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "CreateOntology",
      schema: bodies.createOntologyBody.extend({ schema: ontologySchema }),
      example: { name: "Shipping", schema: exampleSchema },
    },
    example: { ...exampleOntology, schema: exampleSchema },
    errors: [
      {
        status: 400,
        detail: "Invalid ontology schema: missing hierarchy definition",
        when: "The schema has no hierarchy.",
      },
      {
        status: 429,
        detail:
          "The account has <count> ontologies, as many as it may have. Delete one that is no longer needed.",
        when: "The account has reached its maximum number of ontologies.",
      },
    ],
  },
  listOntologies: {
    tag: "Ontologies",
    description: "All ontologies of the account, newest first, without their schemas.",
    query: bodies.listParameters,
    example: { ontologies: [exampleOntology] },
  },
  getOntology: {
    tag: "Ontologies",
    description:
      "The newest version of the ontology, or another one, with its schema exactly as it was sent.",
    query: bodies.ontologyParameters,
    example: { ...exampleOntology, schema: exampleSchema },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
