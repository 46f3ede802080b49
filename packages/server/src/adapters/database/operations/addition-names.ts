/** What later corrections do to the ends of an addition. */
import { type Addition, targetsOf } from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import type { NumberedRule } from "./correct-facts.ts";
import { nameOf } from "./graph-facts.ts";

/** The name that an end has from a correction on. */
export interface NamedSince {
  readonly seq: number;
  readonly name: EntityKey;
  /** By which documents that were read before a move may have what the correction made of it. */
  readonly earlier: readonly EntityKey[];
}

/** What names become: each with the next one, null for those that they have at present. Names that become one go on as one. */
export type Trail = ReadonlyMap<NamedSince, NamedSince | null>;

export function lastOf(trail: Trail): readonly NamedSince[] {
  return [...trail].flatMap(([name, next]) => (next === null ? [name] : []));
}

/**
 * Returns what gives the trail of names after one correction, in time by the rules, however many names there are. A type that the ontology lacks
 * is given to nothing, as in texts.
 */
export function createRenamer(
  rules: readonly NumberedRule[],
  allowsType: (type: string) => boolean,
): (names: readonly EntityKey[], after: number) => Trail {
  const byName = new Map<string, NamedSince[]>();
  for (const { seq, rule } of rules) {
    if (rule.kind !== "name" || rule.documents !== null) continue;
    for (const name of rule.names) {
      const known = byName.get(nameOf(name)) ?? [];
      byName.set(nameOf(name), known);
      const [now = name, ...earlier] = targetsOf(rule, name);
      if (name.type === now.type || allowsType(rule.to.type)) known.push({ seq, name: now, earlier });
    }
  }
  const nextOf = ({ seq, name }: NamedSince) => {
    const own = byName.get(nameOf(name)) ?? [];
    return own[countUntil(own, (each) => each.seq <= seq)] ?? null;
  };
  return (names, after) => {
    const trail = new Map<NamedSince, NamedSince | null>();
    for (const name of names) {
      let step: NamedSince | null = { seq: after, name, earlier: [] };
      while (step !== null && !trail.has(step)) {
        const next = nextOf(step);
        trail.set(step, next);
        step = next;
      }
    }
    return trail;
  };
}

interface Withdrawal {
  readonly seq: number;
  readonly sources: readonly string[];
  /** null: it is of a property. */
  readonly targets: readonly string[] | null;
}

/** Returns what gives the numbers of the later rejections and removals of an addition, whose ends have these names. */
export function createWithdrawer(
  rules: readonly NumberedRule[],
): (addition: Addition, ends: Readonly<Record<"sources" | "targets", Trail>>) => readonly number[] {
  const byWhat = new Map<string, Withdrawal[]>();
  for (const each of rules)
    for (const [what, withdrawal] of toWithdrawals(each)) {
      const known = byWhat.get(what) ?? [];
      byWhat.set(what, known);
      known.push(withdrawal);
    }
  return (addition, { sources, targets }) => {
    const [from, to] = [termsOf(sources), termsOf(targets)];
    const found = whatOf(addition, [...to.keys()]).flatMap((what) => byWhat.get(what) ?? []);
    return [...new Set(found)]
      .filter(
        (each) =>
          isNamed(from, each.sources, each.seq) &&
          (each.targets === null || isNamed(to, each.targets, each.seq)),
      )
      .map(({ seq }) => seq);
  };
}

/** A label for all that one withdrawal can be of: one entity may have any number of additions, and as many withdrawals. */
const label = (...parts: readonly (string | null)[]) => JSON.stringify(parts);

function whatOf(addition: Addition, targets: readonly string[]): readonly string[] {
  if (addition.kind === "add_property")
    return [label(addition.property, null), label(addition.property, addition.value)];
  return targets.map((target) => label(addition.type, "of", target));
}

function toWithdrawals({ seq, rule }: NumberedRule): readonly (readonly [what: string, Withdrawal])[] {
  if (rule.kind === "property") {
    const withdrawal = { seq, sources: rule.names.map(nameOf), targets: null };
    return [[label(rule.property, rule.value), withdrawal]];
  }
  // No document states an addition.
  if (rule.kind !== "reject" || rule.document !== null || rule.sentence !== null) return [];
  const withdrawal = { seq, sources: rule.sources.map(nameOf), targets: rule.targets.map(nameOf) };
  return withdrawal.targets.map((target) => [label(rule.type, "of", target), withdrawal]);
}

interface Term {
  readonly label: string;
  readonly since: number;
  /** The number of the correction by which this end, or one that had the name earlier, has another name; Infinity: it still has this one. */
  until: number;
}

/** By `nameOf`, those that begin first before others. */
function termsOf(trail: Trail): ReadonlyMap<string, readonly Term[]> {
  const terms = [...trail].map(
    ([{ seq, name }, next]): Term => ({
      ...{ label: nameOf(name), since: seq },
      until: next?.seq ?? Number.POSITIVE_INFINITY,
    }),
  );
  const byLabel = Map.groupBy(
    terms.toSorted((a, b) => a.since - b.since),
    ({ label }) => label,
  );
  for (const own of byLabel.values())
    for (const [at, term] of own.entries()) term.until = Math.max(term.until, own[at - 1]?.until ?? 0);
  return byLabel;
}

/** How many of the first items meet the condition, which none after them does. */
function countUntil<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isNamed(
  terms: ReadonlyMap<string, readonly Term[]>,
  labels: readonly string[],
  seq: number,
): boolean {
  return labels.some((label) => {
    const own = terms.get(label) ?? [];
    const last = own[countUntil(own, ({ since }) => since < seq) - 1];
    return last !== undefined && seq < last.until;
  });
}
