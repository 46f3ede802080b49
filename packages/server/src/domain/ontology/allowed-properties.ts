/**
 * Which properties the node types of an ontology have, in a text that is searched where it is: an ontology of megabytes may have 400,000 of them,
 * and a step asks for a few. Never longer than the text of the ontology by more than a few bytes.
 */
import type { OntologySchema } from "./types.ts";

export type PropertyCheck = (type: string, property: string) => boolean;

/**
 * A line for each node type that has properties: its name and theirs as JSON strings, each with a tab after it. Neither a tab nor the end of a
 * line stands in a JSON string.
 */
export function writeAllowedProperties({ nodeTypes }: Pick<OntologySchema, "nodeTypes">): string {
  return nodeTypes
    .filter(({ properties }) => properties.length > 0)
    .map(({ name, properties }) => `${[name, ...properties].map(fieldOf).join("")}\n`)
    .join("");
}

/** What `writeAllowedProperties` has written. */
export function readAllowedProperties(text: string): PropertyCheck {
  const lines = new Map<string, string>();
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const rest = text.indexOf("\t", start);
    lines.set(text.slice(start, rest + 1), text.slice(rest, end));
    start = end + 1;
  }
  return (type, property) => lines.get(fieldOf(type))?.includes(`\t${fieldOf(property)}`) === true;
}

function fieldOf(name: string): string {
  return `${JSON.stringify(name)}\t`;
}
