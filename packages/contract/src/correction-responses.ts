import { z } from "zod";
import { count, time } from "./answer-fields.ts";
import { evidence, relationshipEnd } from "./graph-responses.ts";

export const entityName = z.strictObject({ type: z.string(), name: z.string() });
export const correctedEntity = z.strictObject({
  type: z.string(),
  name: z.string(),
  /** Its other names, which the correction is of, too. */
  also: z.array(entityName),
});
const entity = correctedEntity;
const ends = { source: entity, type: z.string(), target: entity };
const place = {
  /** null: in any document. */
  document: z.string().nullable(),
  /** null: in any sentence. */
  sentence: z.string().nullable(),
};

const recordFields = {
  correction_id: z.string(),
  project_id: z.string(),
  reason: z.string().nullable(),
  account_id: z.string(),
  /** Of the API key that it was made with; null: in the dashboard. */
  key_id: z.string().nullable(),
  created_at: time,
};

const effectFields = {
  /** Chunks whose facts it changes at present; 1 for an addition that is in the graph. 0: it is without evidence. */
  chunks: count,
  /** Of these, chunks of texts that were ingested after it was made. */
  later_chunks: count,
  /** Of a confirmed or added relationship, the chunks of later texts that tell against it; at most 20. */
  conflicts: count,
};

function kinds<Shape extends z.core.$ZodLooseShape>(fields: Shape) {
  return z.discriminatedUnion("kind", [
    z.strictObject({ ...fields, kind: z.literal("rename"), entity, name: z.string() }),
    z.strictObject({ ...fields, kind: z.literal("retype"), entity, type: z.string() }),
    z.strictObject({ ...fields, kind: z.literal("merge"), entity, into: entityName }),
    z.strictObject({
      ...fields,
      kind: z.literal("split"),
      entity,
      documents: z.array(z.string()),
      into: entityName,
    }),
    z.strictObject({
      ...fields,
      kind: z.literal("add_property"),
      entity,
      property: z.string(),
      value: z.string(),
    }),
    z.strictObject({
      ...fields,
      kind: z.literal("remove_property"),
      entity,
      property: z.string(),
      /** null: all values. */
      value: z.string().nullable(),
    }),
    z.strictObject({
      ...fields,
      kind: z.literal("add_relationship"),
      ...ends,
      /** A year, month or day; null: no beginning, or no end, is known. */
      valid_from: z.string().nullable(),
      valid_to: z.string().nullable(),
    }),
    z.strictObject({ ...fields, kind: z.literal("reject"), ...ends, ...place }),
    z.strictObject({
      ...{ ...fields, kind: z.literal("confirm"), ...ends, ...place },
      /** Of the entities that the ends of a proposal are taken for. */
      source_type: z.string(),
      target_type: z.string(),
    }),
  ]);
}

export const correction = kinds(recordFields);
export const listedCorrection = kinds({ ...recordFields, ...effectFields });

export const madeCorrections = z.strictObject({ corrections: z.array(correction) });

export const correctionList = z.strictObject({
  corrections: z.array(listedCorrection),
  total: count,
  limit: count,
  offset: count,
  /** What the project's verdicts teach about other relationships of their types; types without verdicts are left out. */
  taught: z.array(
    z.strictObject({
      type: z.string(),
      /** Verdicts on what present documents state. */
      confirmed: count,
      rejected: count,
      /** Statements that are asserted because of them. */
      asserted: count,
      /** Statements that are only proposed because of them. */
      proposed: count,
    }),
  ),
});

/** Of texts that were ingested after a correction was made. */
export const correctionEvidence = z.strictObject({
  /** A sentence of each chunk that it changes: the newest, at most 20. */
  passages: z.array(evidence),
  /** Sentences that tell against a confirmed or added relationship, those of the latest times first. */
  conflicts: z.array(
    z.strictObject({
      /** It tells of the end, or for a type with one target at a time of another target. */
      kind: z.enum(["ended", "other_target"]),
      /** The year, month or day of the end, or since when the other target is known. */
      at: z.string(),
      /** What the sentence relates the source to. */
      target: relationshipEnd,
      valid_from: z.string().nullable(),
      valid_to: z.string().nullable(),
      evidence,
    }),
  ),
});

const factExample = z.strictObject({
  source: z.string(),
  target: z.string(),
  /** A sentence that states it; absent where the verdict was on the relationship as a whole. */
  text: z.string().optional(),
});

/** What people have confirmed and rejected, in the form of an ontology's `examples`. */
export const correctionExamples = z.strictObject({
  node_types: z.array(z.strictObject({ name: z.string(), examples: z.array(z.string()) })),
  edge_types: z.array(
    z.strictObject({ name: z.string(), examples: z.array(factExample), rejected: z.array(factExample) }),
  ),
});
