import { z } from "zod";
import { count, time } from "./answer-fields.ts";

const entityFields = {
  /** Stays the same while the entity lives; no meaning beyond that. */
  entity_id: z.string(),
  type: z.string(),
  name: z.string(),
  /** Other written forms, at most 20. */
  aliases: z.array(z.string()),
  /** By property, the value that most chunks state first; values that contradict each other stay side by side. */
  properties: z.record(z.string(), z.array(z.string())),
  /** How many chunks support it. */
  chunks: count,
};

export const entity = z.strictObject(entityFields);

/** Where a document says something; offsets into its text in UTF-16 code units, `text` between them. */
export const evidence = z.strictObject({
  chunk_id: z.string(),
  source_doc_id: z.string(),
  start: count,
  end: count,
  text: z.string(),
});

const relationshipEnd = z.strictObject({ entity_id: z.string(), name: z.string(), type: z.string() });

const relationshipFields = {
  relationship_id: z.string(),
  type: z.string(),
  source: relationshipEnd,
  target: relationshipEnd,
  /** How many chunks state it. */
  chunks: count,
  /** The time that a text states, as far as it does: "2031", "2031-04", "2031-04-09". */
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
};

export const relationship = z.strictObject(relationshipFields);

export const entityList = z.strictObject({
  entities: z.array(entity),
  /** Counted up to 10,000. */
  total: count,
  limit: count,
  offset: count,
});

/** An entity with what supports it and what it is related to. */
export const entityDetail = z.strictObject({
  ...entityFields,
  evidence: z.array(evidence),
  relationships: z.array(relationship),
});

export const relationshipList = z.strictObject({
  relationships: z.array(z.strictObject({ ...relationshipFields, evidence: z.array(evidence) })),
  /** Counted up to 10,000. */
  total: count,
  limit: count,
  offset: count,
});

/** What extraction met that the ontology has no place for, the most frequent first. */
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
  /** What a language model said and extraction did not keep, by reason. */
  dropped: z.array(z.strictObject({ reason: z.string(), count, example: z.string() })),
});

export const projectStats = z.strictObject({
  documents: count,
  chunks: count,
  /** Of texts and metadata in UTF-8. */
  bytes: count,
  /** At most 1,000 types, the most frequent first. */
  entities_by_type: z.array(z.strictObject({ type: z.string(), count })),
  relationships_by_type: z.array(z.strictObject({ type: z.string(), count })),
  segments: count,
  /** Raised by every change of what queries see. */
  index_version: count,
  jobs: z.strictObject({ pending: count, running: count, completed: count, failed: count }),
  /** Tokens that were embedded for this project, as far as usage is kept. */
  tokens: count,
  last_ingested_at: time.nullable(),
});
