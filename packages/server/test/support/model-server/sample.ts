/** Values for a JSON Schema: fitting ones, and ones with the faults that models make. */
import { type Behaviour, say } from "./behaviour.ts";
import { isRecord } from "./request.ts";

type Schema = Readonly<Record<string, unknown>>;
type Leaf = (schema: Schema) => unknown;

/** The simplest value that fits: one item in each array, the first of each enum. */
export function sampleOf(schema: Schema): unknown {
  return build(schema, fitting);
}

/** The right shape with the wrong kinds of values: numbers for texts, texts for numbers and arrays. */
export function wrongTypes(schema: Schema): Behaviour {
  return say(build(schema, (leaf) => (typeof fitting(leaf) === "string" ? 7 : "seven")));
}

/** The right shape and kinds, but every enum has a value that is none of its own. */
export function unknownEnums(schema: Schema): Behaviour {
  return say(build(schema, (leaf) => (Array.isArray(leaf["enum"]) ? "NOT_IN_THE_LIST" : fitting(leaf))));
}

function fitting(schema: Schema): unknown {
  if ("const" in schema) return schema["const"];
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices[0];
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  return type === "null" ? null : "text";
}

function build(schema: Schema, leaf: Leaf): unknown {
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return isRecord(choices[0]) ? build(choices[0], leaf) : null;
  const items = schema["items"];
  if (isRecord(items)) return [build(items, leaf)];
  const properties = schema["properties"];
  if (!isRecord(properties)) return leaf(schema);
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isRecord(value) ? build(value, leaf) : null]),
  );
}
