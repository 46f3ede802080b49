/** Flattens a JSON Schema into a list of members. */
import { escapeHtml } from "./html.ts";

type Schema = Readonly<Record<string, unknown>>;
type Components = Readonly<Record<string, Schema>>;

export interface Member {
  /** `results.chunks[].text` */
  readonly path: string;
  /** `string or null` */
  readonly type: string;
  readonly isRequired: boolean;
  /** `1 to 100`, `one of "static", "dynamic"` */
  readonly rule: string;
}

const MAX_DEPTH = 6;

/** All members of an object, each followed by its nested members. References are resolved. */
export function membersOf(schema: Schema, components: Components): readonly Member[] {
  return membersBelow(schema, components, { prefix: "", depth: 0 });
}

interface Parent {
  /** Path of the member whose schema is read; "" for the root. */
  readonly prefix: string;
  readonly depth: number;
}

function membersBelow(outer: Schema, components: Components, parent: Parent): readonly Member[] {
  const { schema, suffix } = innermost(outer, components);
  if (parent.depth > MAX_DEPTH) return [];
  const prefix = parent.prefix + (parent.prefix === "" ? "" : suffix);
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  return Object.entries((schema["properties"] ?? {}) as Components).flatMap(([name, property]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const member = {
      path,
      type: typeText(property, components),
      isRequired: required.has(name),
      rule: ruleText(property),
    };
    return [member, ...membersBelow(property, components, { prefix: path, depth: parent.depth + 1 })];
  });
}

/** Unwraps references, "or null", arrays and maps. `suffix` is "[]" for each array and ".{name}" for each map. */
function innermost(
  outer: Schema,
  components: Components,
): { readonly schema: Schema; readonly suffix: string } {
  const schema = resolve(outer, components);
  const choices = choicesOf(schema).filter((choice) => choice["type"] !== "null");
  const [only] = choices;
  if (only !== undefined && choices.length === 1) return innermost(only, components);
  if (schema["type"] === "array" && schema["items"] !== undefined) {
    const inner = innermost(schema["items"] as Schema, components); // In our document `items` is always a schema.
    return { ...inner, suffix: `[]${inner.suffix}` };
  }
  const { properties, additionalProperties } = schema;
  if (properties === undefined && typeof additionalProperties === "object") {
    const inner = innermost(additionalProperties as Schema, components);
    return { ...inner, suffix: `.{name}${inner.suffix}` };
  }
  return { schema, suffix: "" };
}

function resolve(schema: Schema, components: Components): Schema {
  const { $ref } = schema;
  return typeof $ref === "string" ? (components[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}) : schema;
}

function choicesOf(schema: Schema): readonly Schema[] {
  return (schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly Schema[];
}

function typeText(outer: Schema, components: Components): string {
  const schema = resolve(outer, components);
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeText(choice, components)))].join(" or ");
  const { type } = schema;
  if (type === "array") return `array of ${typeText((schema["items"] ?? {}) as Schema, components)}`;
  if (Array.isArray(type)) return type.join(" or ");
  if (typeof type === "string") return schema["format"] === "date-time" ? "time" : type;
  return "any";
}

function ruleText(schema: Schema): string {
  const inner = choicesOf(schema).find((choice) => choice["type"] !== "null") ?? schema;
  const values = inner["enum"] ?? (inner["items"] as Schema | undefined)?.["enum"];
  const { minimum, maximum, maxLength, maxItems } = inner;
  return [
    Array.isArray(values) ? `one of ${values.map((value) => JSON.stringify(value)).join(", ")}` : "",
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "",
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    maxItems === undefined ? "" : `at most ${maxItems} items`,
  ]
    .filter((text) => text !== "")
    .join("; ");
}

export function memberTable(members: readonly Member[]): string {
  if (members.length === 0) return "";
  const rows = members.map(
    ({ path, type, isRequired, rule }) =>
      `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}</td><td>${isRequired ? "required" : "optional"}</td><td>${escapeHtml(rule)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Member</th><th>Type</th><th>Presence</th><th>Constraints</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
