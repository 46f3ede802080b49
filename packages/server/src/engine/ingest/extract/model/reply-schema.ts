/** The JSON Schema that an extraction's reply is locked to; within what providers of structured output take: all members required, no others. */
import type { OntologyTypes } from "./model-types.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

const text: JsonSchema = { type: "string" };
const textOrNull: JsonSchema = { type: ["string", "null"] };
/** In one enum; providers refuse schemas of a thousand altogether. What is not locked is checked afterwards, like all else. */
const MAX_VALUES = 160;

/** `types`: null where no ontology gives any. */
export function extractionSchema(types: OntologyTypes | null): JsonSchema {
  return types === null ? openSchema() : ontologySchema(types);
}

/** Rows of strings: what members are called would cost more than what they hold. */
function openSchema(): JsonSchema {
  return object({ facts: list({ type: "array", items: text }) });
}

function ontologySchema({ schema, kinds }: OntologyTypes): JsonSchema {
  const { nodeTypes, edgeTypes } = schema;
  const things = oneOf(nodeTypes.map(({ name }) => name));
  const properties = [...new Set(nodeTypes.flatMap((type) => type.properties))];
  const facts = [false, true].flatMap((temporal) => {
    const edges = edgeTypes.filter((edge) => edge.temporal === temporal);
    if (edges.length === 0) return [];
    const times = temporal ? { from: textOrNull, to: textOrNull } : {};
    const kind =
      kinds === null
        ? { source_type: things, kind: oneOf(edges.map(({ name }) => name)), target_type: things }
        : { kind: oneOf(kinds.filter(({ edge }) => edge.temporal === temporal).map(({ label }) => label)) };
    return [object({ source: text, ...kind, target: text, evidence: text, ...times })];
  });
  return object({
    ...(facts.length === 0 ? {} : { facts: list(facts.length === 1 ? (facts[0] ?? {}) : { anyOf: facts }) }),
    entities: list(object({ name: text, type: things })),
    ...(properties.length === 0
      ? {}
      : { properties: list(object({ name: text, property: oneOf(properties), value: text })) }),
    aliases: list(object({ name: text, alias: text })),
  });
}

function object(properties: JsonSchema): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function oneOf(values: readonly string[]): JsonSchema {
  return values.length === 0 || values.length > MAX_VALUES ? text : { type: "string", enum: values };
}
