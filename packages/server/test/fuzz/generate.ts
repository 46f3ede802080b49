/** Values made from JSON Schema: most of them fit, the rest are wrong in the ways that break servers. */
import fc from "fast-check";

export type Schema = Readonly<Record<string, unknown>>;

/** Reaches the node types of an ontology. */
const MAX_DEPTH = 12;

/** What a careless or hostile client sends in place of anything. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    -0.5,
    2 ** 53,
    "",
    " ",
    "\0",
    "\ud800",
    "x".repeat(5_000),
    "'; drop table projects; --",
    "../../etc/passwd",
    "%00%ff",
    "🚢".repeat(40),
    "{{7*7}}",
    [],
    {},
    [[[[]]]],
    { __proto__: null, constructor: { prototype: {} } },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** How values are made, and how deep this one is in the whole. */
interface Making {
  readonly components: Readonly<Record<string, Schema>>;
  /** Against 8 of a value that fits. */
  readonly hostileWeight: 0 | 1;
  readonly depth: number;
}

/** Values of a schema; about one in nine, at any place, is a hostile one. */
export function valuesOf(
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  return either(schema, { components, hostileWeight: 1, depth: 0 });
}

/** Values of a schema without hostile ones: only numbers next to their limits do not fit. */
export function fittingValuesOf(
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  return either(schema, { components, hostileWeight: 0, depth: 0 });
}

function either(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fitting(schema, making) },
    { weight: making.hostileWeight, arbitrary: hostile },
  );
}

function inside(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  return either(schema, { ...making, depth: making.depth + 1 });
}

function fitting(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const { components, depth } = making;
  const { $ref, anyOf, type, enum: choices } = schema;
  if (depth > MAX_DEPTH) return fc.constant(null);
  if (typeof $ref === "string") {
    return inside(components[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}, making);
  }
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as readonly unknown[]));
  if (Array.isArray(anyOf)) {
    return fc.oneof(...anyOf.map((one: Schema) => inside(one, making)));
  }
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one }, making)));
  if (type === "string") return texts(schema);
  if (type === "integer" || type === "number") return numbers(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") {
    return fc.array(inside((schema["items"] ?? {}) as Schema, making), { maxLength: 4 });
  }
  return type === "object" ? objects(schema, making) : fc.jsonValue({ maxDepth: 2 });
}

function texts(schema: Schema): fc.Arbitrary<string> {
  const words = fc.constantFrom(
    "harbour",
    "When is the basin dredged?",
    "Ship",
    "2031-04-09",
    "a b",
    "Ørrin 🚢",
  );
  const maxLength = Math.min(60, Number(schema["maxLength"] ?? 60));
  return fc.oneof(words, fc.string({ unit: "grapheme", minLength: 1, maxLength }));
}

function numbers({ minimum = -10, maximum = 10_000 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Math.min(Number(maximum), 10_000)];
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max, min - 1, max + 1, 1.5));
}

function objects(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  const members = Object.entries(properties).map(
    ([name, property]) => [name, inside(property, making)] as const,
  );
  const known = fc.record(Object.fromEntries(members), {
    requiredKeys: required.filter((name) => name in properties),
  });
  if (members.length > 0) return known;
  const values = typeof additionalProperties === "object" ? (additionalProperties as Schema) : {};
  return fc.dictionary(fc.string({ maxLength: 8 }), inside(values, making), { maxKeys: 4 });
}

/** Between slashes these lead to another path. */
const LEAVING: readonly string[] = ["", ".", ".."];

/** A text for a place in a path or a query string. */
export function wordsOf(schema: Schema, known: readonly string[]): fc.Arbitrary<string> {
  const value = valuesOf(schema, {}).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const sound = known.length > 0 ? fc.constantFrom(...known) : value;
  // What is no Unicode cannot be written into an address at all.
  return fc
    .oneof({ weight: 6, arbitrary: sound }, { weight: 2, arbitrary: value })
    .map((text) => (LEAVING.includes(text) ? "-" : text.toWellFormed()));
}
