/** Describes types and edges in a few words, from what they are joined to. */
import type { WrittenEdgeType, WrittenNodeType } from "../../../domain/ontology/write-schema.ts";
import { capitalized, wordsOf } from "./names.ts";

type Ends = Pick<WrittenEdgeType, "name" | "sourceTypes" | "targetTypes">;

const MOST_CLAUSES = 3;

/** "A keeper feeds an animal." */
export function describeEdge({ name, sourceTypes, targetTypes }: Ends): string {
  return `${capitalized(anyOf(sourceTypes))} ${predicate(name)} ${anyOf(targetTypes)}.`;
}

/** "A keeper: feeds an animal, cleans an enclosure." What is only the end of edges: "An enclosure: a keeper cleans it." */
export function describeType(
  type: Pick<WrittenNodeType, "name" | "properties" | "aggregates">,
  edges: readonly Ends[],
): string {
  const does = edges
    .filter(({ sourceTypes }) => sourceTypes.includes(type.name))
    .map(({ name, targetTypes }) => `${predicate(name)} ${anyOf(targetTypes)}`);
  const suffers = edges
    .filter(({ targetTypes }) => targetTypes.includes(type.name))
    .map(({ name, sourceTypes }) => `${anyOf(sourceTypes)} ${predicate(name)} it`);
  const gathers = type.aggregates.map((name) => `groups ${wordsOf(name).join(" ")} items`);
  const has =
    type.properties.length === 0
      ? []
      : [`has ${type.properties.slice(0, MOST_CLAUSES).map(spaced).join(", ")}`];
  const told = [...gathers, ...(does.length > 0 ? does : suffers), ...has].slice(0, MOST_CLAUSES);
  const noun = capitalized(anyOf([type.name]));
  return told.length === 0 ? `${noun} that the use case names.` : `${noun}: ${told.join("; ")}.`;
}

/** "HELD_BY" → "is held by", "PART_OF" → "is part of", "HAS_PART" → "has", "FEEDS" → "feeds", "ACQUIRED" → "acquired": what joins its ends alone is a verb. */
function predicate(name: string): string {
  const words = wordsOf(name);
  if (words[0] === "has") return "has";
  const [first = "", second = ""] = words;
  const isActive = second === "" || /s$/.test(first) || (/s$/.test(second) && !first.endsWith("ed"));
  return isActive ? words.join(" ") : ["is", ...words].join(" ");
}

function spaced(name: string): string {
  return wordsOf(name).join(" ");
}

function anyOf(types: readonly string[]): string {
  return types
    .slice(0, MOST_CLAUSES)
    .map((type) => `${/^[aeio]/i.test(type) ? "an" : "a"} ${wordsOf(type).join(" ")}`)
    .join(" or ");
}
