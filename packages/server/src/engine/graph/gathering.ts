/**
 * Determines how the types of upper levels group those of lower levels, from the names and descriptions in an
 * ontology.
 */
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

export interface GatheringPlan {
  readonly schema: OntologySchema;
  /** Lower levels first, then in the order of the schema; empty if no type groups others. */
  readonly upperTypes: readonly UpperType[];
}

const MAX_STEMS = 40;
/**
 * Limits on the types at each end of one edge type, and on the kinds of relationships around which one type
 * may group.
 */
const MAX_TYPES = 32;
const MAX_KINDS = 256;
const MEMBER_PATTERN =
  /(?:^| )(?:part of|belongs?|belonging|member|within|inside|under|included in|contained in|grouped|assigned to|employed by|works? (?:for|at|in)|owned by|operated by|run by|subsidiary of|division of|branch of|unit of|affiliated|joined|(?:located|based|headquartered|situated|housed|lives?|resides?) in)(?: |$)/;
const GROUP_PATTERN =
  /(?:^| )(?:has|have|consists?|contains?|includes?|comprises?|composed|made up|owns?|operates?|employs?|gathers?|groups?|covers?)(?: |$)/;
/** Types that are only counts or dates are not hubs. */
const VALUE_HEADS = new Set(
  "date year time day month number amount price value quantity percentage duration".split(" "),
);

export function planGathering(schema: OntologySchema): GatheringPlan {
  const upper = schema.nodeTypes.filter(({ level, aggregates }) => level > 0 && aggregates.length > 0);
  return {
    schema,
    upperTypes: upper.map((type) => toUpperType(type, schema)).sort((one, other) => one.level - other.level),
  };
}

function toUpperType(type: NodeType, schema: OntologySchema): UpperType {
  const { name, level, aggregates, aliases, description } = type;
  const groupedStems = new Set(
    aggregates.flatMap((lower) => {
      const lowerType = schema.nodeTypes.find((one) => one.name === lower);
      return stemsOf([lower, ...(lowerType?.aliases ?? [])].map(readableName).join(" "));
    }),
  );
  const stems = stemsOf(`${[name, ...aliases].map(readableName).join(" ")} ${description}`);
  return {
    name,
    level,
    aggregates,
    noun: readableName(name),
    nouns: [...new Set([name, ...aliases].map((noun) => inSingular(readableName(noun))))],
    memberEdges: aggregates.flatMap((lower) => findMemberEdges(name, lower, schema)),
    descriptiveStems: new Set(stems.filter((stem) => !groupedStems.has(stem)).slice(0, MAX_STEMS)),
  };
}

/** The edge types whose names state membership, or else the only edge type between the two types. */
function findMemberEdges(upper: string, lower: string, schema: OntologySchema): readonly MemberEdge[] {
  const between = schema.edgeTypes.flatMap((edge): MemberEdge[] => {
    const edges: MemberEdge[] = [];
    if (edge.sourceTypes.includes(lower) && edge.targetTypes.includes(upper)) {
      const kind = { type: edge.name, sourceType: lower, targetType: upper };
      edges.push({ kind, isFromMember: true, namesMembership: statesMembership(edge, true) });
    }
    if (edge.sourceTypes.includes(upper) && edge.targetTypes.includes(lower)) {
      const kind = { type: edge.name, sourceType: upper, targetType: lower };
      edges.push({ kind, isFromMember: false, namesMembership: statesMembership(edge, false) });
    }
    return edges;
  });
  const stated = between.filter(({ namesMembership }) => namesMembership);
  if (stated.length > 0) return stated;
  return between.length === 1 ? between : [];
}

function statesMembership({ name, aliases }: EdgeType, isFromMember: boolean): boolean {
  const pattern = isFromMember ? MEMBER_PATTERN : GROUP_PATTERN;
  return [name, ...aliases].some((each) => pattern.test(readableName(each)));
}

/** A kind of relationship that connects several members to the same instance, the hub. */
export interface HubKind extends DirectedKind {
  /** How strongly the schema's words support this kind; 0 if they do not. */
  readonly score: number;
}

/**
 * The relationships that may connect the members of an instance that no text names: relationships of the
 * types in `ofMembers` whose other end is of a type below the upper one's level. If the schema's words
 * support none, only relationships among the members are returned.
 */
export function findHubKinds(
  upper: UpperType,
  ofMembers: ReadonlySet<string>,
  schema: OntologySchema,
): readonly HubKind[] {
  const levels = new Map(schema.nodeTypes.map(({ name, level }) => [name, level]));
  const mayBeHub = (type: string) =>
    (levels.get(type) ?? upper.level) < upper.level && !VALUE_HEADS.has(headOf(readableName(type)));
  const kinds = schema.edgeTypes.flatMap((edge) =>
    [true, false].flatMap((isFromMember) => {
      const [ofMember, ofHub] = isFromMember
        ? [edge.sourceTypes, edge.targetTypes]
        : [edge.targetTypes, edge.sourceTypes];
      const memberTypes = ofMember.filter((type) => ofMembers.has(type)).slice(0, MAX_TYPES);
      return ofHub
        .filter(mayBeHub)
        .slice(0, MAX_TYPES)
        .flatMap((hub): readonly HubKind[] => {
          const score = scoreHub(upper, { edge, hub, isFromMember });
          if (score === 0 && !ofMembers.has(hub)) return [];
          return memberTypes.map((member) => {
            const [sourceType, targetType] = isFromMember ? [member, hub] : [hub, member];
            return { kind: { type: edge.name, sourceType, targetType }, isFromMember, score };
          });
        });
    }),
  );
  return kinds.sort((one, other) => other.score - one.score).slice(0, MAX_KINDS);
}

/** "The ships of one owner" matches OWNED_BY, or a type called owner: 2; a name like PART_OF: 1. */
function scoreHub(
  { descriptiveStems }: UpperType,
  input: { readonly edge: EdgeType; readonly hub: string; readonly isFromMember: boolean },
): number {
  const { edge, hub, isFromMember } = input;
  const words = stemsOf([hub, edge.name, ...edge.aliases].map(readableName).join(" "));
  const isDescribed = words.some((word) => [...descriptiveStems].some((stem) => isSameRoot(word, stem)));
  return (isDescribed ? 2 : 0) + (statesMembership(edge, isFromMember) ? 1 : 0);
}

/** Matches the stem "own" of "owned" with "owner", which stemming keeps distinct. */
function isSameRoot(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 3 && long.startsWith(short) && long.length - short.length <= 3;
}

function stemsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !ENGLISH_STOP_WORDS.has(word) && word.length >= 3).map(stemWord);
}
