/** Reads lines whose key is itself a name: "Chief engineer: Jon Feld" under an ontology with posts and people. */
import type { Span } from "../../../../domain/graph.ts";
import type { EdgeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import type { FoundEntity } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import type { EdgeProfile } from "../relations/edge-profile.ts";
import type { TextRecord } from "./find-records.ts";
import type { ReadKey } from "./key-meaning.ts";
import { entityAt, type NamedField } from "./read-columns.ts";

/** Least share of a type, as read of the name or of all names at its place in the record. */
const LEAST_SHARE = 0.5;
/** A key that names a type as much as this is no name of one of its things. */
const LEAST_MEANING = 0.9;
const MAX_PAIRS = 64;

/** How likely a name is of each node type; null where that was not read. */
export type TypesOf = (name: Span) => Float32Array | null;

export interface NamedKeyContext {
  readonly schema: OntologySchema;
  readonly edges: readonly EdgeProfile[];
  readonly passage: Passage;
  readonly typesOf: TypesOf;
  readonly keys: ReadKey;
}

interface KeyedValue {
  readonly key: string;
  readonly name: Span;
  readonly value: FoundEntity;
}

/** `values`: of the record's fields. Only where one edge type alone joins the two types. */
export async function readNamedKeys(
  record: TextRecord,
  values: readonly (NamedField | null)[],
  { schema, edges, passage, typesOf, keys }: NamedKeyContext,
): Promise<readonly JoinedRelation[]> {
  const fields = record.flatMap(({ key, keySpan }, at): readonly KeyedValue[] => {
    const [value, ...more] = values[at]?.entities ?? [];
    if (keySpan === undefined || value === undefined || more.length > 0) return [];
    const name = { start: passage.start + keySpan.start, end: passage.start + keySpan.end };
    return [{ key: key.toLowerCase(), name, value }];
  });
  const keyTypes = typesAlike(fields.map(({ name }) => typesOf(name)));
  const valueTypes = typesAlike(fields.map(({ value }) => typesOf(value)));
  const onlyEdge = createOnlyEdge(edges);
  const relations: JoinedRelation[] = [];
  for (const [at, { key, name, value }] of fields.entries()) {
    const [mine, its] = [keyTypes[at], valueTypes[at]];
    if (mine == null || its == null) continue;
    if (((await keys(key)).types[mine.type] ?? 0) >= LEAST_MEANING) continue;
    const named = entityAt(passage, name);
    const only = onlyEdge(mine.type, its.type);
    if (named === null || only === null) continue;
    const [thing, other] = [
      { ...named, ...typed(schema, mine) },
      { ...value, ...typed(schema, its) },
    ];
    const [source, target] = only.isInverse ? [other, thing] : [thing, other];
    const confidence = Math.min(mine.share, its.share);
    const relation = { type: only.edge.name, source, target, sentence: value.sentence };
    relations.push({ ...relation, confidence, extractor: "record" });
  }
  return relations;
}

interface ReadType {
  readonly type: number;
  readonly share: number;
}

/** The likeliest type of each; where one's own is not sure, that of all of them. */
function typesAlike(read: readonly (Float32Array | null)[]): readonly (ReadType | null)[] {
  const told = read.flatMap((shares) => shares ?? []);
  const mean = told[0]?.map((_, type) => told.reduce((sum, shares) => sum + shares[type]! / told.length, 0));
  const common = mean === undefined ? null : likeliest(mean);
  return read.map((shares) => {
    const own = shares === null ? null : likeliest(shares);
    return own !== null && own.share >= LEAST_SHARE
      ? own
      : common !== null && common.share >= LEAST_SHARE
        ? common
        : null;
  });
}

function likeliest(shares: Float32Array): ReadType {
  const share = Math.max(...shares);
  return { type: shares.indexOf(share), share };
}

function typed(schema: OntologySchema, { type }: ReadType) {
  return { type: schema.nodeTypes[type]?.name ?? "" };
}

/** Finds the edge type that alone joins two types, in whichever direction; null where none or several do. Looks once for each two types. */
function createOnlyEdge(edges: readonly EdgeProfile[]) {
  const found = createRecentMap<string, { readonly edge: EdgeType; readonly isInverse: boolean } | null>(
    MAX_PAIRS,
  );
  return (thing: number, other: number) =>
    found.getOrMake(`${thing} ${other}`, () => {
      const joining = edges.flatMap(({ edge, sources, targets }) => [
        ...(sources.includes(thing) && targets.includes(other) ? [{ edge, isInverse: false }] : []),
        ...(sources.includes(other) && targets.includes(thing) ? [{ edge, isInverse: true }] : []),
      ]);
      const [only, ...more] = joining;
      return only === undefined || more.length > 0 ? null : only;
    });
}
