import { z } from "zod";
import { count, time } from "./answer-fields.ts";

const entityFields = {
  /** Opaque. Stays the same as long as the entity exists. */
  entity_id: z.string(),
  type: z.string(),
  name: z.string(),
  /** Other spellings of the name, at most 20. */
  aliases: z.array(z.string()),
  /** The values of each property, the one that most chunks state first. Contradicting values are all kept. */
  properties: z.record(z.string(), z.array(z.string())),
  /** Number of chunks that mention the entity. */
  chunks: count,
};

export const entity = z.strictObject(entityFields);

/** A passage of a document that supports a fact. Offsets count UTF-16 code units; `text` is the text between them. */
export const evidence = z.strictObject({
  chunk_id: z.string(),
  source_doc_id: z.string(),
  start: count,
  end: count,
  text: z.string(),
});

export const relationshipEnd = z.strictObject({ entity_id: z.string(), name: z.string(), type: z.string() });

const relationshipFields = {
  relationship_id: z.string(),
  type: z.string(),
  source: relationshipEnd,
  target: relationshipEnd,
  /** Number of chunks that state the relationship. */
  chunks: count,
  /** The probability that a reader of its surest sentence calls it true; null where no sentence could be read. */
  confidence: z.number().min(0).max(1).nullable(),
  /** The date that a text states, as precise as the text is: "2031", "2031-04" or "2031-04-09". */
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  /** Present when a person has confirmed or added it. */
  confirmed: z.literal(true).optional(),
};

export const relationship = z.strictObject(relationshipFields);

const relationshipWithEvidence = relationship.extend({ evidence: z.array(evidence) });

export const entityList = z.strictObject({
  entities: z.array(entity),
  /** Counted up to 10,000. */
  total: count,
  limit: count,
  offset: count,
});

/**
 * Another entity that is mentioned together with an entity, in sentences or repeatedly in chunks, or the closest one. It is
 * no fact: no text states what the two have to do with each other, and they have no relationship.
 */
export const association = z.strictObject({
  entity: relationshipEnd,
  /** 0 to 1. From 0.5 on, chance alone would mention the two together as often in at most one of 1,000 cases. */
  strength: z.number().min(0).max(1),
  /** Number of chunks that mention both, of the first 200 that mention the entity. */
  chunks: count,
  /** What mentions both: a sentence, or sentences of one chunk; at most 3. */
  evidence: z.array(evidence),
});

/** An entity with its evidence and its relationships. */
export const entityDetail = z.strictObject({
  ...entityFields,
  evidence: z.array(evidence),
  relationships: z.array(relationship),
  /** Its relationships that do not hold now, or at `as_of`. */
  history: z.array(relationshipWithEvidence),
  /** Only with `include=associations`: at most 10, the strongest first. */
  associations: z.array(association).optional(),
});

export const relationshipList = z.strictObject({
  relationships: z.array(relationshipWithEvidence),
  /** Counted up to 10,000. */
  total: count,
  limit: count,
  offset: count,
});

/** The best connected part of a graph, without the sentences. */
export const graphOverview = z.strictObject({
  /** The best connected first. */
  entities: z.array(
    z.strictObject({
      ...relationshipEnd.shape,
      /** Number of its relationships in the whole graph. */
      degree: count,
    }),
  ),
  /** Those between these entities. */
  relationships: z.array(
    z.strictObject({
      relationship_id: z.string(),
      type: z.string(),
      /** Ids of entities. */
      source: z.string(),
      target: z.string(),
      chunks: count,
    }),
  ),
  /** Number of entities of the whole graph that have a relationship. */
  connected_entities: count,
  /** Number of relationships of the whole graph. */
  total_relationships: count,
  /** false: the graph has more than the 20,000 relationships that were read; both numbers are of these. */
  is_complete: z.boolean(),
});

/** A shortest path between two entities, whatever the directions of its relationships. */
export const graphPath = z.strictObject({
  /** In the order of the path; empty where there is none. */
  relationships: z.array(relationshipWithEvidence),
  /** Whether all relationships of the graph were looked at. */
  is_complete: z.boolean(),
});

/** What a pattern finds. */
export const graphMatch = z.strictObject({
  rows: z.array(
    z.strictObject({
      /** One for each node of the pattern, in its order. */
      nodes: z.array(relationshipEnd),
      /** One for each edge of the pattern: ids of `relationships`. */
      relationships: z.array(z.string()),
    }),
  ),
  /** Those of all rows, each once. */
  relationships: z.array(relationshipWithEvidence),
  /** Whether these are all rows that there are. */
  is_complete: z.boolean(),
  /** What ended the search early: rows (`limit`), nodes (20,000 were read) or time (5 seconds). */
  bounds_met: z.array(z.enum(["rows", "nodes", "time"])),
  /** Only with `explain`: what was read, in this order. */
  explain: z
    .strictObject({
      steps: z.array(
        z.strictObject({
          step: z.string(),
          /** Entities that were looked at; one counts again for each relationship that leads to it. */
          nodes_read: count,
          /** What is left of them, as rows of all steps so far. */
          rows: count,
        }),
      ),
      took_ms: z.number().min(0),
    })
    .optional(),
});

/**
 * A relationship that the texts state less surely than those of the graph. It is in no answer, and an end is an entity only where the
 * graph has that entity without it.
 */
const proposalEnd = z.strictObject({
  entity_id: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  /** The type of the entity that confirming takes it for: of one that has the name already, or else its own. */
  confirmed_type: z.string(),
  /** Entities that have the name under another type, where none has it under this one; at most 5. */
  same_name: z.array(relationshipEnd),
});

export const proposal = z.strictObject({
  type: z.string(),
  source: proposalEnd,
  target: proposalEnd,
  /** Number of chunks that state it. */
  chunks: count,
  /** The probability that a reader of its surest sentence calls it true. */
  confidence: z.number().min(0).max(1),
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  /** The sentences, the surest first; at most 3. */
  evidence: z.array(evidence),
});

export const proposalList = z.strictObject({
  /** The most confident first. */
  proposals: z.array(proposal),
  /** Counted up to 10,000. */
  total: count,
  limit: count,
  offset: count,
});

export const associationList = z.strictObject({
  /** The strongest first. */
  associations: z.array(association),
  /** At most 10. */
  total: count,
  limit: count,
  offset: count,
});

/** Entities and relationships that extraction found but the ontology has no type for, the most frequent first. */
export const graphFit = z.strictObject({
  entities: z.array(z.strictObject({ type: z.string(), count, example: z.string() })),
  relationships: z.array(
    z.strictObject({
      type: z.string(),
      source_type: z.string(),
      target_type: z.string(),
      count,
      example: z.string(),
    }),
  ),
  /** Statements of the language model that extraction rejected, by reason. */
  dropped: z.array(z.strictObject({ reason: z.string(), count, example: z.string() })),
});

export const projectStats = z.strictObject({
  documents: count,
  chunks: count,
  /** Size of texts and metadata in UTF-8. */
  bytes: count,
  /** At most 1,000 types, the most frequent first. */
  entities_by_type: z.array(z.strictObject({ type: z.string(), count })),
  relationships_by_type: z.array(z.strictObject({ type: z.string(), count })),
  segments: count,
  /** Increases with every change that queries can see. */
  index_version: count,
  jobs: z.strictObject({ pending: count, running: count, completed: count, failed: count }),
  /** Tokens embedded for this project, within the days for which usage is kept. */
  tokens: count,
  last_ingested_at: time.nullable(),
});
