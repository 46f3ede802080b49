import * as bodies from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_CHUNK_ID } from "./documents.ts";

const ship = { entity_id: "ent_0cc175b9c0f1b6a831c399e269772661", name: "Wanda", type: "Ship" };
const harbour = { entity_id: "ent_92eb5ffee6ae2fec3ad71c777531578f", name: "Orrin", type: "Harbour" };
const entity = { ...ship, aliases: ["the Wanda"], properties: { tonnage: ["420"] }, chunks: 3 };
const evidence = {
  chunk_id: EXAMPLE_CHUNK_ID,
  source_doc_id: "harbour-log",
  start: 0,
  end: 32,
  text: "The Wanda has been berthed at Orrin since 1994.".slice(0, 32),
};
const relationship = {
  relationship_id: "rel_4a8a08f09d37b73795649038408b5f33",
  type: "BERTHED_AT",
  source: ship,
  target: harbour,
  chunks: 2,
  confidence: 0.91,
  valid_from: "1994",
  valid_to: null,
};

const mate = { entity_id: "ent_4a8a08f09d37b73795649038408b5f33", name: "Ida Rell", type: "Person" };
const association = { entity: mate, strength: 0.615, chunks: 2, evidence: [evidence] };

export const graphDetails = {
  listEntities: {
    tag: "Graph",
    description:
      "Ordered by name. `search` matches a part of the name. With `as_of`, entities that have relationships of which none holds then are left out; those without any relationship are listed at any time. Without it all are. `total` counts up to 10,000.",
    query: bodies.entityListParameters,
    errors: [
      {
        status: 429,
        detail: "At most 4 searches for entities of an account run at once. Try again shortly.",
        when: "The account already runs as many entity searches as it may at once, or too many of its lists of the graph wait.",
      },
    ],
    example: { entities: [entity], total: 1, limit: 100, offset: 0 },
  },
  getEntity: {
    tag: "Graph",
    description:
      "An entity with the sentences that mention it and with its relationships, the most supported first; with `include=associations` also with the entities that are mentioned together with it. `as_of` restricts its relationships as it does in their list; the others, such as those that have ended, are its `history`.",
    query: bodies.entityParameters,
    example: { ...entity, evidence: [evidence], relationships: [relationship], history: [] },
  },
  listRelationships: {
    tag: "Graph",
    description:
      "Each relationship has the sentences that state it. `confidence` is the probability that a reader of its surest sentence calls it true. With `as_of`, a year, month or day, the list has the relationships that hold then by what all sentences together say; without it, those that have not ended. `total` counts up to 10,000.",
    query: bodies.relationshipListParameters,
    example: { relationships: [{ ...relationship, evidence: [evidence] }], total: 1, limit: 100, offset: 0 },
  },
  listAssociations: {
    tag: "Graph",
    description:
      "The entities that are mentioned together with an entity, in sentences or repeatedly in chunks, the strongest first; at most 10. An entity without any that is mentioned more than once has the one that is mentioned closest to it. They are no facts: no text states what the two have to do with each other. An entity that has a relationship with it is not among them.",
    query: bodies.associationListParameters,
    errors: [
      {
        status: 404,
        detail: "Entity not found",
        when: "`entity_id` does not exist, or it belongs to another project.",
      },
    ],
    example: { associations: [association], total: 1, limit: 100, offset: 0 },
  },
  getGraphOverview: {
    tag: "Graph",
    description:
      "The best connected entities, at most `limit`, with the relationships between them: of the largest connected part the entity with the most relationships, then always the neighbour of those taken that has the most, then the next part. For a drawing of the graph. The first 20,000 relationships between names, by name, are read; `is_complete` is false where there are more. With `document` only the entities that its first 1,000 chunks name, with and without relationships between them; `degree` and the totals are then theirs. With `as_of`, only relationships that a text says hold then, or dates not at all.",
    query: bodies.graphOverviewParameters,
    example: {
      entities: [
        { ...ship, degree: 1 },
        { ...harbour, degree: 1 },
      ],
      relationships: [
        {
          relationship_id: "rel_4a8a08f09d37b73795649038408b5f33",
          type: "BERTHED_AT",
          source: ship.entity_id,
          target: harbour.entity_id,
          chunks: 2,
        },
      ],
      connected_entities: 2,
      total_relationships: 1,
      is_complete: true,
    },
  },
  findGraphPath: {
    tag: "Graph",
    description:
      "The relationships of a shortest path from one entity to another, whatever their directions, each with its sentences; of several between two entities the one that most chunks state. Empty where no path of at most 64 is found in the first 20,000 relationships between names, by name.",
    query: bodies.graphPathParameters,
    errors: [
      {
        status: 404,
        detail: "Entity not found",
        when: "`from` or `to` does not exist, or it belongs to another project.",
      },
    ],
    example: { relationships: [{ ...relationship, evidence: [evidence] }], is_complete: true },
  },
  listUnrelatedEntities: {
    tag: "Graph",
    description:
      "Ordered by name, of one `type` where it is given. The first 10,000 entities are looked through. In a graph of more than 20,000 relationships between names, entities whose relationships come later by name are among them.",
    query: bodies.unrelatedListParameters,
    example: { entities: [{ ...entity, ...mate }], total: 1, limit: 100, offset: 0 },
  },
  matchGraph: {
    tag: "Graph",
    description:
      "Up to five nodes in a row with an edge between each two. A node is any entity that meets its conditions: `type`, `name` (a whole name, or a part with `contains`), `properties`, `entity_id`. An edge is any relationship that does: `type`, `min_confidence`, and `direction`, which is `out` from the node before it to the node after it. `type` and the values of a property are texts or arrays of them. With `as_of` relationships are those that hold then. Each row has an entity for each node and a relationship for each edge, no relationship twice; rows have no order. `bounds_met` says what ended the search where `is_complete` is false.",
    body: {
      name: "GraphPattern",
      schema: bodies.matchBody,
      example: {
        nodes: [{ type: "Person" }, { type: "Ship", properties: { tonnage: "420" } }, { name: "Orrin" }],
        edges: [{ type: ["COMMANDS", "OWNS"] }, { type: "BERTHED_AT", min_confidence: 0.9 }],
        as_of: "1994",
        limit: 10,
        explain: true,
      },
    },
    errors: [
      {
        status: 429,
        detail: "At most 256 lists of the graph of an account wait. Try again shortly.",
        when: "Too many of the account's lists of the graph wait. One runs at a time.",
      },
    ],
    example: {
      rows: [{ nodes: [ship, harbour], relationships: [relationship.relationship_id] }],
      relationships: [{ ...relationship, evidence: [evidence] }],
      is_complete: true,
      bounds_met: [],
    },
  },
  listProposals: {
    tag: "Graph",
    description:
      "Relationships that the documents state less surely than those of the graph, the most confident first, each with its sentences. `confidence` is the probability that a reader calls it true. No answer has them, no number counts them, and no entity exists because of them: `entity_id` is null for an end that is no entity. `same_name` then has the entities that have its name under other types, and `confirmed_type` is the type that confirming gives it: of the one of them that the ontology allows there, or else its own. A relationship that one sentence states surely is not among them. `total` counts up to 10,000.",
    query: bodies.proposalListParameters,
    errors: [
      {
        status: 404,
        detail: "Entity not found",
        when: "`entity_id` does not exist, or it belongs to another project.",
      },
    ],
    example: {
      proposals: [
        {
          type: "COMMANDED_BY",
          source: { ...ship, confirmed_type: ship.type, same_name: [] },
          target: {
            ...{ entity_id: null, name: "Ida Rell", type: "Person", confirmed_type: "Person" },
            same_name: [],
          },
          chunks: 1,
          confidence: 0.62,
          valid_from: null,
          valid_to: null,
          evidence: [evidence],
        },
      ],
      total: 1,
      limit: 100,
      offset: 0,
    },
  },
  exportGraph: {
    tag: "Graph",
    description:
      "Streams the whole graph as one file. JSON-LD has types, the passages that state each fact (PROV-O) and times (schema.org) as RDF. A CSV file holds one kind of row, selected by `part`; only such a file can hold associations, each pair once, and proposals. CSV cells that a spreadsheet would read as a formula are escaped. Every column is text, except `chunks`, an integer, `strength` and `confidence`, numbers: `valid_from` and `valid_to` are dates as precise as the text, such as `1994`.",
    answerHeaders: ["Content-Disposition"],
    query: bodies.graphExportParameters,
    errors: [
      {
        status: 429,
        detail: "At most 4 exports of an account run at once. Try again shortly.",
        when: "The account already has as many exports running as it may. An export runs until the client has read it to the end.",
      },
    ],
  },
  getGraphFit: {
    tag: "Graph",
    description:
      "Entities and relationships in the documents for which the ontology has no node type or edge type, the most frequent first. They show what to add to the ontology.",
    query: bodies.graphFitParameters,
    example: {
      entities: [{ type: "Lighthouse", count: 4, example: "Orrin Point" }],
      relationships: [
        {
          type: "LIGHTS",
          source_type: "Lighthouse",
          target_type: "Harbour",
          count: 2,
          example: "Orrin Point lights Orrin",
        },
      ],
      dropped: [],
    },
  },
  getProjectStats: {
    tag: "Projects",
    description: "Number of documents, chunks, entities by type, relationships by type, segments and jobs.",
    example: {
      documents: 1,
      chunks: 1,
      bytes: 87,
      entities_by_type: [{ type: "Ship", count: 1 }],
      relationships_by_type: [{ type: "BERTHED_AT", count: 1 }],
      segments: 1,
      index_version: 4,
      jobs: { pending: 0, running: 0, completed: 1, failed: 0 },
      tokens: 14,
      last_ingested_at: "2031-05-03T09:15:00.120Z",
    },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
