/** How the types of upper levels gather those below, as far as an ontology's own words tell. */
import type { EdgeType, Fact, NodeType, OntologySchema } from "../../domain/ontology-schema.ts";
import { stemWord } from "../text/stem.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";
import { headOf, inSingular, readableName } from "../text/type-names.ts";

/** An edge type with one of its pairs, seen from one of the ends. */
export interface DirectedKind {
  readonly kind: Fact;
  /** The source is gathered, the target gathers; false: the other way round. */
  readonly isFromMember: boolean;
}

export interface MemberEdge extends DirectedKind {
  /** "PART_OF", "CONTAINS"; false for the only edge type that there is between the two. */
  readonly saysSo: boolean;
}

/** A type that gathers others. */
export interface UpperType {
  readonly name: string;
  readonly level: number;
  /** What one of them is called: "research group". In small letters. */
  readonly noun: string;
  /** That and other names of the type, each word in the singular. */
  readonly nouns: readonly string[];
  /** Of lower levels. */
  readonly aggregates: readonly string[];
  /** Between one of them and what it gathers. */
  readonly memberEdges: readonly MemberEdge[];
  /** Stems of the words that tell what it is, without those of the types that it gathers. */
  readonly tellingStems: ReadonlySet<string>;
}

export interface GatheringPlan {
  readonly schema: OntologySchema;
  /** Lower levels first, then as the schema has them; none where no type gathers others. */
  readonly upperTypes: readonly UpperType[];
}

const MAX_STEMS = 40;
/** Ends of one edge type, and kinds of relationships, around which one type may gather. */
const MAX_TYPES = 32;
const MAX_KINDS = 256;
const SAYS_MEMBER =
  /(?:^| )(?:part of|belongs?|belonging|member|within|inside|under|included in|contained in|grouped|assigned to|employed by|works? (?:for|at|in)|owned by|operated by|run by|subsidiary of|division of|branch of|unit of|affiliated|joined|(?:located|based|headquartered|situated|housed|lives?|resides?) in)(?: |$)/;
const SAYS_WHOLE =
  /(?:^| )(?:has|have|consists?|contains?|includes?|comprises?|composed|made up|owns?|operates?|employs?|gathers?|groups?|covers?)(?: |$)/;
/** What only counts or dates is nothing that things gather around. */
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
  const gathered = new Set(
    aggregates.flatMap((lower) => {
      const found = schema.nodeTypes.find((one) => one.name === lower);
      return stemsOf([lower, ...(found?.aliases ?? [])].map(readableName).join(" "));
    }),
  );
  const stems = stemsOf(`${[name, ...aliases].map(readableName).join(" ")} ${description}`);
  return {
    ...{ name, level, aggregates },
    noun: readableName(name),
    nouns: [...new Set([name, ...aliases].map((noun) => inSingular(readableName(noun))))],
    memberEdges: aggregates.flatMap((lower) => findMemberEdges(name, lower, schema)),
    tellingStems: new Set(stems.filter((stem) => !gathered.has(stem)).slice(0, MAX_STEMS)),
  };
}

/** The edge types whose names say that one is of the other, else the only one that there is. */
function findMemberEdges(upper: string, lower: string, schema: OntologySchema): readonly MemberEdge[] {
  const between = schema.edgeTypes.flatMap((edge): MemberEdge[] => {
    const found: MemberEdge[] = [];
    if (edge.sourceTypes.includes(lower) && edge.targetTypes.includes(upper)) {
      const kind = { type: edge.name, sourceType: lower, targetType: upper };
      found.push({ kind, isFromMember: true, saysSo: saysGathering(edge, true) });
    }
    if (edge.sourceTypes.includes(upper) && edge.targetTypes.includes(lower)) {
      const kind = { type: edge.name, sourceType: upper, targetType: lower };
      found.push({ kind, isFromMember: false, saysSo: saysGathering(edge, false) });
    }
    return found;
  });
  const saying = between.filter(({ saysSo }) => saysSo);
  if (saying.length > 0) return saying;
  return between.length === 1 ? between : [];
}

function saysGathering({ name, aliases }: EdgeType, isFromMember: boolean): boolean {
  const pattern = isFromMember ? SAYS_MEMBER : SAYS_WHOLE;
  return [name, ...aliases].some((each) => pattern.test(readableName(each)));
}

/** A kind of relationship whose one end things of the other end's type gather around. */
export interface HubKind extends DirectedKind {
  /** How far the schema's words speak for it; 0: they do not. */
  readonly score: number;
}

/**
 * What may hold together instances of the type that no text names: relationships of the types in `ofMembers`, whose other end is of
 * a type below the upper one's level. Where the schema's words speak for none, things gather around each other only.
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
      const gathered = ofMember.filter((type) => ofMembers.has(type)).slice(0, MAX_TYPES);
      return ofHub
        .filter(mayBeHub)
        .slice(0, MAX_TYPES)
        .flatMap((hub): readonly HubKind[] => {
          const score = scoreHub(upper, { edge, hub, isFromMember });
          if (score === 0 && !ofMembers.has(hub)) return [];
          return gathered.map((member) => {
            const [sourceType, targetType] = isFromMember ? [member, hub] : [hub, member];
            return { kind: { type: edge.name, sourceType, targetType }, isFromMember, score };
          });
        });
    }),
  );
  return kinds.sort((one, other) => other.score - one.score).slice(0, MAX_KINDS);
}

/** "The ships of one owner" asks for OWNED_BY, or for what is called an owner: 2; a name like PART_OF: 1. */
function scoreHub(
  { tellingStems }: UpperType,
  input: { readonly edge: EdgeType; readonly hub: string; readonly isFromMember: boolean },
): number {
  const { edge, hub, isFromMember } = input;
  const words = stemsOf([hub, edge.name, ...edge.aliases].map(readableName).join(" "));
  const isTold = words.some((word) => [...tellingStems].some((stem) => isSameRoot(word, stem)));
  return (isTold ? 2 : 0) + (saysGathering(edge, isFromMember) ? 1 : 0);
}

/** "own" of "owned" and "owner", which stemming leaves apart. */
function isSameRoot(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 3 && long.startsWith(short) && long.length - short.length <= 3;
}

function stemsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !ENGLISH_STOP_WORDS.has(word) && word.length >= 3).map(stemWord);
}
