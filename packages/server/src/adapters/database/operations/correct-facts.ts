/**
 * What the facts of a chunk are under the corrections of its project and what these teach. A pure function of all, so that the graph depends
 * on the present documents and corrections alone.
 */
import {
  type CorrectionRule,
  isOfType,
  type NameRule,
  targetOf,
  type VerdictRule,
} from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import { assertProposal, type FactsContext, type FactsWork, nameAt, sentenceAt } from "./facts-work.ts";
import {
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
import { type Judged, judgedBy, type Lessons, type Taught, teachFacts } from "./teach-facts.ts";

export interface NumberedRule {
  readonly seq: number;
  readonly rule: CorrectionRule;
}

export interface CorrectedFacts {
  readonly facts: StoredFacts;
  /** The numbers of the rules that change something. */
  readonly applied: readonly number[];
  readonly judged: readonly Judged[];
  readonly taught: readonly Taught[];
}

/** For many chunks. `rules` in the order of their numbers. */
export function createCorrector(
  rules: readonly NumberedRule[],
  lessons: Lessons = new Map(),
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
  return (facts, context) => correctByRules({ facts, rules, lessons, namesIn, placesOf }, context);
}

/** Most rules of a project are about names that a chunk does not have: only the others are looked at. */
function correctByRules(
  input: {
    readonly facts: StoredFacts;
    readonly rules: readonly NumberedRule[];
    readonly lessons: Lessons;
    readonly namesIn: FactsWork["namesIn"];
    /** The places of the rules that are about a name. */
    readonly placesOf: ReadonlyMap<string, readonly number[]>;
  },
  context: FactsContext,
): CorrectedFacts {
  const { facts, rules, lessons, namesIn, placesOf } = input;
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
  const work: FactsWork = {
    ...{ namesIn, names, labels, present, give },
    sentences: new Map(),
    supported: facts.nodes.map((_, at) => at < facts.supported),
    mentions: facts.mentions,
    properties: facts.properties,
    edges: facts.edges,
    proposals: facts.proposals ?? [],
  };
  const judged: Judged[] = [];
  const applied = rules
    .filter((rule, at) => isMeant[at] === 1 && apply(work, rule, { context, judged }))
    .map(({ seq }) => seq);
  const taught = lessons.size === 0 ? [] : teachFacts(work, lessons, context);
  if (applied.length === 0 && taught.length === 0) return { facts, applied, judged, taught };
  const corrected = numberAgain(work, { joins: facts.joins, before: facts, context });
  return { facts: corrected, applied, judged, taught };
}

interface Judging {
  readonly context: FactsContext;
  /** What verdicts are on is added. */
  readonly judged: Judged[];
}

/** Whether it changes something. */
function apply(work: FactsWork, { seq, rule }: NumberedRule, { context, judged }: Judging): boolean {
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
      return judge(work, { seq, rule }, { context, judged });
    case "add_property":
    case "add_relationship":
      return false; // No text states it (`correction-additions.ts`).
  }
}

function renameNodes(work: FactsWork, rule: NameRule, context: FactsContext): boolean {
  const { sourceDocId, moves, allowsType } = context;
  const { names, documents } = rule;
  if (documents !== null && !documents.includes(sourceDocId)) return false;
  const from = work.namesIn(names);
  // A name with the same normal form is changed, too: in how it is shown.
  let isChanged = false;
  for (const [node, name] of work.names.entries()) {
    if (!from.has(nameAt(work, node))) continue;
    const now = targetOf(rule, name, moves);
    // The project was moved to an ontology that does not have the type.
    if (name.type !== now.type && !allowsType(rule.to.type)) continue;
    isChanged = true;
    work.names[node] = now;
    work.labels[node] = nameOf(now);
    work.give(nameOf(now));
  }
  return isChanged;
}

function judge(
  work: FactsWork,
  { seq, rule }: { readonly seq: number; readonly rule: VerdictRule },
  { context, judged }: Judging,
): boolean {
  if (rule.document !== null && rule.document !== context.sourceDocId) return false;
  const [sources, targets] = [work.namesIn(rule.sources), work.namesIn(rule.targets)];
  if (targets.isDisjointFrom(work.present)) return false;
  const isMeant = ([source, target, type, start, end]: StoredEdge | StoredProposal) =>
    isOfType(rule, type) &&
    sources.has(nameAt(work, source)) &&
    targets.has(nameAt(work, target)) &&
    (rule.sentence === null || sentenceAt(work, [start, end], context) === rule.sentence);
  const asserted = work.edges.filter(isMeant);
  // Until a document is read under an ontology that allows it.
  const isTaken = (proposal: StoredProposal) => isTakenAs(work, { proposal, rule, context });
  const proposed = work.proposals.filter((proposal) => isMeant(proposal) && isTaken(proposal));
  if (asserted.length === 0 && proposed.length === 0) return false;
  const fact = judgedBy(work, { seq, asserted, proposed }, context);
  if (fact !== null) judged.push(fact);
  work.proposals = work.proposals.filter((proposal) => !proposed.includes(proposal));
  const others = work.edges.filter((edge) => !asserted.includes(edge));
  if (rule.kind === "reject") {
    work.edges = others;
    return true;
  }
  const claims = [
    ...asserted,
    ...proposed.map(([source, target, ...rest]) => {
      const ends = [
        takeFor(work, source, { as: rule.sourceAs, context }),
        takeFor(work, target, { as: rule.targetAs, context }),
      ] as const;
      return assertProposal(work, [...ends, ...rest], { units: confirmedUnits, context });
    }),
  ];
  const confirmed = claims.map(([source, target, type, start, end, , ...rest]): StoredEdge => {
    return [source, target, type, start, end, confirmedUnits, ...rest];
  });
  work.edges = [...others, ...confirmed];
  return true;
}

function nameAs(
  work: FactsWork,
  node: number,
  { as, context }: { readonly as: NameRule | undefined; readonly context: FactsContext },
): EntityKey {
  const { [node]: own = { type: "", key: "" } } = work.names;
  return as?.names.some((name) => nameOf(name) === nameAt(work, node))
    ? targetOf(as, own, context.moves)
    : own;
}

/** Whether the ontology allows the proposal between what its ends are taken for. */
function isTakenAs(
  work: FactsWork,
  {
    proposal: [source, target, type],
    rule: { sourceAs, targetAs },
    context,
  }: { readonly proposal: StoredProposal; readonly rule: VerdictRule; readonly context: FactsContext },
): boolean {
  const sourceType = nameAs(work, source, { as: sourceAs, context }).type;
  const targetType = nameAs(work, target, { as: targetAs, context }).type;
  const isChanged = sourceType !== work.names[source]?.type || targetType !== work.names[target]?.type;
  return !isChanged || context.allows({ type, sourceType, targetType });
}

/** The node with the name that the end gets. The one that it had stays for what else the chunk states of it. */
function takeFor(
  work: FactsWork,
  node: number,
  given: { readonly as: NameRule | undefined; readonly context: FactsContext },
): number {
  const name = nameAs(work, node, given);
  const label = nameOf(name);
  if (label === nameAt(work, node)) return node;
  const known = work.labels.indexOf(label);
  if (known >= 0) return known;
  work.names.push(name);
  work.labels.push(label);
  work.supported.push(false);
  work.give(label);
  return work.names.length - 1;
}

/** Puts nodes together that have the same name now, and leaves out what has lost its meaning by that. */
function numberAgain(
  work: FactsWork,
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
