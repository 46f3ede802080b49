/** What a move to another ontology gives another name, in words. */
import type { OntologyChanges } from "@kcs/sdk";
import { counted } from "../../../components/counted.ts";

const mostNamed = 12;

/** A sentence for each renamed type that the graph has something of. */
export function renamedIn({ node_types: nodes, edge_types: edges }: OntologyChanges): readonly string[] {
  const sentences = [
    ...nodes.map((type) => wordRenaming(type, type.entities, ["entity", "entities"])),
    ...edges.map((type) => wordRenaming(type, type.relationships, ["relationship", "relationships"])),
  ].filter((sentence) => sentence !== null);
  const more = sentences.length - mostNamed;
  const rest = more > 0 ? [`${counted(more, "more type has", "more types have")} another name.`] : [];
  return [...sentences.slice(0, mostNamed), ...rest];
}

type TypeChange = OntologyChanges["node_types"][number] | OntologyChanges["edge_types"][number];

/** The ends of an edge type have other names where their types do. */
const ends: ReadonlySet<string> = new Set(["source_types", "target_types"]);

/** A type that differs by its name alone is read as before. */
function wordRenaming(
  { change, name, to, members }: TypeChange,
  count: number,
  [one, many]: readonly [one: string, many: string],
): string | null {
  if (change !== "renamed" || count === 0) return null;
  const isReadAsBefore = members.every((member) => ends.has(member));
  const what = isReadAsBefore
    ? `${counted(count, `${one} keeps its`, `${many} keep their`)} place under it.`
    : `${counted(count, `${one} is`, `${many} are`)} read again under it.`;
  return `${name} is now called ${to}: ${what}`;
}
