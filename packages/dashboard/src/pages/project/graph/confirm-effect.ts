/** What confirming a proposal does where the graph has the name of an end under another type. */
import type { Proposal } from "@kcs/sdk";
import { wordsOf } from "./link-text.ts";

type Fact = Pick<Proposal, "source" | "type" | "target">;
type End = Proposal["source"];

/** A sentence on each such end. */
export function confirmEffects({ source, type, target }: Fact): readonly string[] {
  return [source, target].filter(isElsewhere).map((end) => {
    const types = end.same_name.map((other) => other.type).join(" and as ");
    const known = `“${end.name}” is in the graph as ${types}`;
    if (isTaken(end)) return `${known}. Confirm uses the ${end.confirmed_type}.`;
    const why = end.same_name.length === 1 ? `, to which “${wordsOf(type)}” does not apply here` : "";
    return `${known}${why}. Confirm adds another “${end.name}”, of the type ${end.type}.`;
  });
}

/** Of many at once, in a sentence or two; "" where each end is new or has its own type. */
export function effectOfAll(facts: Iterable<Fact>): string {
  const ends = [...facts].flatMap(({ source, target }) => [source, target]).filter(isElsewhere);
  const listed = (some: readonly End[], wordsFor: (end: End) => string) => {
    const distinct = [...new Set(some.map(wordsFor))];
    const more =
      distinct.length > maxNamed ? ` and ${(distinct.length - maxNamed).toLocaleString("en")} more` : "";
    return `${distinct.slice(0, maxNamed).join(", ")}${more}`;
  };
  const [used, added] = [ends.filter(isTaken), ends.filter((end) => !isTaken(end))];
  return [
    ...(used.length === 0
      ? []
      : [`Confirm uses what is in the graph under another type: ${listed(used, usedWords)}.`]),
    ...(added.length === 0 ? [] : [`Confirm adds others of the same name: ${listed(added, addedWords)}.`]),
  ].join(" ");
}

const maxNamed = 3;

/** Whether the name is in the graph under other types only. */
function isElsewhere({ same_name: others }: End): boolean {
  return others.length > 0;
}

export function isTaken({ type, confirmed_type: confirmed }: End): boolean {
  return confirmed !== type;
}

function usedWords({ name, confirmed_type: type }: End): string {
  return `${name} (${type})`;
}

function addedWords({ name, type, same_name: others }: End): string {
  return `${name} (${type} beside ${others.map((other) => other.type).join(" and ")})`;
}
