/** JSON Schema components as TypeScript declarations. */

type Schema = Readonly<Record<string, unknown>>;

/**
 * One exported type per component, by name. Members that may be left out also take undefined where the component is sent.
 * @param sent names of the components that a client sends
 */
export function declareTypes(
  components: Readonly<Record<string, Schema>>,
  sent: ReadonlySet<string>,
): string {
  return Object.entries(components)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const text = typeOf(schema, { isSent: sent.has(name), indent: "" });
      // A union of objects begins as one of them does.
      return text.startsWith("{") && schema["type"] === "object"
        ? `export interface ${name} ${text}`
        : `export type ${name} = ${text};`;
    })
    .join("\n\n");
}

interface Place {
  readonly isSent: boolean;
  readonly indent: string;
}

function typeOf(schema: unknown, place: Place): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const { $ref, anyOf, oneOf, type, ...rest } = schema as Schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if ("const" in rest) return JSON.stringify(rest["const"]);
  if (Array.isArray(rest["enum"])) return rest["enum"].map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return unionOf(choices.map((choice) => typeOf(choice, place)));
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...rest, type: one }, place)));
  if (type === "array") return `readonly ${inBrackets(typeOf(rest["items"], place))}[]`;
  if (type === "object") return objectType(rest, place);
  return PLAIN[String(type)] ?? "unknown";
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function inBrackets(type: string): string {
  return /[ |]/.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

function objectType(schema: Schema, place: Place): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Schema); // A schema's properties are schemas.
  if (properties.length === 0) {
    const { additionalProperties } = schema;
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, place) : "unknown";
    return `Readonly<Record<string, ${value}>>`;
  }
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const indent = `${place.indent}  `;
  const members = properties.map(([name, property]) => {
    const type = typeOf(property, { ...place, indent });
    if (required.has(name)) return `${indent}readonly ${name}: ${type};`;
    return `${indent}readonly ${name}?: ${type}${place.isSent ? " | undefined" : ""};`;
  });
  return `{\n${members.join("\n")}\n${place.indent}}`;
}
