/**
 * What the facts of a chunk are under the corrections of its project. A pure function of both, so that the graph depends on the present
 * documents and corrections alone.
 */
import { type CorrectionRule, type NameRule, oneLine, type VerdictRule } from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Fact } from "../../../domain/ontology-schema.ts";
import {
  confidenceUnits,
  confirmedUnits,
  distinct,
  keyOfStored,
  memberType,
  nameOf,
  type StoredEdge,
  type StoredFacts,
  type StoredJoin,
  type StoredMention,
  type StoredProperty,
  type StoredProposal,
  surest,
} from "./graph-facts.ts";

export interface NumberedRule {
  readonly seq: number;
  readonly rule: CorrectionRule;
}

export interface FactsContext {
  readonly sourceDocId: string;
  /** The document's text between these offsets, which are in the chunk. */
  readonly textOf: (start: number, end: number) => string;
  /** Whether the project's ontology allows it. */
  readonly allows: (fact: Fact) => boolean;
}

/** The facts while the rules are applied one after another. Numbers of nodes stay, their names change. */
interface Work {
  /** The set of a rule's names. */
  readonly namesIn: (keys: readonly EntityKey[]) => ReadonlySet<string>;
  readonly names: EntityKey[];
  /** The same in the form of `nameOf`. */
  readonly labels: string[];
  /** The names that nodes have, or had before. */
  readonly present: Set<string>;
  /** A node has the name now. */
  readonly give: (label: string) => void;
  /** In one line, by their offsets. */
  readonly sentences: Map<string, string>;
  readonly supported: boolean[];
  mentions: readonly StoredMention[];
  properties: readonly StoredProperty[];
  edges: readonly StoredEdge[];
  proposals: readonly StoredProposal[];
}

export interface CorrectedFacts {
  readonly facts: StoredFacts;
  /** The numbers of the rules that change something. */
  readonly applied: readonly number[];
}

/** For many chunks. `rules` in the order of their numbers. */
export function createCorrector(
  rules: readonly NumberedRule[],
): (facts: StoredFacts, context: FactsContext) => CorrectedFacts {
  const sets = new Map<readonly EntityKey[], ReadonlySet<string>>();
  const namesIn = (keys: readonly EntityKey[]) => {
    const known = sets.get(keys) ?? new Set(keys.map(nameOf));
    sets.set(keys, known);
    return known;
  };
  const placesOf = new Map<string, number[]>();
  for (const [at, { rule }] of rules.entries()) {
    for (const label of namesIn("sources" in rule ? rule.sources : rule.names)) {
      const places = placesOf.get(label) ?? [];
      placesOf.set(label, places);
      places.push(at);
    }
  }
  return (facts, context) => correctByRules({ facts, rules, namesIn, placesOf }, context);
}

/** Most rules of a project are about names that a chunk does not have: only the others are looked at. */
function correctByRules(
  input: {
    readonly facts: StoredFacts;
    readonly rules: readonly NumberedRule[];
    readonly namesIn: Work["namesIn"];
    /** The places of the rules that are about a name. */
    readonly placesOf: ReadonlyMap<string, readonly number[]>;
  },
  context: FactsContext,
): CorrectedFacts {
  const { facts, rules, namesIn, placesOf } = input;
  const isMeant = new Uint8Array(rules.length);
  const present = new Set<string>();
  const give = (label: string) => {
    if (present.has(label)) return;
    present.add(label);
    for (const at of placesOf.get(label) ?? []) isMeant[at] = 1;
  };
  const names = facts.nodes.map(([type, key]) => ({ type, key }));
  const labels = names.map(nameOf);
  for (const label of labels) give(label);
  const work: Work = {
    ...{ namesIn, names, labels, present, give },
    sentences: new Map(),
    supported: facts.nodes.map((_, at) => at < facts.supported),
    mentions: facts.mentions,
    properties: facts.properties,
    edges: facts.edges,
    proposals: facts.proposals ?? [],
  };
  const applied = rules
    .filter(({ rule }, at) => isMeant[at] === 1 && apply(work, rule, context))
    .map(({ seq }) => seq);
  if (applied.length === 0) return { facts, applied };
  return { facts: numberAgain(work, { joins: facts.joins, before: facts, context }), applied };
}

/** Whether it changes something. */
function apply(work: Work, rule: CorrectionRule, context: FactsContext): boolean {
  switch (rule.kind) {
    case "name":
      return renameNodes(work, rule, context);
    case "property": {
      const names = work.namesIn(rule.names);
      const left = work.properties.filter(
        ([node, , , property, value]) =>
          property !== rule.property ||
          (rule.value !== null && value !== rule.value) ||
          !names.has(nameAt(work, node)),
      );
      const isChanged = left.length < work.properties.length;
      work.properties = left;
      return isChanged;
    }
    case "reject":
    case "confirm":
      return judge(work, rule, context);
    case "add_property":
    case "add_relationship":
      return false; // No text states it (`correction-additions.ts`).
  }
}

function renameNodes(work: Work, { names, to, documents }: NameRule, { sourceDocId }: FactsContext): boolean {
  if (documents !== null && !documents.includes(sourceDocId)) return false;
  const from = work.namesIn(names);
  // A name with the same normal form is changed, too: in how it is shown.
  let isChanged = false;
  for (const [node, name] of work.names.entries()) {
    if (!from.has(nameAt(work, node))) continue;
    isChanged = true;
    const now = { type: to.type, key: to.key ?? name.key };
    work.names[node] = now;
    work.labels[node] = nameOf(now);
    work.give(nameOf(now));
  }
  return isChanged;
}

function judge(work: Work, rule: VerdictRule, context: FactsContext): boolean {
  if (rule.document !== null && rule.document !== context.sourceDocId) return false;
  const [sources, targets] = [work.namesIn(rule.sources), work.namesIn(rule.targets)];
  if (targets.isDisjointFrom(work.present)) return false;
  const isMeant = ([source, target, type, start, end]: StoredEdge | StoredProposal) =>
    type === rule.type &&
    sources.has(nameAt(work, source)) &&
    targets.has(nameAt(work, target)) &&
    (rule.sentence === null || sentenceAt(work, [start, end], context) === rule.sentence);
  const [asserted, proposed] = [work.edges.filter(isMeant), work.proposals.filter(isMeant)];
  if (asserted.length === 0 && proposed.length === 0) return false;
  work.proposals = work.proposals.filter((proposal) => !proposed.includes(proposal));
  const others = work.edges.filter((edge) => !asserted.includes(edge));
  if (rule.kind === "reject") {
    work.edges = others;
    return true;
  }
  for (const proposal of proposed) support(work, proposal, context);
  const claims = [
    ...asserted,
    ...proposed.map(([source, target, type, start, end, units, by, from, to, , , ...timing]): StoredEdge => {
      return [source, target, type, start, end, units, by, from, to, ...timing];
    }),
  ];
  const confirmed = claims.map(([source, target, type, start, end, , ...rest]): StoredEdge => {
    return [source, target, type, start, end, confirmedUnits, ...rest];
  });
  work.edges = [...others, ...confirmed];
  return true;
}

/** A confirmed proposal is as good as a relationship: the chunk mentions its ends where its sentence has their names. */
function support(work: Work, proposal: StoredProposal, { textOf }: FactsContext): void {
  const [source, target, , start, end, , , , , sourceName, targetName] = proposal;
  const sentence = textOf(start, end);
  for (const [node, name] of [
    [source, sourceName],
    [target, targetName],
  ] as const) {
    if (work.supported[node] === true) continue;
    work.supported[node] = true;
    const at = sentence.indexOf(name);
    const place = at < 0 ? ([start, end] as const) : ([start + at, start + at + name.length] as const);
    work.mentions = [...work.mentions, [node, ...place, name, confidenceUnits]];
  }
}

/** Puts nodes together that have the same name now, and leaves out what has lost its meaning by that. */
function numberAgain(
  work: Work,
  {
    joins: joinsBefore,
    before,
    context,
  }: { joins: readonly StoredJoin[]; before: StoredFacts; context: FactsContext },
): StoredFacts {
  const { names, supported } = work;
  const isSame = (a: number, b: number) => nameAt(work, a) === nameAt(work, b);
  const isRetyped = (node: number) => names[node]?.type !== before.nodes[node]?.[0];
  const isKept = ([source, target, type]: StoredEdge | StoredProposal) => {
    if (source !== target && isSame(source, target)) return false;
    if (type === memberType || !(isRetyped(source) || isRetyped(target))) return true;
    const [sourceType = "", targetType = ""] = [names[source]?.type, names[target]?.type];
    return context.allows({ type, sourceType, targetType });
  };
  const [edges, proposals] = [work.edges.filter(isKept), work.proposals.filter(isKept)];
  const joins = joinsBefore.filter(([a, b]) => !isSame(a, b) && names[a]?.type === names[b]?.type);
  const numbers = new Map<string, number>();
  const add = (node: number) => {
    const name = nameAt(work, node);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
  };
  for (const [node, is] of supported.entries()) if (is) add(node);
  const count = numbers.size;
  for (const [a, b] of [...joins, ...proposals]) for (const node of [a, b]) add(node);
  const numberOf = (node: number) => numbers.get(nameAt(work, node)) ?? 0; // All that is left was added above.
  const renumber = <Edge extends StoredEdge | StoredProposal>(all: readonly Edge[]) =>
    surest(
      // The other members are the same.
      all.map(
        ([source, target, ...rest]) => [numberOf(source), numberOf(target), ...rest] as unknown as Edge,
      ),
    );
  const stored = renumber(edges);
  const asserted = new Set(stored.map(keyOfStored));
  const proposed = renumber(proposals).filter((proposal) => !asserted.has(keyOfStored(proposal)));
  const byName = new Map(names.map((name) => [nameOf(name), name]));
  return {
    nodes: [...numbers.keys()].map((name) => {
      const { type = "", key = "" } = byName.get(name) ?? {};
      return [type, key] as const;
    }),
    supported: count,
    mentions: distinct(
      work.mentions.map(([node, ...rest]): StoredMention => [numberOf(node), ...rest]),
      ([node, start, end]) => `${node} ${start} ${end}`,
    ),
    properties: distinct(
      work.properties.map(([node, ...rest]): StoredProperty => [numberOf(node), ...rest]),
      ([node, , , property, value]) => JSON.stringify([node, property, value]),
    ),
    edges: stored,
    joins: distinct(
      joins.map(([one, other, origin]): StoredJoin => {
        const [a, b] = [numberOf(one), numberOf(other)];
        return a < b ? [a, b, origin] : [b, a, origin];
      }),
      (join) => join.join(" "),
    ),
    ...(proposed.length === 0 ? {} : { proposals: proposed }),
  };
}

function sentenceAt(
  { sentences }: Work,
  [start, end]: readonly [number, number],
  context: FactsContext,
): string {
  const key = `${start} ${end}`;
  const known = sentences.get(key) ?? oneLine(context.textOf(start, end));
  sentences.set(key, known);
  return known;
}

function nameAt({ labels }: Pick<Work, "labels">, node: number): string {
  return labels[node] ?? "";
}
