/**
 * Describes how likely two columns of a table tell an edge type, in numbers: how well they fit its types, what their names say, and how their values
 * go together. The weights are learned from real tables (evals/records/fit.ts).
 */
import type { EdgeProfile } from "../relations/edge-profile.ts";
import { type TypedColumns, topTwo } from "./column-types.ts";
import { isNeutral } from "./field-names.ts";
import type { ColumnValues, ReadColumn } from "./read-columns.ts";

/** Of two columns one is the subject, whose things the other one tells something of. */
export const PAIR_FEATURES = [
  ..."subjectType otherType leastType".split(" "),
  ..."otherLike otherTextLead subjectSays".split(" "),
  ..."ofSubject otherTells rivals otherDistinct record sameType".split(" "),
] as const;

/** An edge type between two columns, with its types: indexes into the table and the schema. */
export interface ColumnPair {
  readonly source: number;
  readonly target: number;
  readonly edge: number;
  readonly sourceType: number;
  readonly targetType: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly features: readonly number[];
}

export interface ScoredPair extends ColumnPair {
  readonly score: number;
}

/** Of a column so many of its likeliest types are tried. */
const TYPES_TRIED = 3;
/** Log odds below which a column is not of a type. */
const LEAST_TYPE = -4;

export interface TypedTable extends TypedColumns {
  readonly columns: readonly ReadColumn[];
  readonly edges: readonly EdgeProfile[];
  readonly hasColumns: boolean;
}

type Candidate = Omit<ColumnPair, "features">;

/** Of a table so many are compared: of more, those of the edge types that are most like a column's name. */
const MAX_CANDIDATES = 10_000;

/** In time by the number of columns squared and the types of the edge types. */
export function* describeColumnPairs(table: TypedTable): Generator<ColumnPair> {
  const together = Map.groupBy(candidatesOf(table), ({ source, target }) =>
    [source, target].sort((a, b) => a - b).join(" "),
  );
  for (const rivals of together.values()) {
    const read = readRivals(rivals, table.columns);
    for (const pair of rivals) yield { ...pair, features: featuresOf(pair, read, table) };
  }
}

interface End {
  readonly column: number;
  readonly type: number;
}

/** The columns that may be the ends of an edge type. */
interface Fitting {
  readonly edge: number;
  readonly sources: readonly End[];
  readonly targets: readonly End[];
}

/** In the order of the edge types. */
function candidatesOf({ types, edges, columns }: TypedTable): readonly Candidate[] {
  const tried = types.map(({ logits }) => {
    const likely = [...logits.keys()].filter((type) => logits[type]! > LEAST_TYPE);
    return likely.sort((a, b) => logits[b]! - logits[a]! || a - b).slice(0, TYPES_TRIED);
  });
  const endsOf = (allowed: readonly number[]): readonly End[] => {
    const known = new Set(allowed);
    return tried.flatMap((few, column) => {
      const type = few.find((one) => known.has(one));
      return type === undefined ? [] : [{ column, type }];
    });
  };
  const fitting = edges.map((profile, edge): Fitting => {
    return { edge, sources: endsOf(profile.sources), targets: endsOf(profile.targets) };
  });
  return fewOf(fitting, columns).flatMap(({ edge, sources, targets }) =>
    sources.flatMap(({ column: source, type: sourceType }) =>
      targets.flatMap(({ column: target, type: targetType }): readonly Candidate[] =>
        source === target ? [] : [{ source, target, edge, sourceType, targetType }],
      ),
    ),
  );
}

/** At most `MAX_CANDIDATES`, those first that are called most like a column. */
function fewOf(fitting: readonly Fitting[], columns: readonly ReadColumn[]): readonly Fitting[] {
  const sizeOf = ({ sources, targets }: Fitting) => sources.length * targets.length;
  if (fitting.reduce((sum, each) => sum + sizeOf(each), 0) <= MAX_CANDIDATES) return fitting;
  const likeness = fitting.map(({ edge }) => Math.max(...columns.map((column) => likeEdge(column, edge))));
  const likest = fitting.toSorted((a, b) => likeness[b.edge]! - likeness[a.edge]! || a.edge - b.edge);
  let room = MAX_CANDIDATES;
  const compared = new Set(
    likest.filter((each) => {
      room -= sizeOf(each);
      return room >= 0;
    }),
  );
  return fitting.filter((each) => compared.has(each));
}

/** How much the column's name says of the edge type, by whatever text. */
function likeEdge(column: ReadColumn, edge: number): number {
  if (isNeutral(column.key)) return 0;
  const { edges, likeEdges } = column.meaning;
  return Math.max(edges[edge] ?? 0, likeEdges[edge] ?? 0, likeText(column, edge));
}

/** Of two columns, what tells the edge types that fit them apart. */
interface Rivals {
  /** For each of the columns how its values tell those of the other, -1…1. */
  readonly tells: ReadonlyMap<number, number>;
  /** How often each edge type fits, and all of them together. */
  readonly counts: ReadonlyMap<number, number>;
  readonly all: number;
  /** For a column and an edge type: by how much its name is more like that one's description than like the others'. */
  textLead(column: number, edge: number): number;
}

function likeText({ key, meaning }: ReadColumn, edge: number): number {
  return isNeutral(key) ? 0 : (meaning.likeEdgeTexts[edge] ?? 0);
}

function readRivals(rivals: readonly Candidate[], columns: readonly ReadColumn[]): Rivals {
  const counts = new Map<number, number>();
  for (const { edge } of rivals) counts.set(edge, (counts.get(edge) ?? 0) + 1);
  const { source, target } = rivals[0]!; // Grouped, so there is one.
  const [one, two] = [columns[source]!.values, columns[target]!.values];
  const ends = [source, target];
  const best = new Map(
    ends.map((at) => [at, topTwo([...counts.keys()].map((edge) => likeText(columns[at]!, edge)))]),
  );
  return {
    tells: new Map([
      [source, tells(one, two)],
      [target, tells(two, one)],
    ]),
    counts,
    all: rivals.length,
    textLead(at, edge) {
      const { first, second } = best.get(at) ?? { first: 0, second: 0 };
      const own = likeText(columns[at]!, edge);
      return counts.size < 2 ? 0 : own - (own === first ? second : first);
    },
  };
}

function featuresOf(pair: Candidate, rivals: Rivals, table: TypedTable): readonly number[] {
  const { columns, types, about, hasColumns } = table;
  const { source, target, edge, sourceType, targetType } = pair;
  const [forth, back] = [rivals.tells.get(source) ?? 0, rivals.tells.get(target) ?? 0];
  const isInverse =
    source !== about && (target === about || back > forth || (back === forth && source > target));
  const [subject, other] = isInverse ? [target, source] : [source, target];
  const fit = [types[source]!.logits[sourceType]!, types[target]!.logits[targetType]!] as const;
  return [
    ...(isInverse ? fit.toReversed() : fit),
    Math.min(...fit),
    isNeutral(columns[other]!.key) ? 0 : (columns[other]!.meaning.likeEdges[edge] ?? 0),
    rivals.textLead(other, edge),
    columns[subject]!.meaning.edges[edge] ?? 0,
    Number(source === about || target === about),
    isInverse ? forth : back,
    Math.log1p(rivals.all - (rivals.counts.get(edge) ?? 0)),
    columns[other]!.values.distinct,
    Number(!hasColumns),
    Number(sourceType === targetType),
  ];
}

/** Whether equal values of the one go with equal values of the other: the share of repeated values that do, -1…1; 0 where none repeats. */
function tells(one: ColumnValues, other: ColumnValues): number {
  const seen = new Map<string, string>();
  let [repeated, equal] = [0, 0];
  for (const [row, key] of one.keys.entries()) {
    const told = other.keys[row] ?? "";
    if (key === "" || told === "") continue;
    const before = seen.get(key);
    if (before !== undefined) {
      repeated++;
      if (before === told) equal++;
    }
    seen.set(key, told);
  }
  return repeated === 0 ? 0 : 2 * (equal / repeated) - 1;
}

/** The likeliest first: two columns tell one edge type, an edge type is told once, and a column is of one type. */
export function choosePairs<Pair extends ScoredPair>(pairs: readonly Pair[]): readonly Pair[] {
  const chosen: Pair[] = [];
  const typeOf = new Map<number, number>();
  const isFree = ({ source, target, edge, sourceType, targetType }: Pair) =>
    (typeOf.get(source) ?? sourceType) === sourceType &&
    (typeOf.get(target) ?? targetType) === targetType &&
    !chosen.some(
      (one) =>
        one.edge === edge ||
        [one.source, one.target].every((column) => column === source || column === target),
    );
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    if (!isFree(pair)) continue;
    chosen.push(pair);
    typeOf.set(pair.source, pair.sourceType);
    typeOf.set(pair.target, pair.targetType);
  }
  return chosen;
}
