import * as bodies from "../../bodies.ts";
import { ontologySchema } from "../../ontology-schema.ts";
import { IDEMPOTENCY_KEY, type OperationDetails } from "../operation-details.ts";
import { exampleOntology, exampleSchema } from "./ontologies.ts";
import { exampleProject } from "./projects.ts";
import { exampleReread } from "./rereading.ts";

const change = { change: "renamed", name: "Port", to: "Harbour", members: ["aliases"] } as const;

export const ontologyVersionDetails = {
  replaceOntology: {
    tag: "Ontologies",
    description:
      "Makes a new version, and keeps the earlier ones. Projects stay bound to the version that they have; `PATCH /projects/{project_id}` moves one. A body with the name and the schema of the newest version makes none.",
    body: {
      name: "ReplaceOntology",
      schema: bodies.createOntologyBody.extend({ schema: ontologySchema }),
      example: { name: "Shipping", schema: exampleSchema },
    },
    example: { ...exampleOntology, schema: exampleSchema, version: 2 },
    errors: [
      {
        status: 400,
        detail: "Invalid ontology schema: missing hierarchy definition",
        when: "The schema has no hierarchy.",
      },
      {
        status: 409,
        detail: "The ontology has 100 versions, as many as it may have. Create another ontology.",
        when: "The ontology has as many versions as it may have.",
      },
    ],
  },
  deleteOntology: {
    tag: "Ontologies",
    description: "Deletes the ontology with all its versions.",
    errors: [
      {
        status: 409,
        detail: "The ontology is bound to 2 projects. Delete them or move them to another ontology first.",
        when: "A project is bound to one of its versions.",
      },
    ],
  },
  listOntologyVersions: {
    tag: "Ontologies",
    description:
      "The versions of an ontology, newest first, with the number of projects that are bound to each.",
    example: {
      versions: [{ version: 1, name: "Shipping", created_at: "2031-05-03T09:12:44.000Z", projects: 1 }],
    },
  },
  diffOntology: {
    tag: "Ontologies",
    description:
      "The types that differ between two versions. A type is `renamed` where texts are read under the same name (`read_as`), or its name or its new name is an alias of the other; `members` are those that differ.",
    query: bodies.ontologyDiffParameters,
    example: { before: 1, after: 2, node_types: [change], edge_types: [] },
  },
  importOntology: {
    tag: "Ontologies",
    description:
      "Reads OWL, RDFS, SKOS and SHACL in Turtle or RDF/XML, JSON Schema, Neo4j's graph schema, or LinkML (YAML), and creates an ontology. `left_out` lists what an ontology has no place for. RDF/XML with a document type or entities, YAML with aliases and LinkML with imports are refused, and what would become an ontology of more than 4 MiB.",
    query: bodies.importOntologyParameters,
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "ImportOntology",
      schema: bodies.importOntologyBody,
      example: {
        name: "Shipping",
        content: "<urn:s:Ship> a <http://www.w3.org/2002/07/owl#Class> .",
      },
    },
    example: {
      ontology: { ...exampleOntology, schema: exampleSchema },
      left_out: [
        {
          item: "Tanker",
          reason: "has http://www.w3.org/2000/01/rdf-schema#subClassOf, for which there is no place",
        },
      ],
    },
    errors: [
      {
        status: 429,
        detail:
          "The account has <count> ontologies, as many as it may have. Delete one that is no longer needed.",
        when: "The account has reached its maximum number of ontologies.",
      },
    ],
  },
  exportOntology: {
    tag: "Ontologies",
    description:
      "A file of which an import gives the same types. RDF has OWL, labels of SKOS and SHACL shapes; what a format has no name for has one of this service (`urn:kcs:vocabulary:`, `x-kcs`, annotations `kcs:`). A file that would have more than 32 MiB is refused.",
    query: bodies.exportOntologyParameters,
  },
  changeProject: {
    tag: "Projects",
    description:
      "Renames a project, and binds it to an ontology, or to another version of the one that it has. Its documents are then read again in the background (`GET …/reread` tells how far); until then each is answered from what the earlier ontology found. A version with the same types in the same order is bound at once, and nothing is read again. `ontology_changes` tells which types of the graph are kept, renamed or dropped, with the numbers of entities, relationships and proposed relationships, and how many corrections of each kind have no effect under the other ontology, because it lacks what they name; with `dry_run=true` that is all. Others lose it if the reading gives what they name another type: after the reread `GET …/corrections?state=without_evidence` lists them.",
    query: bodies.changeProjectParameters,
    body: {
      name: "ChangeProject",
      schema: bodies.changeProjectBody,
      example: { ontology_id: exampleOntology.id, ontology_version: 2 },
    },
    example: {
      project: exampleProject,
      ontology_changes: {
        node_types: [{ ...change, entities: 3 }],
        edge_types: [
          {
            ...{ change: "kept", name: "BERTHED_AT", to: "BERTHED_AT", members: [] },
            ...{ relationships: 5, fitting: 5, proposals: 2, fitting_proposals: 2 },
          },
        ],
        corrections: [{ kind: "rename", corrections: 2, without_effect: 1 }],
      },
      reread: exampleReread,
    },
    errors: [
      {
        status: 400,
        detail: "Vector-only projects cannot specify an ontology",
        when: "The project has no graph.",
      },
      {
        status: 404,
        detail: "Ontology not found or not accessible",
        when: "There is no such ontology or version in this account.",
      },
      {
        status: 409,
        detail:
          "Some of the project's documents are being ingested. Wait until that has ended, or cancel it first.",
        when: "Documents are being ingested, or the project is being read again or moved to another embedding model. `Retry-After` says when to try again.",
        headers: ["Retry-After"],
      },
      {
        status: 429,
        detail: "Rate limit exceeded. Try again in 60 seconds.",
        when: "A reread counts as one ingest request, and the account has sent as many in the last minute as it may.",
      },
      {
        status: 403,
        detail: "Token usage limit exceeded",
        when: "The account has used its tokens of this month.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
