/** JSON Schemas that are made once, not for each request. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";

/** The version that the library asks for. */
const TARGET = "draft-2020-12";

/**
 * The library makes the JSON Schemas of all tools anew for each list of tools, and that of a tool's result for each call. For
 * all tools that takes 3 ms, three quarters of a list. The first time takes 30, so it is done when the service starts.
 */
export function describeOnce(
  schema: StandardSchemaWithJSON,
  side: "input" | "output",
): StandardSchemaWithJSON {
  const standard = schema["~standard"];
  const describe = standard.jsonSchema[side];
  const known = freeze(describe({ target: TARGET }));
  const describeKnown: typeof describe = (options) => (options.target === TARGET ? known : describe(options));
  return {
    "~standard": { ...standard, jsonSchema: { ...standard.jsonSchema, [side]: describeKnown } },
  };
}

/** Many answers share it, so whoever changes it must fail. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
