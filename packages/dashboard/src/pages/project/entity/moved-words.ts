/** Which other relationships a verdict has moved into the graph, and which out of it: it says something of all of its type. */
import type { Proposal } from "@kcs/sdk";
import { type JudgedFact as Fact, factOf } from "../graph/proposal-key.ts";

/** Proposals of a type that are read. */
export const maxCompared = 500;

/** By the proposals of the type before and after. */
export function movedWords(
  judged: Fact,
  before: readonly Proposal[],
  after: readonly Proposal[],
): { readonly also: string; readonly list: readonly string[] } {
  const entered = missingIn(after, before, judged);
  const left = missingIn(before, after, judged);
  const counts = [
    ...(entered.length === 0 ? [] : [`${entered.length.toLocaleString("en")} more came into the graph`]),
    ...(left.length === 0 ? [] : [`${left.length.toLocaleString("en")} left it`]),
  ];
  const signed = [entered.map((each) => `+ ${factOf(each)}`), left.map((each) => `− ${factOf(each)}`)];
  return { also: counts.length === 0 ? "" : `. With it, ${counts.join(", and ")}.`, list: signed.flat() };
}

function missingIn(
  others: readonly Proposal[],
  these: readonly Proposal[],
  judged: Fact,
): readonly Proposal[] {
  const known = new Set([...others, judged].map(keyOf));
  // Behind the end of a list that is not whole there may be those that are less sure.
  const leastSure = others.length < maxCompared ? -1 : (others.at(-1)?.confidence ?? -1);
  return these.filter((each) => !known.has(keyOf(each)) && each.confidence > leastSure);
}

function keyOf({ source, type, target }: Fact): string {
  return JSON.stringify([source.type, source.name, type, target.type, target.name]);
}
