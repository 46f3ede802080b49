/** Broad types of mentions, for projects whose schema grows from their data. */
import type { TypedSentence, TypeScores } from "./type-scores.ts";
import { createTyper, type TyperDeps } from "./typer.ts";

export type CoarseType =
  | "Person"
  | "Organization"
  | "Location"
  | "Event"
  | "Work"
  | "Product"
  | "Group"
  | "Term"
  | "Other";

export interface CoarseScore {
  readonly type: CoarseType;
  /** Share of the type among all types, 0…1. */
  readonly confidence: number;
  /** How likely the mention is no entity, or a wrong span, 0…1. */
  readonly none: number;
  /** Of all types, adding up to 1. */
  readonly shares: ReadonlyMap<CoarseType, number>;
}

/** An ontology of broad types: what each is called, and what is told apart from them. */
const kinds: readonly (readonly [name: string, type: CoarseType])[] = [
  ["person", "Person"],
  ["organization", "Organization"],
  ["location", "Location"],
  ["event", "Event"],
  ["creative work", "Work"],
  ["product", "Product"],
  ["nationality", "Group"],
  ["term", "Term"],
  ["method", "Term"],
  ["genre", "Term"],
  ["language", "Term"],
  ["award", "Other"],
];

/**
 * Gives the broad type of each mention of a sentence, which are names, by the typer for any ontology: it was learned with the meaning of the types'
 * names, and does worse without. Made in a quarter of a second; then synchronous, deterministic, and keeps no text.
 */
export async function createCoarseTyper(
  deps: TyperDeps,
): Promise<(sentence: TypedSentence) => readonly CoarseScore[]> {
  const named = kinds.map(([name]) => ({ name, description: "", examples: [], aliases: [] }));
  const typer = await createTyper(named, deps);
  return (sentence) => typer.score(sentence).map(broadest);
}

function broadest({ types, none }: TypeScores): CoarseScore {
  const shares = new Map<CoarseType, number>();
  let sum = 0;
  for (const [at, [, type]] of kinds.entries()) {
    const share = types[at] ?? 0;
    shares.set(type, (shares.get(type) ?? 0) + share);
    sum += share;
  }
  let best: CoarseType = "Other";
  for (const [type, share] of shares) if (share > (shares.get(best) ?? 0)) best = type;
  for (const [type, share] of shares) shares.set(type, sum > 0 ? share / sum : 0);
  return { type: best, confidence: shares.get(best) ?? 0, none, shares };
}
