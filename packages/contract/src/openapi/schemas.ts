/** Zod schemas of the contract as JSON Schema components. */
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where components refer to each other. */
export const componentUri = (name: string) => `#/components/schemas/${name}`;

/**
 * JSON Schema 2020-12 by component name. A schema that is part of another is referred to, not repeated.
 * @param io "input" as it is sent, "output" as it is answered
 */
export function componentsOf(
  schemas: ReadonlyMap<string, z.ZodType>,
  io: "input" | "output",
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of schemas) registry.add(schema, { id: name });
  const { schemas: made } = z.toJSONSchema(registry, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    uri: componentUri,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(made).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema;
      return [name, rest];
    }),
  );
}

/** The members of an object's schema as they are sent. */
export function propertiesOf(schema: z.ZodObject): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  // `true` and `false` are schemas, too; no member of ours is one.
  return properties as Readonly<Record<string, JsonSchema>>;
}

/**
 * Leaves out what says nothing: bounds of safe integers, the pattern beside a format, and the ban on further members,
 * which would make every additive change a breaking one for whoever generates a client.
 */
function tidy(schema: Record<string, unknown>): void {
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["format"] === "date-time") delete schema["pattern"];
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"];
  if (schema["default"] === null) delete schema["default"];
}
