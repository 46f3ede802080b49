/** Converts JSON Schema components to TypeScript declarations. */

type Schema = Readonly<Record<string, unknown>>;

/**
 * One exported type per component, ordered by name. Optional members of a request component also accept undefined.
 * @param requestComponents names of the components that a client sends
 */
export function declareTypes(
  components: Readonly<Record<string, Schema>>,
  requestComponents: ReadonlySet<string>,
): string {
  return Object.entries(components)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const text = typeOf(schema, { isSent: requestComponents.has(name), indent: "" });
      // A union of objects also starts with a brace.
      return text.startsWith("{") && schema["type"] === "object"
        ? `export interface ${name} ${text}`
        : `export type ${name} = ${text};`;
    })
    .join("\n\n");
}

interface TypeContext {
  readonly isSent: boolean;
  readonly indent: string;
}

function typeOf(schema: unknown, context: TypeContext): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const { $ref, anyOf, oneOf, type, ...rest } = schema as Schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if ("const" in rest) return JSON.stringify(rest["const"]);
  if (Array.isArray(rest["enum"])) return rest["enum"].map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return unionOf(choices.map((choice) => typeOf(choice, context)));
  if (Array.isArray(type)) return unionOf(type.map((choice) => typeOf({ ...rest, type: choice }, context)));
  if (type === "array") return `readonly ${inBrackets(typeOf(rest["items"], context))}[]`;
  if (type === "object") return objectType(rest, context);
  return PRIMITIVES[String(type)] ?? "unknown";
}

const PRIMITIVES: Readonly<Record<string, string>> = {
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
  const isOneObject = type.startsWith("{") && !type.includes("} | {");
  return /[ |]/.test(type) && !isOneObject ? `(${type})` : type;
}

function objectType(schema: Schema, context: TypeContext): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Schema); // An object from names to schemas.
  if (properties.length === 0) {
    const { additionalProperties } = schema;
    const value =
      typeof additionalProperties === "object" ? typeOf(additionalProperties, context) : "unknown";
    return `Readonly<Record<string, ${value}>>`;
  }
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const indent = `${context.indent}  `;
  const members = properties.map(([name, property]) => {
    const type = typeOf(property, { ...context, indent });
    if (required.has(name)) return `${indent}readonly ${name}: ${type};`;
    return `${indent}readonly ${name}?: ${type}${context.isSent ? " | undefined" : ""};`;
  });
  return `{\n${members.join("\n")}\n${context.indent}}`;
}
