/** What a move to another ontology takes out of the graph, in words. */
import type { OntologyChanges } from "@kcs/sdk";
import { counted } from "../../../components/counted.ts";
import { wordsOf } from "../graph/link-text.ts";

const mostNamed = 8;

type Lost = readonly { readonly name: string; readonly count: number }[];

/** A line for entities, relationships and proposals of which some do not fit, with how many of which types. */
export function lostWords({ node_types: nodes, edge_types: edges }: OntologyChanges): readonly string[] {
  const dropped = nodes.filter(({ change }) => change === "dropped");
  const entities = dropped.map(({ name, entities: count }) => ({ name: name ?? "", count }));
  const ofEdges = (countOf: (type: (typeof edges)[number]) => number) =>
    edges.map((type) => ({ name: wordsOf(type.name ?? ""), count: countOf(type) }));
  return [
    lineOf(
      entities,
      sumOf(nodes, (type) => type.entities),
      ["entity", "entities"],
    ),
    lineOf(
      ofEdges((type) => type.relationships - type.fitting),
      sumOf(edges, (type) => type.relationships),
      ["relationship"],
    ),
    lineOf(
      ofEdges((type) => type.proposals - type.fitting_proposals),
      sumOf(edges, (type) => type.proposals),
      ["proposed relationship"],
    ),
  ].flat();
}

function lineOf(lost: Lost, all: number, words: readonly [one: string, many?: string]): readonly string[] {
  const some = lost.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  if (some.length === 0) return [];
  const named = some.slice(0, mostNamed).map(({ name, count }) => `${count.toLocaleString("en")} ${name}`);
  const rest = some.length - named.length;
  const more = rest === 0 ? [] : [`and of ${counted(rest, "more type")}`];
  const total = sumOf(some, ({ count }) => count).toLocaleString("en");
  return [`${total} of ${counted(all, ...words)}: ${[...named, ...more].join(", ")}`];
}

/** Why more than that can differ afterwards; null: what fits is read as before. */
export function readingWords(
  { node_types: nodes, edge_types: edges }: OntologyChanges,
  hadNone: boolean,
): string | null {
  if (hadNone)
    return "With an ontology texts are read in another way than without one, so more than this can leave the graph, and other things can come.";
  const changed = [...nodes, ...edges].filter(({ members }) => members.some((member) => !isEnds(member)));
  if (changed.length === 0) return null;
  const [one] = changed;
  const which = changed.length === 1 ? (one?.to ?? "") : counted(changed.length, "type");
  return `${which} differ${changed.length === 1 ? "s" : ""} in more than the name, for example in the description, and may find more or less.`;
}

/** The ends of an edge type have other names where their types do. */
function isEnds(member: string): boolean {
  return member === "source_types" || member === "target_types";
}

function sumOf<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + countOf(item), 0);
}
