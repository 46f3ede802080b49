/** JSON Schemas that are made once, not for each request. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";

/**
 * The library makes the JSON Schemas of all tools anew for each list of tools, and that of a tool's result for each call. For
 * all tools that takes 3 ms, three quarters of a list.
 */
export function describeOnce(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const standard = schema["~standard"];
  const { input, output } = standard.jsonSchema;
  return {
    "~standard": { ...standard, jsonSchema: { input: once(input), output: once(output) } },
  };
}

type Describe = StandardSchemaWithJSON["~standard"]["jsonSchema"]["input"];

/** For the version of JSON Schema that is asked for first, the only one that the library asks for. */
function once(describe: Describe): Describe {
  let known: { readonly target: string; readonly json: Record<string, unknown> } | null = null;
  return (options) => {
    if (known?.target !== options.target) known = { target: options.target, json: freeze(describe(options)) };
    return known.json;
  };
}

/** Many answers share it, so whoever changes it must fail. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
