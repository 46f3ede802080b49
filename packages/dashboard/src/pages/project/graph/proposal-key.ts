/** Proposals that somebody judges together. */
import type { Proposal } from "@kcs/sdk";
import type { NewCorrection } from "../../../api/corrections.ts";
import { wordsOf } from "./link-text.ts";

export type Proposals = ReadonlyMap<string, Proposal>;
export type Verdict = "confirm" | "reject";

type JudgedEnd = Pick<Proposal["source"], "name" | "type"> & Partial<Proposal["source"]>;

/** A proposal, or a relationship of the graph. */
export interface JudgedFact {
  readonly source: JudgedEnd;
  readonly type: string;
  readonly target: JudgedEnd;
}

/** The service takes so many verdicts in one request. */
export const maxJudged = 100;

/** Entities have one name and type, and names that are none are told apart by both. */
export function keyOf({ source, type, target }: Pick<Proposal, "source" | "type" | "target">): string {
  return [source, target]
    .map(({ entity_id: id, name, type: kind }) => id ?? `${kind}/${name}`)
    .concat(type)
    .join("/");
}

/** With these selected, or no longer; at most {@link maxJudged}. */
export function selectedWith(selected: Proposals, some: readonly Proposal[], isOn: boolean): Proposals {
  const next = new Map(selected);
  for (const each of some) {
    if (!isOn) next.delete(keyOf(each));
    else if (next.size < maxJudged) next.set(keyOf(each), each);
  }
  return next;
}

export function factOf({ source, type, target }: JudgedFact): string {
  return `${source.name} ${wordsOf(type)} ${target.name}`;
}

export function verdictOn(kind: Verdict, { source, type, target }: JudgedFact): NewCorrection {
  const endOf = (end: JudgedEnd) => ({ type: end.type, name: end.name });
  const ends = { type, source: endOf(source), target: endOf(target) };
  if (kind === "reject") return { kind, ...ends };
  // What the page has said counts.
  const [sourceType, targetType] = [saidType(source), saidType(target)];
  return {
    ...{ kind, ...ends },
    ...(sourceType !== null && { source_type: sourceType }),
    ...(targetType !== null && { target_type: targetType }),
  };
}

function saidType({ same_name: others = [], confirmed_type: type }: JudgedEnd): string | null {
  return others.length === 0 ? null : (type ?? null);
}

/** Rounded down: what waits below a limit must not look as if it reached it. */
export function percentWords(probability: number): string {
  return `${Math.floor(Math.round(probability * 1_000) / 10)} %`;
}
