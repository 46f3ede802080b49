import { z } from "zod";
import { count, time } from "./answer-fields.ts";
import { CORRECTION_KINDS } from "./correction-bodies.ts";
import { ontologySchema } from "./ontology-schema.ts";

export const ontologyVersion = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: time,
  schema: ontologySchema,
  /** From 1 on. */
  version: count,
});

export const ontologyVersionList = z.strictObject({
  versions: z.array(
    z.strictObject({
      version: count,
      name: z.string(),
      created_at: time,
      /** Number of projects that are bound to it. */
      projects: count,
    }),
  ),
});

export const importedOntology = z.strictObject({
  ontology: z.strictObject({ id: z.string(), name: z.string(), created_at: time, schema: ontologySchema }),
  /** Parts of the file that an ontology has no place for; at most 200, then their number. */
  left_out: z.array(z.strictObject({ item: z.string(), reason: z.string() })),
});

/** A type of one ontology and what it is in another. */
const typeChange = {
  /** renamed: texts are read under the same name, or the other name is an alias. */
  change: z.enum(["kept", "changed", "renamed", "dropped", "added"]),
  /** null: added. */
  name: z.string().nullable(),
  /** null: dropped. */
  to: z.string().nullable(),
  /** The members that differ, such as `description`. */
  members: z.array(z.string()),
};

export const ontologyDiff = z.strictObject({
  before: count,
  after: count,
  node_types: z.array(z.strictObject(typeChange)),
  edge_types: z.array(z.strictObject(typeChange)),
});

/** What another ontology means for the graph of a project. */
export const ontologyChanges = z.strictObject({
  /** Those of the present ontology and of the graph, then those that are added. */
  node_types: z.array(
    z.strictObject({
      ...typeChange,
      /** Number of entities of the type in the graph. */
      entities: count,
    }),
  ),
  edge_types: z.array(
    z.strictObject({
      ...typeChange,
      /** Number of relationships of the type in the graph, counted between names. */
      relationships: count,
      /** Of these, those whose type and ends the other ontology allows. */
      fitting: count,
      /** The same of those that are only proposed, counted up to 10,000 in all. */
      proposals: count,
      fitting_proposals: count,
    }),
  ),
  /** The corrections of the graph by kind, with the number of those that name types which the other ontology does not have. */
  corrections: z.array(
    z.strictObject({ kind: z.enum(CORRECTION_KINDS), corrections: count, without_effect: count }),
  ),
});
