/**
 * Whether a structured reply can be cached: it has all required members of its schema, and arrays where the
 * schema has arrays.
 */
export function hasRequired(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  if (schema["type"] === "array") return Array.isArray(value);
  if (!isRecord(value)) return false;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return required.every((name: unknown) => {
    if (typeof name !== "string" || !(name in value)) return false;
    const property = properties[name];
    return !isRecord(property) || property["type"] !== "array" || Array.isArray(value[name]);
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
