/**
 * The shape of an ontology's schema, for the OpenAPI document and the types of clients. The service checks schemas by its
 * own rules, which say more (`domain/ontology/`), and keeps members that it does not know.
 */
import { z } from "zod";
import { NAME_PATTERN } from "./fields.ts";

const name = z.string().min(1).max(200).meta({ pattern: NAME_PATTERN });
const names = z.array(name).nullish();

const typeFields = {
  properties: names.describe("Property names"),
  description: z.string().nullish(),
  aliases: names.describe("Other names of the type"),
  read_as: name
    .nullish()
    .describe(
      "The name under which texts are read, where the type was renamed: it keeps what is found under that name",
    ),
};

export const nodeType = z.looseObject({
  ...typeFields,
  aggregates: names.describe("Node types of lower levels that this type aggregates"),
  examples: names.describe("Names of entities of this type"),
});

export const hierarchyLevel = z.looseObject({
  level: z.int().min(0).max(1000).describe("0 is concrete; higher levels are more abstract"),
  node_types: z.record(z.string(), nodeType).describe("Node types by name"),
});

const edgeExample = z.union([
  z.string(),
  z.looseObject({ source: z.string(), target: z.string(), text: z.string().nullish() }),
  z.looseObject({ subject: z.string(), object: z.string(), text: z.string().nullish() }),
  z.array(z.string()).min(2).max(3),
]);

export const edgeType = z.looseObject({
  name,
  source_types: z.array(name).min(1).describe("Names of node types"),
  target_types: z.array(name).min(1).describe("Names of node types"),
  temporal: z.boolean().nullish().describe("Whether the relationship is time-aware"),
  functional: z
    .boolean()
    .nullish()
    .describe("Whether a source has one target at a time, so that later statements end earlier ones"),
  ...typeFields,
  examples: z
    .array(edgeExample)
    .nullish()
    .describe("Sentences, or the names of both ends, with the edge type between them or not"),
});

export const ontologySchema = z.looseObject({
  ontology: z.looseObject({
    hierarchy: z.array(hierarchyLevel).min(1),
    edge_types: z.array(edgeType).nullish(),
  }),
});
