import { correctionListParameters, correctionsBody, ontologyExamplesBody } from "../../bodies.ts";
import { IDEMPOTENCY_KEY, type OperationDetails } from "../operation-details.ts";
import { exampleOntology } from "./ontologies.ts";
import { ontologyVersionDetails } from "./ontology-versions.ts";
import { EXAMPLE_PROJECT_ID, exampleProject } from "./projects.ts";
import { exampleReread } from "./rereading.ts";

const given = {
  kind: "reject",
  source: { type: "Ship", name: "Wanda", also: [{ type: "Ship", name: "The Wanda II" }] },
  type: "BERTHED_AT",
  target: { type: "Harbour", name: "Orrin", also: [] },
  document: "harbour-log",
  sentence: "The Wanda has been berthed at Orrin since 1994.",
  reason: "That was the other Wanda.",
};

const made = {
  correction_id: "cor_5b0d2f0a8c1e4d63b7a9f02c6e8d1a34",
  project_id: EXAMPLE_PROJECT_ID,
  ...given,
  account_id: "Yb3VdGgmWJpxfiqvk6HTLBnEWHQcUsnC",
  key_id: "pN0uLk2dXyQa7vRzT4hB",
  created_at: "2031-05-04T10:00:00.000Z",
};

export const correctionDetails = {
  createCorrections: {
    tag: "Graph",
    description:
      "Corrections are laid over what the texts state and change no text: they hold for texts that are ingested later, or again, and can be undone. They are applied in the order in which they were made, and the answer comes when the graph has followed, or after 20 seconds. `rename`, `retype` and `merge` give the names of an entity another name or type; `split` does so in the given documents only; `remove_property` and `reject` leave facts out, `reject` with `document` and `sentence` only as that sentence states it; `confirm` ranks a relationship first, also one that was only proposed, whose ends are then of `source_type` and `target_type`, or else of the `confirmed_type` of the proposal; `add_property` and `add_relationship` hold while texts mention their ends; a relationship with `valid_from` or `valid_to`, each a year, month or day, holds from the one until the end of the other. An entity is named by its type and one of its names; `also` has its others, and is filled with those that it has in the graph if it is absent. At most 1,000 of a project, and 2 MiB in all; the names of a request have at most 100,000 characters. Their texts count as stored bytes of the account. A correction from the list, with its `also`, can be sent to another project.",
    headers: [IDEMPOTENCY_KEY],
    body: { name: "CreateCorrections", schema: correctionsBody, example: { corrections: [given] } },
    example: { corrections: [made] },
    errors: [
      {
        status: 400,
        detail: 'corrections[0].type: got "Boat", expected a node type of the ontology',
        when: "The ontology of the project has no such type, or does not allow the relationship or property.",
      },
      {
        status: 409,
        detail: "The corrections concern more than 100000 chunks. Send fewer at once.",
        when: "The entities are mentioned in too many chunks.",
      },
      {
        status: 409,
        detail: "The project has 1000 corrections, as many as it may have. Undo those that are not needed.",
        when: "The project has as many corrections as it may have.",
      },
      {
        status: 429,
        detail: "The account's storage is full. Delete projects that are no longer needed.",
        when: "The account has as many stored bytes as it may have.",
      },
    ],
  },
  listCorrections: {
    tag: "Graph",
    description:
      "`chunks` counts the chunks whose facts a correction changes at present, `later_chunks` those of them that were ingested after it was made: texts that still state otherwise. Both end at 1,000. `conflicts` counts those that tell against a confirmed or added relationship. `state=without_evidence` lists those that change nothing now, because their documents are gone or what they name has another name or type there; a chunk that names it only in a proposal counts where an entity has the name that it gets. `format=jsonl` returns the items of the page as JSON Lines; with `order=oldest` they can be sent in this order to another project. `taught` says for each edge type with verdicts how many statements are asserted, and how many only proposed, because of them.",
    query: correctionListParameters,
    example: {
      corrections: [{ ...made, chunks: 1, later_chunks: 0, conflicts: 0 }],
      total: 1,
      limit: 50,
      offset: 0,
      taught: [{ type: "BERTHED_AT", confirmed: 0, rejected: 1, asserted: 0, proposed: 0 }],
    },
  },
  listCorrectionExamples: {
    tag: "Graph",
    description:
      "In the form of an ontology's `examples`, at most 200 of a type, the newest: entities by the type that they were given, relationships that were confirmed, added (`examples`) and `rejected`.",
    example: {
      node_types: [{ name: "Ship", examples: ["Wanda"] }],
      edge_types: [
        {
          name: "BERTHED_AT",
          examples: [{ source: "Wanda", target: "Vell" }],
          rejected: [{ source: "Wanda", target: "Orrin", text: given.sentence }],
        },
      ],
    },
  },
  addExamplesToOntology: {
    tag: "Graph",
    description:
      "Makes the next version of the project's ontology: its newest version, with what was confirmed, added and retyped as `examples` of its types. Earlier versions stay, and all projects stay bound to theirs; with `bind` this one moves to the new version, as by `PATCH /projects/{project_id}`, and is read by the examples. Where nothing is to be added, no version is made. A call that failed can be repeated.",
    body: {
      name: "AddExamplesToOntology",
      schema: ontologyExamplesBody,
      isOptional: true,
      example: { bind: true },
    },
    example: {
      ontology: {
        ...exampleOntology,
        schema: {
          ontology: {
            hierarchy: [{ level: 0, node_types: { Ship: { examples: ["Wanda"] } } }],
            edge_types: [],
          },
        },
        version: 2,
      },
      node_types: [{ name: "Ship", added: 1, left_out: 0 }],
      edge_types: [],
      moved: {
        project: exampleProject,
        ontology_changes: {
          node_types: [{ change: "changed", name: "Ship", to: "Ship", members: ["examples"], entities: 3 }],
          edge_types: [],
          corrections: [{ kind: "retype", corrections: 1, without_effect: 0 }],
        },
        reread: exampleReread,
      },
    },
    errors: [
      {
        status: 409,
        detail: "The project has no ontology.",
        when: "The project is not bound to an ontology.",
      },
      {
        status: 409,
        detail: "The ontology was changed meanwhile. Nothing was put into it; try again.",
        when: "Another version was made at the same time.",
      },
      ...ontologyVersionDetails.replaceOntology.errors.filter(({ status }) => status === 409),
      ...ontologyVersionDetails.changeProject.errors.filter(({ status }) => status !== 400 && status !== 404),
    ],
  },
  getCorrectionEvidence: {
    tag: "Graph",
    description:
      "Of texts that were ingested after the correction was made: `passages` has a sentence of each chunk that the correction changes, and `conflicts` the sentences by which a confirmed or added relationship would have ended, if it were not of a person: of its end, or for a type with one target at a time of another target, dated after all for which the texts before tell of it. The correction stays as it is; undo it if they are right. At most 20 of each.",
    example: {
      passages: [
        {
          chunk_id: "7.0",
          source_doc_id: "harbour-log",
          ...{ start: 0, end: 47, text: "The Wanda has been berthed at Orrin since 1994." },
        },
      ],
      conflicts: [],
    },
  },
  deleteCorrection: {
    tag: "Graph",
    description: "The graph has again what the texts state, under the corrections that are left.",
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
