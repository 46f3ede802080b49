/** A pattern that is looked for in a graph: up to five nodes in a row, with an edge between each two. */
import { z } from "zod";
import { expecting, kindOf, NAME_PATTERN, nameField, optional } from "./fields.ts";
import { asOfField } from "./list-parameters.ts";
import { isObject, readField } from "./metadata.ts";

const MATCH_LIMITS = {
  hops: 4,
  values: 20,
  properties: 10,
  rows: { max: 500, fallback: 100 },
} as const;

const text = nameField(200);

/** Of too many, the union that has it says what is expected; of too few, the array itself. */
function someTexts(expected: string) {
  return z
    .array(text)
    .min(1, { error: `is empty, expected ${expected}` })
    .max(MATCH_LIMITS.values);
}

/** A text, or any of several. */
function textsField(what: string) {
  const expected = `${what}, or an array of 1 to ${MATCH_LIMITS.values} of them`;
  return z
    .union([text, someTexts(expected)], { error: `expected ${expected}` })
    .nullish()
    .transform((value) => (value == null ? [] : [value].flat()));
}

const nameExpected = 'a name, or an object with the member contains, such as {"contains": "Brandt"}';
const propertyExpected = `a value, an array of 1 to ${MATCH_LIMITS.values} values, or true for any value`;

const textSchema = { type: "string", minLength: 1, maxLength: 200, pattern: NAME_PATTERN } as const;
const propertyValues = z.union([z.literal(true), text, someTexts(propertyExpected)], {
  error: `expected ${propertyExpected}`,
});
type PropertyCondition = readonly [property: string, values: z.output<typeof propertyValues>];

/** A condition for each member. Zod's records would drop one that is named `__proto__`, and find more. */
function propertiesField() {
  return readField((value, report): readonly PropertyCondition[] => {
    if (value === null) return [];
    const entries = isObject(value) ? Object.entries(value) : [];
    if (!isObject(value)) report(`${kindOf(value)}, expected an object of properties`);
    if (entries.length > MATCH_LIMITS.properties)
      report(`has too many properties, expected at most ${MATCH_LIMITS.properties}`);
    return entries.slice(0, MATCH_LIMITS.properties).flatMap(([property, values]): PropertyCondition[] => {
      const [name, wanted] = [text.safeParse(property), propertyValues.safeParse(values)];
      if (name.success && wanted.success) return [[name.data, wanted.data]];
      for (const { error } of [name, wanted])
        for (const { message, path } of error?.issues ?? []) report(message, [property, ...path]);
      return [];
    });
  })
    .prefault(null)
    .meta({
      type: ["object", "null"],
      maxProperties: MATCH_LIMITS.properties,
      propertyNames: textSchema,
      additionalProperties: {
        anyOf: [
          { type: "boolean", const: true },
          textSchema,
          { type: "array", items: textSchema, minItems: 1, maxItems: MATCH_LIMITS.values },
        ],
      },
    });
}

const nodePattern = z.strictObject(
  {
    entity_id: optional(text),
    type: textsField("a node type"),
    /** A whole name of the entity, or a part of one; case, accents and punctuation do not count. */
    name: z
      .union([text, z.strictObject({ contains: text })], { error: `expected ${nameExpected}` })
      .nullish()
      .transform((value) => value ?? null),
    /** By property, exactly as the entity lists its values. */
    properties: propertiesField(),
  },
  expecting("an object with entity_id, type, name or properties, or an empty one"),
);

const confidenceExpected = "a number from 0 to 1";

const edgePattern = z.strictObject(
  {
    type: textsField("an edge type"),
    /** out: from the node before it to the node after it. */
    direction: z
      .enum(["out", "in", "any"], expecting('"out", "in" or "any"'))
      .nullish()
      .transform((value) => value ?? "out"),
    /** Of one of its sentences. */
    min_confidence: z
      .number(expecting(confidenceExpected))
      .min(0, { error: `expected ${confidenceExpected}` })
      .max(1, { error: `expected ${confidenceExpected}` })
      .nullish()
      .transform((value) => value ?? 0),
  },
  expecting("an object with type, direction or min_confidence, or an empty one"),
);

const nodesExpected = `an array of 1 to ${MATCH_LIMITS.hops + 1} nodes`;
const limitExpected = `an integer from 1 to ${MATCH_LIMITS.rows.max}`;
const limitFault = { error: `expected ${limitExpected}` };

/** That there is an edge between each two nodes is checked by the service. */
export const matchBody = z.strictObject(
  {
    nodes: z
      .array(nodePattern, expecting(nodesExpected))
      .min(1, { error: `is empty, expected ${nodesExpected}` })
      .max(MATCH_LIMITS.hops + 1, { error: `has too many items, expected ${nodesExpected}` }),
    edges: z
      .array(edgePattern, expecting("an array of edges"))
      .max(MATCH_LIMITS.hops, { error: `has too many items, expected at most ${MATCH_LIMITS.hops} edges` })
      .nullish()
      .transform((value) => value ?? []),
    as_of: asOfField,
    limit: z
      .int(expecting(limitExpected))
      .min(1, limitFault)
      .max(MATCH_LIMITS.rows.max, limitFault)
      .nullish()
      .transform((value) => value ?? MATCH_LIMITS.rows.fallback),
    explain: z
      .boolean(expecting("true or false"))
      .nullish()
      .transform((value) => value ?? false),
  },
  expecting("a JSON object"),
);
