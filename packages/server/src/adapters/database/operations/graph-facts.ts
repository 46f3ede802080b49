/**
 * The stored form of the facts that a chunk contributes to the graph. Names are referred to by their index in
 * a list.
 */
import type { ChunkFacts, EntityKey, RelationshipMention } from "../../../domain/graph.ts";
import { END_OF_PERIOD } from "../../../domain/validity.ts";
import type { JoinOrigin } from "../graph-schema.ts";
import { isStorableName, storableText } from "./graph-text.ts";

/** In UTF-16 code units. Values are index keys, which PostgreSQL limits. Quotes may be longer. */
const maxTextLength = 300;
/** Confidences are stored as integers: 1.0 = 1,000. */
export const confidenceUnits = 1_000;
/** Of what a person has confirmed or added: it comes before everything that a reader is sure of. */
export const confirmedUnits = confidenceUnits + 1;
/** Separates the written forms of a name in a chunk. Stored texts do not contain it. */
export const formEnd = "\u001f";
/** The relationship type that stores the membership in a node of an upper level. */
export const memberType = "";

/** Compact, because there is one for every chunk. Node numbers are indexes into `nodes`. */
export interface StoredFacts {
  readonly nodes: readonly (readonly [type: string, key: string])[];
  /** The first `supported` nodes have support in the chunk; the rest are named only by rules. */
  readonly supported: number;
  readonly mentions: readonly StoredMention[];
  readonly properties: readonly StoredProperty[];
  readonly edges: readonly StoredEdge[];
  readonly joins: readonly StoredJoin[];
  /** Absent when there are none. */
  readonly proposals?: readonly StoredProposal[];
}

export type StoredMention = readonly [
  node: number,
  start: number,
  end: number,
  name: string,
  confidence: number,
];
export type StoredProperty = readonly [
  node: number,
  start: number,
  end: number,
  property: string,
  value: string,
];
type StoredClaim = readonly [
  source: number,
  target: number,
  type: string,
  start: number,
  end: number,
  confidence: number,
  extractor: string,
  validFrom: string | null,
  validTo: string | null,
];
/** Of an edge type with times, with when it is known to hold, and 1 where its source has one target at a time. */
export type StoredTiming = readonly [knownAt: string | null, isFunctional: 0 | 1];
export type StoredEdge = readonly [...StoredClaim, timing?: StoredTiming];
/** An edge with its ends as written. Its nodes need no support in the chunk. */
export type StoredProposal = readonly [
  ...StoredClaim,
  sourceName: string,
  targetName: string,
  timing?: StoredTiming,
];
export type StoredJoin = readonly [a: number, b: number, origin: JoinOrigin];

/** null when the chunk contributes nothing. Omits names that cannot be a key on both databases. */
export function toStored(facts: ChunkFacts): StoredFacts | null {
  const fitting = fittingOf(facts);
  const nodes = listNodes(fitting);
  if (nodes.list.length === 0) return null;
  const { numberOf } = nodes;
  const edges = edgesOf(fitting, numberOf);
  const proposals = proposalsOf(fitting, { numberOf, edges });
  return {
    nodes: nodes.list,
    supported: nodes.supported,
    mentions: distinct(
      fitting.entities.map(
        (mention): StoredMention => [
          numberOf(mention),
          mention.start,
          mention.end,
          textOf(mention.name) || mention.key,
          unitsOf(mention.confidence),
        ],
      ),
      ([node, start, end]) => `${node} ${start} ${end}`,
    ),
    properties: distinct(
      fitting.properties.map(
        ({ entity, start, end, property, value }): StoredProperty => [
          numberOf(entity),
          start,
          end,
          property,
          textOf(value),
        ],
      ),
      ([node, , , property, value]) => JSON.stringify([node, property, value]),
    ),
    edges,
    joins: joinsOf(fitting, numberOf),
    ...(proposals.length === 0 ? {} : { proposals }),
  };
}

type FittingFacts = Required<ChunkFacts>;

function fittingOf(facts: ChunkFacts): FittingFacts {
  const fits = ({ type, key }: EntityKey) => isStorableName(type) && isStorableName(key);
  const entities = facts.entities.filter(fits);
  // A rule's candidate counts only if the chunk mentions the name that it is joined to.
  const named = new Set(entities.map(nameOf));
  const joinsFitting = ({ type, source, target }: RelationshipMention) =>
    isStorableName(type) && fits(source) && fits(target);
  return {
    entities,
    relationships: facts.relationships.filter(joinsFitting),
    proposals: (facts.proposals ?? []).filter(joinsFitting),
    properties: facts.properties.filter(
      ({ entity, property, value }) => fits(entity) && isStorableName(property) && textOf(value) !== "",
    ),
    aliases: facts.aliases.filter(
      (alias) => fits(alias) && isStorableName(alias.alias) && alias.alias !== alias.key,
    ),
    candidates: facts.candidates.filter(
      (join) => isStorableName(join.candidate) && join.candidate !== join.key && named.has(nameOf(join)),
    ),
    members: (facts.members ?? []).filter(
      ({ parent, member }) => fits(parent) && fits(member) && nameOf(parent) !== nameOf(member),
    ),
    unfit: facts.unfit,
  };
}

/** All facts except candidates and proposals support the nodes that they name. */
function listNodes(facts: FittingFacts) {
  const numbers = new Map<string, number>();
  const list: (readonly [string, string])[] = [];
  const add = (key: EntityKey) => {
    const name = nameOf(key);
    if (numbers.has(name)) return;
    numbers.set(name, list.length);
    list.push([key.type, key.key]);
  };
  for (const entity of facts.entities) add(entity);
  for (const { source, target } of facts.relationships) for (const end of [source, target]) add(end);
  for (const { entity } of facts.properties) add(entity);
  for (const { parent, member } of facts.members) for (const end of [parent, member]) add(end);
  for (const alias of facts.aliases)
    for (const key of [alias.key, alias.alias]) add({ type: alias.type, key });
  const supported = list.length;
  for (const { type, candidate } of facts.candidates) add({ type, key: candidate });
  for (const { source, target } of facts.proposals) for (const end of [source, target]) add(end);
  // Callers pass only keys that were added above.
  return { list, supported, numberOf: (key: EntityKey) => numbers.get(nameOf(key)) ?? 0 };
}

/**
 * If several sentences of a chunk state the same edge, the one with the highest confidence is kept, then the
 * first, for the time that all of them tell of.
 */
function edgesOf({ relationships, members }: FittingFacts, numberOf: (key: EntityKey) => number) {
  const edges = relationships.map((edge) => toEdge(edge, numberOf));
  const memberships = members.map(
    ({ parent, member, start, end }): StoredEdge => [
      numberOf(parent),
      numberOf(member),
      memberType,
      start,
      end,
      confidenceUnits,
      "",
      null,
      null,
    ],
  );
  return surest([...edges, ...memberships]);
}

/** Without what the chunk also asserts. */
function proposalsOf(
  { proposals }: FittingFacts,
  { numberOf, edges }: { numberOf: (key: EntityKey) => number; edges: readonly StoredEdge[] },
): readonly StoredProposal[] {
  const asserted = new Set(edges.map(keyOfStored));
  const stored = proposals.map((proposal): StoredProposal => {
    const { source, target, sourceName, targetName } = proposal;
    return [
      ...toClaim(proposal, numberOf),
      textOf(sourceName) || source.key,
      textOf(targetName) || target.key,
      ...timingOf(proposal),
    ];
  });
  return surest(stored.filter((proposal) => !asserted.has(keyOfStored(proposal))));
}

function toEdge(edge: RelationshipMention, numberOf: (key: EntityKey) => number): StoredEdge {
  return [...toClaim(edge, numberOf), ...timingOf(edge)];
}

function timingOf({ timing = null }: RelationshipMention): readonly [StoredTiming?] {
  return timing === null ? [] : [[timing.knownAt, timing.isFunctional ? 1 : 0]];
}

function toClaim(edge: RelationshipMention, numberOf: (key: EntityKey) => number): StoredClaim {
  return [
    numberOf(edge.source),
    numberOf(edge.target),
    edge.type,
    edge.start,
    edge.end,
    unitsOf(edge.confidence),
    textOf(edge.extractor),
    edge.validFrom === null ? null : textOf(edge.validFrom),
    edge.validTo === null ? null : textOf(edge.validTo),
  ];
}

export function surest<Edge extends StoredEdge | StoredProposal>(edges: readonly Edge[]): readonly Edge[] {
  const sorted = edges.toSorted((a, b) => b[5] - a[5] || a[3] - b[3]);
  return [...Map.groupBy(sorted, keyOfStored).values()].map(joinStatements);
}

/**
 * The first of the statements of an edge, for the time from the first beginning to the last end that they tell; without an end if one
 * of them is of later.
 */
function joinStatements<Edge extends StoredEdge | StoredProposal>(statements: readonly Edge[]): Edge {
  const [first] = statements as readonly [Edge, ...Edge[]]; // A group has a member.
  if (statements.length === 1) return first;
  const from = leastOf(statements.map((edge) => edge[7]));
  const to = lastOf(statements.map((edge) => edge[8]));
  const knownAt = lastOf(statements.map((edge) => timingIn(edge)?.[0]));
  const open = statements.flatMap((edge) => (edge[8] === null ? [timingIn(edge)?.[0]] : []));
  const told = [...statements.map((edge) => edge[7]), ...open];
  const isOver = to !== null && !told.some((time) => time != null && time > `${to}${END_OF_PERIOD}`);
  const timing = statements.map(timingIn).find((one) => one !== undefined);
  const names = first.slice(9).filter((member) => typeof member === "string");
  const rest = timing === undefined ? names : [...names, [knownAt, timing[1]]];
  return [...first.slice(0, 7), from, isOver ? to : null, ...rest] as unknown as Edge; // The other members are the same.
}

function timingIn(edge: StoredEdge | StoredProposal): StoredTiming | undefined {
  return edge.find((member): member is StoredTiming => Array.isArray(member));
}

function leastOf(times: readonly (string | null)[]): string | null {
  return times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

/** The year, month or day that ends last. */
function lastOf(times: readonly (string | null | undefined)[]): string | null {
  const endOf = (time: string) => `${time}${END_OF_PERIOD}`;
  return times.reduce<string | null>(
    (a, b) => (b != null && (a === null || endOf(b) > endOf(a)) ? b : a),
    null,
  );
}

/** `known_until` and `turn_at` of a statement's row. That something ended tells of no other target. */
export function timingColumns([, , , , , , , from, to, timing]: StoredEdge): [string | null, string | null] {
  if (timing === undefined) return [null, null];
  const [knownAt, isFunctional] = timing;
  const known = to ?? lastOf([from, knownAt]);
  const isTurn = isFunctional === 1 && (from !== null || to === null);
  return [known === null ? "" : `${known}${END_OF_PERIOD}`, isTurn ? (from ?? knownAt) : null];
}

export function keyOfStored([source, target, type]: StoredEdge | StoredProposal): string {
  return `${source} ${target} ${type}`;
}

function joinsOf({ aliases, candidates }: FittingFacts, numberOf: (key: EntityKey) => number) {
  const joins = [
    ...aliases.map((join) => ({ ...join, other: join.alias, origin: "text" as const })),
    ...candidates.map((join) => ({ ...join, other: join.candidate, origin: "rule" as const })),
  ].map(({ type, key, other, origin }): StoredJoin => {
    const [a, b] = [numberOf({ type, key }), numberOf({ type, key: other })];
    return a < b ? [a, b, origin] : [b, a, origin];
  });
  return distinct(joins, (join) => join.join(" "));
}

/** A unique text for type and normal form, neither of which contains a control character. */
export function nameOf({ type, key }: EntityKey): string {
  return `${type}\n${key}`;
}

/** 0 to 1, of a stored confidence. */
export function probabilityOf(units: number): number {
  return Math.min(1, units / confidenceUnits);
}

function textOf(text: string): string {
  return storableText(text, maxTextLength);
}

function unitsOf(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * confidenceUnits) || 0; // NaN becomes 0.
}

/** The first row of each key. */
export function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
