import { z } from "zod";
import { expecting, integerParameter, nameField, optional } from "./fields.ts";
import { asOfField, choiceParameter } from "./list-parameters.ts";

export const CORRECTION_LIMITS = {
  nameCharacters: 200,
  documentIdCharacters: 512,
  sentenceCharacters: 4_000,
  reasonCharacters: 1_000,
  /** Other names of an entity. */
  also: 64,
  documents: 100,
  batch: 100,
  page: { min: 1, max: 100, fallback: 50 },
} as const;

export const CORRECTION_KINDS = [
  "rename",
  "retype",
  "merge",
  "split",
  "add_property",
  "remove_property",
  "add_relationship",
  "reject",
  "confirm",
] as const;

const limits = CORRECTION_LIMITS;
const name = nameField(limits.nameCharacters);
export const givenEntityName = z.object({ type: name, name }, expecting("an object with type and name"));

/** `also`: its other names; without it the names that it has in the graph. */
export const givenEntity = z.object(
  {
    type: name,
    name,
    also: optional(
      z
        .array(givenEntityName, expecting("an array of names with their types"))
        .max(limits.also, { error: `has too many items, expected at most ${limits.also}` }),
    ),
  },
  expecting("an object with type and name"),
);

const entity = givenEntity;
const absent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const reason = absent(nameField(limits.reasonCharacters));
const ends = { source: entity, type: name, target: entity };
/** Of a relationship as one text states it. */
const place = {
  document: absent(nameField(limits.documentIdCharacters)),
  sentence: absent(nameField(limits.sentenceCharacters)),
};
const documents = z
  .array(nameField(limits.documentIdCharacters), expecting("an array of ids of documents"))
  .min(1, { error: "is empty, expected at least one id" })
  .max(limits.documents, { error: `has too many items, expected at most ${limits.documents}` });

const correction = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("rename"), entity, name, reason }),
    z.object({ kind: z.literal("retype"), entity, type: name, reason }),
    z.object({ kind: z.literal("merge"), entity, into: givenEntityName, reason }),
    z.object({ kind: z.literal("split"), entity, documents, into: givenEntityName, reason }),
    z.object({ kind: z.literal("add_property"), entity, property: name, value: name, reason }),
    z.object({ kind: z.literal("remove_property"), entity, property: name, value: absent(name), reason }),
    z
      .object({
        kind: z.literal("add_relationship"),
        ...ends,
        valid_from: asOfField,
        valid_to: asOfField,
        reason,
      })
      .transform(({ valid_from: validFrom, valid_to: validTo, ...rest }) => ({
        ...rest,
        validFrom,
        validTo,
      })),
    z.object({ kind: z.literal("reject"), ...ends, ...place, reason }),
    z
      .object({
        ...{ kind: z.literal("confirm"), ...ends, ...place, reason },
        /** Of the entities that the ends of a proposal are taken for; absent: as `confirmed_type` of proposals says. */
        source_type: optional(name),
        target_type: optional(name),
      })
      .transform(({ source_type: sourceType, target_type: targetType, ...rest }) => ({
        ...rest,
        ...(sourceType !== undefined && { sourceType }),
        ...(targetType !== undefined && { targetType }),
      })),
  ],
  { error: `expected an object with kind, one of ${CORRECTION_KINDS.join(", ")}` },
);

export const correctionsBody = z.object(
  {
    corrections: z
      .array(correction, expecting("an array of corrections"))
      .min(1, { error: "is empty, expected at least one correction" })
      .max(limits.batch, { error: `has too many items, expected at most ${limits.batch}` }),
  },
  expecting("a JSON object"),
);

export const ontologyExamplesBody = z.object(
  {
    /** Whether the project moves to the version that has the examples. */
    bind: z
      .boolean(expecting("true or false"))
      .nullish()
      .transform((value) => value ?? false),
  },
  expecting("a JSON object"),
);

export const correctionListParameters = z.object({
  kind: choiceParameter(CORRECTION_KINDS, null),
  state: choiceParameter(["without_evidence"], null),
  order: choiceParameter(["newest", "oldest"], "newest"),
  format: choiceParameter(["json", "jsonl"], "json"),
  limit: integerParameter(limits.page),
  offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
});
