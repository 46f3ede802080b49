/** Converts the contract's Zod schemas to JSON Schema components. */
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The reference to a component inside the OpenAPI document. */
export const componentUri = (name: string) => `#/components/schemas/${name}`;

/**
 * JSON Schema 2020-12 by component name. A component inside another one becomes a reference.
 * @param io "input": as the client sends it, before transforms; "output": as the service returns it
 */
export function componentsOf(
  schemas: ReadonlyMap<string, z.ZodType>,
  io: "input" | "output",
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of schemas) registry.add(schema, { id: name });
  const { schemas: jsonSchemas } = z.toJSONSchema(registry, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    uri: componentUri,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  return Object.fromEntries(
    Object.entries(jsonSchemas).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema;
      return [name, rest];
    }),
  );
}

/** JSON Schemas of an object's members, as the client sends them. */
export function propertiesOf(schema: z.ZodObject): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema, "input"),
  });
  // JSON Schema also allows `true` and `false` as schemas; no member of the contract is one.
  return properties as Readonly<Record<string, JsonSchema>>;
}

/**
 * Removes keywords without information: a pattern next to a format, and null defaults. In responses also the bounds of safe
 * integers, and the ban on further members, which would make every added member a breaking change for generated clients.
 */
function tidy(schema: Record<string, unknown>, io: "input" | "output"): void {
  if (schema["format"] === "date-time") delete schema["pattern"];
  if (schema["default"] === null) delete schema["default"];
  if (io === "input") return;
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"];
}
