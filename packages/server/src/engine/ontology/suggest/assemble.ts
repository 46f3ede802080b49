/** From candidates to an ontology that holds: which are types, under which name, on which level, and what joins them. */
import { nameKey } from "../../../domain/ontology/fields.ts";
import type { WrittenEdgeType, WrittenNodeType } from "../../../domain/ontology/write-schema.ts";
import { describeEdge, describeType } from "./describe.ts";
import type { Draft, EdgeCandidate, TypeCandidate } from "./draft.ts";
import { SOFT_FRAMING_NOUNS } from "./framing-words.ts";
import { edgeName, typeName, wordsOf } from "./names.ts";
import { singular } from "./word-forms.ts";

/** In the order of the text. */
export interface SuggestedTypes {
  readonly nodeTypes: readonly WrittenNodeType[];
  readonly edgeTypes: readonly WrittenEdgeType[];
}

const MAX_TYPES = 80;
const MAX_EDGES = 160;
/** Where a list names so many types, prose beside it adds none. */
const WHOLE_LIST = 2;

/** No types where the draft has none that could be one. */
export function assemble(draft: Draft): SuggestedTypes {
  const kept = keepTypes(draft);
  const canonical = joinShortNames(kept);
  const own = [...kept.values()].filter((type) => canonical(nameKey(type.name)) === nameKey(type.name));
  const types = new Map(own.slice(0, MAX_TYPES).map((type) => [nameKey(type.name), type]));
  const find = (key: string): string | null => {
    const name = canonical(key);
    return types.has(name) ? name : null;
  };
  const owned = settlePossessions(draft, { types, find });
  const levels = levelsOf(draft, find);
  const nameOf = (key: string) => types.get(key)?.name ?? "";
  const edgeTypes = joinEdges([...draft.edges, ...owned.edges], { find, nameOf });
  const nodeTypes = [...types].map(([key, { name, description, properties }]) => ({
    name,
    level: levels.get(key)?.level ?? 0,
    description,
    properties: unique([...properties, ...(owned.properties.get(key) ?? [])]),
    aggregates: (levels.get(key)?.members ?? []).map(nameOf),
  }));
  return {
    nodeTypes: nodeTypes.map((type) => ({
      ...type,
      description: type.description || describeType(type, edgeTypes),
    })),
    edgeTypes,
  };
}

function keepTypes({ types, possessions }: Draft): ReadonlyMap<string, TypeCandidate> {
  const all = [...types];
  const listed = all.filter(([, { evidence }]) => evidence.has("listed"));
  if (listed.length >= WHOLE_LIST) return new Map(listed);
  const owners = new Set(possessions.map(({ owner }) => owner));
  return new Map(all.filter(([key, type]) => isType(type, owners.has(key))));
}

function isType({ evidence, words }: TypeCandidate, isOwner: boolean): boolean {
  if (evidence.has("listed") || evidence.has("linked") || isOwner) return true;
  const isSoft = words.every((word) => SOFT_FRAMING_NOUNS.has(singular(word)));
  return !isSoft && (evidence.has("framed") || (evidence.get("attached") ?? 0) >= 2);
}

/**
 * "Papers" beside "research papers" are these, where no other kind of paper is named. The one named more often gives
 * the name, a list the last word.
 */
function joinShortNames(types: ReadonlyMap<string, TypeCandidate>): (key: string) => string {
  const byHead = new Map<string, string[]>();
  for (const [key, { words }] of types) {
    if (words.length < 2) continue;
    const head = singular(words.at(-1) ?? "");
    byHead.set(head, [...(byHead.get(head) ?? []), key]);
  }
  const names = new Map<string, string>();
  for (const [head, longer] of byHead) {
    const [only] = longer;
    const short = nameKey(head);
    if (longer.length !== 1 || only === undefined || !types.has(short)) continue;
    const [shortType, longType] = [types.get(short), types.get(only)];
    const isListed = (type: TypeCandidate | undefined) => type?.evidence.has("listed") === true;
    if (isListed(shortType) && isListed(longType)) continue;

    const keepsShort = isListed(shortType) || (!isListed(longType) && weight(shortType) > weight(longType));
    names.set(keepsShort ? only : short, keepsShort ? short : only);
  }
  return (key) => names.get(key) ?? key;
}

function weight(type: TypeCandidate | undefined): number {
  return [...(type?.evidence.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

interface Settling {
  readonly types: ReadonlyMap<string, TypeCandidate>;
  readonly find: (key: string) => string | null;
}

/** What is had is a type where it is one elsewhere, a property where the noun or its company says so, else a type. */
function settlePossessions(draft: Draft, { types, find }: Settling) {
  const properties = new Map<string, string[]>();
  const edges: EdgeCandidate[] = [];
  for (const { owner, type, property, isPlural, isAmongProperties, isProperty } of draft.possessions) {
    const source = find(owner);
    const target = find(nameKey(typeName(type)));
    if (source === null) continue;
    if (target !== null && target !== source && !isProperty) {
      const name = edgeName(`has ${wordsOf(types.get(target)?.name ?? "").join(" ")}`);
      edges.push({ name, source, target, isTemporal: false, properties: [] });
    } else if (isProperty || (isAmongProperties && !isPlural) || target === null) {
      const name = wordsOf(property).join("_");
      properties.set(source, [...(properties.get(source) ?? []), name].slice(0, 60));
    }
  }
  return { properties, edges };
}

interface Placed {
  readonly level: number;
  readonly members: readonly string[];
}

/** Each group stands above all that it gathers; what would close a circle is left out. */
function levelsOf({ gatherings }: Draft, find: (key: string) => string | null): ReadonlyMap<string, Placed> {
  const members = new Map<string, Set<string>>();
  for (const gathering of gatherings) {
    const group = find(gathering.group);
    if (group === null) continue;
    for (const key of gathering.members) {
      const member = find(key);
      if (member === null || reaches(members, member, group)) continue;
      members.set(group, (members.get(group) ?? new Set()).add(member));
    }
  }
  const levels = new Map<string, number>();
  const level = (key: string): number => {
    const known = levels.get(key) ?? 1 + Math.max(-1, ...[...(members.get(key) ?? [])].map(level));
    levels.set(key, known); // Many groups may lead to one type.
    return known;
  };
  const MAX_LEVEL = 8;
  return new Map(
    [...members]
      .map(([key, own]) => [key, { level: level(key), members: [...own] }] as const)
      .filter(([, placed]) => placed.level <= MAX_LEVEL),
  );
}

/** Whether `from` is `to`, or gathers it directly or through others. */
function reaches(members: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const open = [from];
  const seen = new Set<string>();
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === to) return true;
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...(members.get(key) ?? []));
  }
  return false;
}

interface Naming {
  readonly find: (key: string) => string | null;
  readonly nameOf: (key: string) => string;
}

interface Joined {
  name: string;
  readonly sources: Set<string>;
  readonly targets: Set<string>;
  temporal: boolean;
  readonly properties: Set<string>;
}

/** Edges of one name become one where that allows no pair that was not named; else the target's name is added. */
function joinEdges(
  candidates: readonly EdgeCandidate[],
  { find, nameOf }: Naming,
): readonly WrittenEdgeType[] {
  const found = candidates.flatMap((edge) => {
    const [source, target] = [find(edge.source), find(edge.target)];
    return source === null || target === null ? [] : [{ ...edge, source, target }];
  });
  const edges = new Map<string, Joined>();
  for (const edge of found) {
    if (edges.size >= MAX_EDGES) break;
    const longName = `${edge.name}_${wordsOf(nameOf(edge.target)).join("_").toUpperCase()}`;
    for (const name of [edge.name, longName]) if (take(edges, name, edge)) break;
  }
  return [...edges.values()].map(({ name, sources, targets, temporal, properties }) => {
    const ends = { sourceTypes: [...sources].map(nameOf), targetTypes: [...targets].map(nameOf) };
    return {
      name,
      temporal,
      ...ends,
      properties: [...properties],
      description: describeEdge({ name, ...ends }),
    };
  });
}

function take(edges: Map<string, Joined>, name: string, edge: EdgeCandidate): boolean {
  const key = nameKey(name);
  const known = edges.get(key);
  if (known === undefined) {
    edges.set(key, {
      ...{ name, temporal: edge.isTemporal },
      sources: new Set([edge.source]),
      targets: new Set([edge.target]),
      properties: new Set(edge.properties),
    });
    return true;
  }
  const hasSource = known.sources.has(edge.source);
  const hasTarget = known.targets.has(edge.target);
  const fits =
    (hasSource && hasTarget) ||
    (hasSource && known.sources.size === 1) ||
    (hasTarget && known.targets.size === 1);
  if (!fits) return false;
  known.sources.add(edge.source);
  known.targets.add(edge.target);
  known.temporal ||= edge.isTemporal;
  for (const property of edge.properties) known.properties.add(property);
  return true;
}

/** Property names, each once, at most 60. */
function unique(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(nameKey(name))) byKey.set(nameKey(name), name);
  return [...byKey.values()].filter((name) => name !== "").slice(0, 60);
}
