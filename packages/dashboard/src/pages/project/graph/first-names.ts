import type { OntologySchema } from "@kcs/sdk";

/**
 * The names that renamed node types had first, under which texts are read (`read_as`). As in the service, one is passed over where another type
 * has that name, or one before it has it as its first.
 */
export function firstNames(schema: OntologySchema | null): ReadonlyMap<string, string> {
  const types = (schema?.ontology.hierarchy ?? []).flatMap(({ node_types: each }) => Object.entries(each));
  const taken = new Set(types.map(([name]) => keyOf(name)));
  const first = new Map<string, string>();
  for (const [name, { read_as: readAs }] of types) {
    if (typeof readAs !== "string") continue;
    const key = keyOf(readAs);
    if (taken.has(key) && key !== keyOf(name)) continue;
    taken.add(key);
    first.set(name, readAs);
  }
  return first;
}

/** Names that differ in this alone are the same one. */
function keyOf(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
