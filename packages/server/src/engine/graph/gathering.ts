/**
 * Determines how the types of upper levels group those of lower levels, from the names and descriptions in an
 * ontology.
 */
import { withFewAliases } from "../../domain/ontology/few-aliases.ts";
import type { EdgeType, Fact, NodeType, OntologySchema } from "../../domain/ontology-schema.ts";
import { stemWord } from "../text/stem.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";
import { headOf, inSingular, readableName } from "../text/type-names.ts";

/** An edge type with one of its type pairs, seen from one of its ends. */
export interface DirectedKind {
  readonly kind: Fact;
  /** true: the source is the member and the target is the group; false: the other way round. */
  readonly isFromMember: boolean;
}

export interface MemberEdge extends DirectedKind {
  /**
   * Whether the name states membership ("PART_OF", "CONTAINS"); false for an edge type that is used because
   * it is the only one between the two types.
   */
  readonly namesMembership: boolean;
}

/** A type whose instances group instances of other types. */
export interface UpperType {
  readonly name: string;
  readonly level: number;
  /** The name of one instance, in lower case: "research group". */
  readonly noun: string;
  /** `noun` and the type's other names, each word in the singular. */
  readonly nouns: readonly string[];
  /** The names of the grouped types, which are of lower levels. */
  readonly aggregates: readonly string[];
  /** The edge types between an instance and its members. */
  readonly memberEdges: readonly MemberEdge[];
  /** Stems of the words that describe the type, without those of the types that it groups. */
  readonly descriptiveStems: ReadonlySet<string>;
}

/** What is kept of an ontology: it may have megabytes of descriptions, examples and properties. */
export interface PlannedSchema {
  readonly nodeTypes: readonly Pick<NodeType, "name" | "level" | "aliases">[];
  readonly edgeTypes: readonly Pick<EdgeType, "name" | "aliases">[];
}

export interface GatheringPlan {
  readonly schema: PlannedSchema;
  /** Lower levels first, then in the order of the schema; empty if no type groups others. */
  readonly upperTypes: readonly UpperType[];
}

const MAX_STEMS = 40;
/** Kinds of relationships around which one type may group. */
const MAX_KINDS = 256;
/** Of an ontology that group others, of the types that one of these groups, and of the edge types that are looked at for one. */
const MAX_UPPER = 128;
const MAX_AGGREGATES = 128;
const MAX_EDGES = 256;
/** Of all types together, as many as ingestion reads: each is compared with each question. */
const MAX_ALIASES = 8_000;
const MEMBER_PATTERN =
  /(?:^| )(?:part of|belongs?|belonging|member|within|inside|under|included in|contained in|grouped|assigned to|employed by|works? (?:for|at|in)|owned by|operated by|run by|subsidiary of|division of|branch of|unit of|affiliated|joined|(?:located|based|headquartered|situated|housed|lives?|resides?) in)(?: |$)/;
const GROUP_PATTERN =
  /(?:^| )(?:has|have|consists?|contains?|includes?|comprises?|composed|made up|owns?|operates?|employs?|gathers?|groups?|covers?)(?: |$)/;
/** Types that are only counts or dates are not hubs. */
const VALUE_HEADS = new Set(
  "date year time day month number amount price value quantity percentage duration".split(" "),
);

export function planGathering(whole: OntologySchema): GatheringPlan {
  const schema = withFewAliases(withEarlierNames(whole), MAX_ALIASES);
  const upper = schema.nodeTypes
    .filter(({ level, aggregates }) => level > 0 && aggregates.length > 0)
    .slice(0, MAX_UPPER);
  const names: TypeNames = {
    aliasesOf: new Map(schema.nodeTypes.map(({ name, aliases }) => [name, aliases])),
    edgesOf: edgesByType(schema, new Set(upper.map(({ name }) => name))),
  };
  return {
    schema: {
      nodeTypes: schema.nodeTypes.map(({ name, level, aliases }) => ({ name, level, aliases })),
      edgeTypes: schema.edgeTypes.map(({ name, aliases }) => ({ name, aliases })),
    },
    upperTypes: upper.map((type) => toUpperType(type, names)).sort((one, other) => one.level - other.level),
  };
}

/** Texts and questions use the name that a renamed type had. */
function withEarlierNames({ nodeTypes, edgeTypes, faults }: OntologySchema): OntologySchema {
  const named = <Type extends NodeType | EdgeType>(type: Type): Type =>
    type.readAs === undefined ? type : { ...type, aliases: [type.readAs, ...type.aliases] };
  return { nodeTypes: nodeTypes.map(named), edgeTypes: edgeTypes.map(named), faults };
}

interface TypeNames {
  readonly aliasesOf: ReadonlyMap<string, readonly string[]>;
  /** By upper type the edge types that have it at an end, in the order of the schema. */
  readonly edgesOf: ReadonlyMap<string, readonly EdgeEnds[]>;
}

interface EdgeEnds {
  readonly edge: EdgeType;
  readonly sources: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
}

function edgesByType(
  { edgeTypes }: OntologySchema,
  upper: ReadonlySet<string>,
): ReadonlyMap<string, readonly EdgeEnds[]> {
  const found = new Map([...upper].map((type) => [type, [] as EdgeEnds[]]));
  if (upper.size === 0) return found;
  for (const edge of edgeTypes) {
    const ends = { edge, sources: new Set(edge.sourceTypes), targets: new Set(edge.targetTypes) };
    for (const type of ends.sources.union(ends.targets)) {
      const own = found.get(type);
      if (own !== undefined && own.length < MAX_EDGES) own.push(ends);
    }
  }
  return found;
}

function toUpperType(type: NodeType, { aliasesOf, edgesOf }: TypeNames): UpperType {
  const { name, level, aliases, description } = type;
  const aggregates = type.aggregates.slice(0, MAX_AGGREGATES);
  const groupedStems = new Set(
    aggregates.flatMap((lower) =>
      stemsOf([lower, ...(aliasesOf.get(lower) ?? [])].map(readableName).join(" ")),
    ),
  );
  const stems = stemsOf(`${[name, ...aliases].map(readableName).join(" ")} ${description}`);
  return {
    name,
    level,
    aggregates,
    noun: readableName(name),
    nouns: [...new Set([name, ...aliases].map((noun) => inSingular(readableName(noun))))],
    memberEdges: findMemberEdges(name, aggregates, edgesOf.get(name) ?? []),
    descriptiveStems: new Set(stems.filter((stem) => !groupedStems.has(stem)).slice(0, MAX_STEMS)),
  };
}

/** For each grouped type the edge types whose names state membership, or else the only edge type between the two. */
function findMemberEdges(
  upper: string,
  aggregates: readonly string[],
  edges: readonly EdgeEnds[],
): readonly MemberEdge[] {
  const directed = edges.flatMap(({ edge, sources, targets }) =>
    [true, false].flatMap((isFromMember) => {
      const [ofMember, ofGroup] = isFromMember ? [sources, targets] : [targets, sources];
      if (!ofGroup.has(upper)) return [];
      return [{ edge, ofMember, isFromMember, namesMembership: statesMembership(edge, isFromMember) }];
    }),
  );
  const [stated, others] = [true, false].map((is) => directed.filter((one) => one.namesMembership === is));
  return aggregates
    .flatMap((lower) => {
      const own = (stated ?? []).filter(({ ofMember }) => ofMember.has(lower));
      const between = own.length > 0 ? own : firstTwo(others ?? [], ({ ofMember }) => ofMember.has(lower));
      if (own.length === 0 && between.length !== 1) return [];
      return between.map(({ edge, isFromMember, namesMembership }) => {
        const [sourceType, targetType] = isFromMember ? [lower, upper] : [upper, lower];
        return { kind: { type: edge.name, sourceType, targetType }, isFromMember, namesMembership };
      });
    })
    .slice(0, MAX_KINDS);
}

function firstTwo<Item>(items: readonly Item[], is: (item: Item) => boolean): readonly Item[] {
  const first = items.findIndex(is);
  const second = first < 0 ? -1 : items.findIndex((item, at) => at > first && is(item));
  return [first, second].flatMap((at) => items[at] ?? []);
}

function statesMembership(
  { name, aliases }: Pick<EdgeType, "name" | "aliases">,
  isFromMember: boolean,
): boolean {
  const pattern = isFromMember ? MEMBER_PATTERN : GROUP_PATTERN;
  return [name, ...aliases].some((each) => pattern.test(readableName(each)));
}

/** A kind of relationship that connects several members to the same instance, the hub. */
export interface HubKind extends DirectedKind {
  /** How strongly the schema's words support this kind; 0 if they do not. */
  readonly score: number;
}

/** A kind of relationship of a graph, seen from one of its ends. */
interface PossibleHub extends DirectedKind {
  readonly member: string;
  readonly hub: string;
  readonly hubLevel: number;
  readonly namesMembership: boolean;
}

/**
 * For the kinds of relationships that a graph has, finds those that may connect the members of an instance of an upper
 * type that no text names: relationships of the types in `ofMembers` whose other end is of a type below the upper one's
 * level. If the schema's words support none, only relationships among the members are returned.
 */
export function createHubFinder(
  { schema, upperTypes }: GatheringPlan,
  kinds: readonly Fact[],
): (upper: UpperType, ofMembers: ReadonlySet<string>) => readonly HubKind[] {
  const levels = new Map(schema.nodeTypes.map(({ name, level }) => [name, level]));
  const byEdge = Map.groupBy(kinds, ({ type }) => type);
  const possible = schema.edgeTypes.flatMap((edge) =>
    (byEdge.get(edge.name) ?? []).flatMap((kind) =>
      [true, false].flatMap((isFromMember): readonly PossibleHub[] => {
        const { sourceType, targetType } = kind;
        const [member, hub] = isFromMember ? [sourceType, targetType] : [targetType, sourceType];
        const hubLevel = levels.get(hub);
        if (hubLevel === undefined || VALUE_HEADS.has(headOf(readableName(hub)))) return [];
        const namesMembership = statesMembership(edge, isFromMember);
        return [{ kind, isFromMember, member, hub, hubLevel, namesMembership }];
      }),
    ),
  );
  const edges = schema.edgeTypes.filter(({ name }) => byEdge.has(name));
  const hubs = [...new Set(possible.map(({ hub }) => hub))];
  const edgesOf = findDescribed(
    upperTypes,
    edges.map(({ name, aliases }) => [name, [name, ...aliases]]),
  );
  const hubsOf = findDescribed(
    upperTypes,
    hubs.map((hub) => [hub, [hub]]),
  );
  return (upper, ofMembers) => {
    const [ownEdges, ownHubs] = [edgesOf(upper), hubsOf(upper)];
    return possible
      .flatMap((one): readonly HubKind[] => {
        if (one.hubLevel >= upper.level || !ofMembers.has(one.member)) return [];
        // "The ships of one owner" matches OWNED_BY, or a type called owner: 2; a name like PART_OF: 1.
        const isDescribed = ownEdges.has(one.kind.type) || ownHubs.has(one.hub);
        const score = (isDescribed ? 2 : 0) + (one.namesMembership ? 1 : 0);
        if (score === 0 && !ofMembers.has(one.hub)) return [];
        return [{ kind: one.kind, isFromMember: one.isFromMember, score }];
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, MAX_KINDS);
  };
}

type Described = readonly [name: string, words: readonly string[]];

/**
 * By upper type those of the names that its description has a word of. The stem "own" of "owned" matches "owner", which stemming keeps
 * distinct: one begins with the other and is at most three letters longer. Reads each word once, however many upper types there are.
 */
function findDescribed(
  upperTypes: readonly UpperType[],
  all: readonly Described[],
): (upper: UpperType) => ReadonlySet<string> {
  const whole = new Map<string, Set<string>>();
  const begun = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, name: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(name));
  for (const { name, descriptiveStems } of upperTypes) {
    for (const stem of descriptiveStems) {
      add(whole, stem, name);
      for (const root of rootsOf(stem)) add(begun, root, name);
    }
  }
  const described = new Map<string, Set<string>>();
  for (const [name, words] of all) {
    for (const stem of new Set(stemsOf(words.map(readableName).join(" ")))) {
      for (const upper of begun.get(stem) ?? []) add(described, upper, name);
      for (const root of rootsOf(stem))
        for (const upper of whole.get(root) ?? []) add(described, upper, name);
    }
  }
  return ({ name }) => described.get(name) ?? new Set();
}

/** The stem, and its beginnings of at least three letters that are up to three letters shorter. */
function rootsOf(stem: string): readonly string[] {
  const roots: string[] = [];
  for (let length = stem.length; length >= Math.max(3, stem.length - 3); length--)
    roots.push(stem.slice(0, length));
  return roots;
}

function stemsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !ENGLISH_STOP_WORDS.has(word) && word.length >= 3).map(stemWord);
}
