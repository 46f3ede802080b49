/** What a chunk contributes to the graph, in the form in which it is stored: names by their place in a list. */
import type { ChunkFacts, EntityKey } from "../../../domain/graph.ts";
import type { JoinOrigin } from "../graph-schema.ts";
import { isStorableName, storableText } from "./graph-text.ts";

/** Of all but quotes, which are longer; keys of indexes, which PostgreSQL wants short. In UTF-16 code units. */
const maxTextLength = 300;
/** Confidences are stored as integers. */
export const confidenceUnits = 1_000;
/** Between the forms in which a chunk writes a name; no text that is stored has it. */
export const formEnd = "\u001f";
/** The type under which members of a node of an upper level are kept among the relationships. */
export const memberType = "";

/** Short, as there is one for every chunk. Numbers of nodes are places in `nodes`. */
export interface StoredFacts {
  readonly nodes: readonly (readonly [type: string, key: string])[];
  /** So many of the nodes, the first, are supported; the others are named by rules alone. */
  readonly supported: number;
  readonly mentions: readonly StoredMention[];
  readonly properties: readonly StoredProperty[];
  readonly edges: readonly StoredEdge[];
  readonly joins: readonly StoredJoin[];
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
export type StoredEdge = readonly [
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
export type StoredJoin = readonly [a: number, b: number, origin: JoinOrigin];

/** Null when the chunk contributes nothing. What can be no key on one of the databases is left out. */
export function toStored(facts: ChunkFacts): StoredFacts | null {
  const fitting = fittingOf(facts);
  const nodes = listNodes(fitting);
  if (nodes.supported === 0) return null;
  const { numberOf } = nodes;
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
    edges: edgesOf(fitting, numberOf),
    joins: joinsOf(fitting, numberOf),
  };
}

type FittingFacts = Required<ChunkFacts>;

function fittingOf(facts: ChunkFacts): FittingFacts {
  const fits = ({ type, key }: EntityKey) => isStorableName(type) && isStorableName(key);
  const entities = facts.entities.filter(fits);
  // A rule speaks of names that the chunk has.
  const named = new Set(entities.map(nameOf));
  return {
    entities,
    relationships: facts.relationships.filter(
      ({ type, source, target }) => isStorableName(type) && fits(source) && fits(target),
    ),
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

/** Everything but a candidate supports the nodes that it names. */
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
  // Of a key that `add` was given.
  return { list, supported, numberOf: (key: EntityKey) => numbers.get(nameOf(key)) ?? 0 };
}

/** Of several sentences of a chunk that say the same, the one that says it most surely, then the first. */
function edgesOf({ relationships, members }: FittingFacts, numberOf: (key: EntityKey) => number) {
  const edges = relationships.map(
    (edge): StoredEdge => [
      numberOf(edge.source),
      numberOf(edge.target),
      edge.type,
      edge.start,
      edge.end,
      unitsOf(edge.confidence),
      textOf(edge.extractor),
      edge.validFrom === null ? null : textOf(edge.validFrom),
      edge.validTo === null ? null : textOf(edge.validTo),
    ],
  );
  const gathered = members.map(
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
  const surest = [...edges, ...gathered].sort((a, b) => b[5] - a[5] || a[3] - b[3]);
  return distinct(surest, ([source, target, type]) => `${source} ${target} ${type}`);
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

/** A type and a normal form, neither of which has a control character. */
export function nameOf({ type, key }: EntityKey): string {
  return `${type}\n${key}`;
}

function textOf(text: string): string {
  return storableText(text, maxTextLength);
}

function unitsOf(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * confidenceUnits) || 0; // Of NaN, too.
}

/** The first row of each key. */
function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
