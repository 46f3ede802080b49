/**
 * What corrections name after their project was moved to an ontology in which types have other names. A correction stays as it was made; beside
 * it is kept what its types are called now.
 */
import {
  type CorrectionChange,
  type CorrectionRule,
  type NamedEntity,
  type NameRule,
  namesOfEnds,
  type TypedName,
} from "./correction.ts";
import type { EntityKey } from "./graph.ts";

export interface RenamedType {
  /** As the correction was made. */
  readonly given: string;
  readonly now: string;
  /**
   * Under the ontologies before the last moves, the newest first, as documents have it until they are read again. Those of all types of a
   * correction are of the same moves.
   */
  readonly before: readonly string[];
}

/** Types of a correction that have another name now, or had one before one of the last moves. */
export interface RenamedTypes {
  readonly nodes: readonly RenamedType[];
  readonly edges: readonly RenamedType[];
}

export const NOTHING_RENAMED: RenamedTypes = { nodes: [], edges: [] };

/** What an ontology calls types that another ontology, or a correction, names; the same name where it has it. */
export interface TypeNames {
  readonly nodes: readonly (readonly [name: string, to: string])[];
  readonly edges: readonly (readonly [name: string, to: string])[];
}

type Names = ReadonlyMap<string, string>;

/** Moves of which the names are kept: documents that none of so many has read again keep the facts of an ontology that nobody remembers. */
const MAX_MOVES = 4;

/**
 * The name of a type in the ontology of which `names` are; that of the last one where it has none. The name with which a correction was made counts
 * first: two types that became one are two again where the ontology has both.
 */
export function nameNow(names: Names, { given, now }: Pick<RenamedType, "given" | "now">): string {
  return names.get(given) ?? names.get(now) ?? now;
}

/** What the types of a correction, given with what is known of it, are called after a move. */
export function createRenaming(move: TypeNames): (rule: CorrectionRule, known: RenamedTypes) => RenamedTypes {
  const names = { nodes: new Map(move.nodes), edges: new Map(move.edges) };
  const renameAll = (kind: "nodes" | "edges", types: Iterable<string>, known: RenamedTypes) => {
    const moves = Math.max(0, ...[...known.nodes, ...known.edges].map(({ before }) => before.length));
    return [...new Set(types)]
      .map((given): RenamedType => {
        const own = known[kind].find((each) => each.given === given);
        const earlier = own?.before ?? Array<string>(moves).fill(given);
        const last = own?.now ?? given;
        return {
          given,
          now: nameNow(names[kind], { given, now: last }),
          before: [last, ...earlier].slice(0, MAX_MOVES),
        };
      })
      .filter(({ given, now, before }) => [now, ...before].some((name) => name !== given));
  };
  return (rule, known) => ({
    nodes: renameAll("nodes", nodeTypesOf(rule), known),
    edges: renameAll("edges", "sources" in rule ? [rule.type] : [], known),
  });
}

function nodeTypesOf(rule: CorrectionRule): readonly string[] {
  if (rule.kind === "confirm" || rule.kind === "reject") {
    const { sources, targets } = namesOfEnds(rule);
    return [...sources, ...targets].map(({ type }) => type);
  }
  const names = "sources" in rule ? [...rule.sources, ...rule.targets] : rule.names;
  return [...names, ...(rule.kind === "name" ? [rule.to] : [])].map(({ type }) => type);
}

const isNothing = ({ nodes, edges }: RenamedTypes) => nodes.length + edges.length === 0;

type Rename = (given: string) => string;

function namesOf(types: readonly RenamedType[], nameOf: (type: RenamedType) => string | undefined): Rename {
  const names = new Map(types.map((each) => [each.given, nameOf(each) ?? each.given]));
  return (given) => names.get(given) ?? given;
}

const nowOf = ({ now }: RenamedType) => now;

/** As documents may have the types that were not read again: by the last moves, then as the correction was made. */
function earlierNames(types: readonly RenamedType[]): readonly Rename[] {
  const moves = Math.max(0, ...types.map(({ before }) => before.length));
  const ofMoves = Array.from({ length: moves }, (_, at) => namesOf(types, ({ before }) => before[at]));
  return [...ofMoves, (given) => given];
}

/** The correction by the names that types have now. */
export function presentChange(change: CorrectionChange, renamed: RenamedTypes): CorrectionChange {
  if (isNothing(renamed)) return change;
  const [nodeName, edgeName] = [namesOf(renamed.nodes, nowOf), namesOf(renamed.edges, nowOf)];
  const typed = ({ type, name }: TypedName): TypedName => ({ type: nodeName(type), name });
  // Names of two types that have become one are there once.
  const named = ({ also, ...first }: NamedEntity): NamedEntity => {
    const [own, ...others] = distinct([first, ...also].map(typed), ({ name }) => name);
    return { ...typed(first), ...own, also: others };
  };
  if (!("entity" in change)) {
    const { source, type, target } = change;
    const ends = { source: named(source), type: edgeName(type), target: named(target) };
    if (change.kind !== "confirm") return { ...change, ...ends };
    const { sourceType, targetType } = change;
    return {
      ...{ ...change, ...ends },
      ...(sourceType !== undefined && { sourceType: nodeName(sourceType) }),
      ...(targetType !== undefined && { targetType: nodeName(targetType) }),
    };
  }
  const entity = named(change.entity);
  if (change.kind === "retype") return { ...change, entity, type: nodeName(change.type) };
  if (change.kind === "merge" || change.kind === "split")
    return { ...change, entity, into: typed(change.into) };
  return { ...change, entity };
}

/** The rule by the names that types have now, and of documents that were read before, by those that they had then. */
export function presentRule(rule: CorrectionRule, renamed: RenamedTypes): CorrectionRule {
  if (isNothing(renamed)) return rule;
  if (rule.kind === "name") return presentNameRule(rule, renamed);
  const { rename } = namesBefore(renamed);
  if (!("sources" in rule)) return { ...rule, names: rename(rule.names) };
  const ends = { sources: rename(rule.sources), targets: rename(rule.targets) };
  const type = namesOf(renamed.edges, nowOf)(rule.type);
  if (rule.kind === "add_relationship") return { ...rule, ...ends, type };
  const earlierTypes = [...new Set(earlierNames(renamed.edges).map((nameOf) => nameOf(rule.type)))].filter(
    (earlier) => earlier !== type,
  );
  return {
    ...{ ...rule, ...ends, type },
    ...(earlierTypes.length === 0 ? {} : { earlierTypes }),
    ...(rule.sourceAs !== undefined && { sourceAs: presentNameRule(rule.sourceAs, renamed) }),
    ...(rule.targetAs !== undefined && { targetAs: presentNameRule(rule.targetAs, renamed) }),
  };
}

function presentNameRule(rule: NameRule, renamed: RenamedTypes): NameRule {
  const { rename, now, before } = namesBefore(renamed);
  const byType = new Map<string, Set<string>>();
  for (const nameOf of [now, ...before])
    for (const type of new Set(rule.names.map((name) => nameOf(name.type))))
      byType.set(type, (byType.get(type) ?? new Set()).add(nameOf(rule.to.type)));
  const given = [...byType].map(([type, to]) => ({ type, to: [...to] }));
  const to = now(rule.to.type);
  const earlierTo = before.map((nameOf) => nameOf(rule.to.type));
  return {
    ...rule,
    names: rename(rule.names),
    to: { ...rule.to, type: to },
    given,
    ...(earlierTo.every((type) => type === to) ? {} : { earlierTo }),
  };
}

/** `rename` gives names those of now, then those of before. */
function namesBefore({ nodes }: RenamedTypes) {
  const [now, before] = [namesOf(nodes, nowOf), earlierNames(nodes)];
  const rename = (names: readonly EntityKey[]) =>
    distinct(
      [now, ...before].flatMap((nameOf) => names.map(({ type, key }) => ({ type: nameOf(type), key }))),
      ({ key }) => key,
    );
  return { rename, now, before };
}

function distinct<Name extends { readonly type: string }>(
  names: readonly Name[],
  textOf: (name: Name) => string,
): readonly Name[] {
  const byText = new Map<string, Name>();
  for (const name of names) {
    const label = `${name.type}\n${textOf(name)}`;
    if (!byText.has(label)) byText.set(label, name);
  }
  return [...byText.values()];
}
