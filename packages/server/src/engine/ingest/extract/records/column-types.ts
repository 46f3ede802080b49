/**
 * Describes how likely a column of a table has things of a node type, in numbers: what its name says, what its values look like, and whether another
 * type or another column fits better. The weights are learned from real tables (evals/records/fit.ts).
 */
import type { EdgeProfile } from "../relations/edge-profile.ts";
import { scoreColumnType } from "./column-weights.ts";
import { isNeutral } from "./field-names.ts";
import type { ReadColumn } from "./read-columns.ts";

export const TYPE_FEATURES = [
  ..."like looks looksUnnamed typeLead columnLead best".split(" "),
  ..."neutral subject besideSubject distinct record".split(" "),
] as const;

/** For each node type, in the order of the schema. */
export interface ColumnTypes {
  /** In the order of `TYPE_FEATURES`; empty for a column that has no names. */
  readonly features: readonly (readonly number[])[];
  /** Log odds; lowest for a column that has no names. */
  readonly logits: readonly number[];
}

const NONE = -10;
/** Of a column so many of its likeliest types are tried. */
const TYPES_TRIED = 3;
/** Of the values of a column that names what a table is about. */
const LEAST_DISTINCT = 0.8;

export interface TypedColumns {
  readonly types: readonly ColumnTypes[];
  /** The column that names what the table is about; -1 where none has names. */
  readonly about: number;
}

/** An end of an edge type that may be of a node type. */
export interface TypeEnd {
  /** Index into the schema's edge types. */
  readonly edge: number;
  readonly isSource: boolean;
}

/** For each node type the ends that it may be; as many as the edge types list types. */
export function endsOfTypes(types: number, edges: readonly EdgeProfile[]): readonly (readonly TypeEnd[])[] {
  const ends = Array.from({ length: types }, (): TypeEnd[] => []);
  for (const [edge, { sources, targets }] of edges.entries()) {
    for (const type of sources) ends[type]?.push({ edge, isSource: true });
    for (const type of targets) ends[type]?.push({ edge, isSource: false });
  }
  return ends;
}

interface TypeContext {
  readonly edges: readonly EdgeProfile[];
  readonly ends: readonly (readonly TypeEnd[])[];
  readonly hasColumns: boolean;
}

/** In time by the number of columns, times that of columns and the types that the edge types list. */
export function describeColumnTypes(
  columns: readonly ReadColumn[],
  { edges, ends, hasColumns }: TypeContext,
): TypedColumns {
  const fits = columns.map((column) => (column.values.isNamed ? fitsOf(column) : null));
  const { column: about, type: aboutType } = subjectOf(columns, { fits, edges, ends });
  const best = ends.map((_, type) => topTwo(fits.map((fit) => fit?.[type] ?? 0)));
  const types = columns.map((column, at): ColumnTypes => {
    const fit = fits[at];
    if (fit == null) return { features: [], logits: [...column.shares.map(() => NONE)] };
    const isSubject = at === about;
    // What the table is about is in one column: elsewhere its type is no rival.
    const own = topTwo([...fit].filter((_, type) => isSubject || type !== aboutType));
    const neutral = isNeutral(column.key);
    const features = [...column.shares].map((share, type) => {
      const { first, second } = best[type] ?? { first: 0, second: 0 };
      return [
        neutral ? 0 : likeness(column.meaning.likeTypes[type] ?? 0),
        share,
        neutral ? share : 0,
        fit[type]! - (fit[type] === own.first ? own.second : own.first),
        fit[type]! - (fit[type] === first ? second : first),
        Number(isSubject && type === aboutType),
        Number(neutral),
        Number(isSubject),
        Number(!isSubject && type === aboutType),
        column.values.distinct,
        Number(!hasColumns),
      ];
    });
    return { features, logits: features.map(scoreColumnType) };
  });
  return { types, about };
}

interface SubjectContext extends Omit<TypeContext, "hasColumns"> {
  readonly fits: readonly (Float32Array | null)[];
}

/** The column, and its type, with which the other columns fit best what edge types join with it. */
function subjectOf(columns: readonly ReadColumn[], { fits, edges, ends }: SubjectContext) {
  const most = (fit: Float32Array, types: readonly number[]) =>
    types.reduce((best, type) => Math.max(best, fit[type]!), 0);
  const bestEnds = fits.map((fit) =>
    fit === null
      ? []
      : edges.map(({ sources, targets }) => ({ source: most(fit, sources), target: most(fit, targets) })),
  );
  let best = { column: -1, type: -1, sum: Number.NEGATIVE_INFINITY };
  for (const [column, { values, key }] of columns.entries()) {
    const own = fits[column];
    if (own == null) continue;
    const few = [...own.keys()].sort((a, b) => own[b]! - own[a]! || a - b).slice(0, TYPES_TRIED);
    const bonus = (values.distinct >= LEAST_DISTINCT ? 1 : 0) + (isNeutral(key) ? 1 : 0);
    for (const type of few) {
      let sum = own[type]! + bonus;
      for (const [other, fit] of bestEnds.entries()) {
        if (other === column) continue;
        // The best of what an edge type joins with the type.
        sum += (ends[type] ?? []).reduce((top, { edge, isSource }) => {
          return Math.max(top, (isSource ? fit[edge]?.target : fit[edge]?.source) ?? 0);
        }, 0);
      }
      if (sum > best.sum) best = { column, type, sum };
    }
  }
  return best;
}

/** What the name of the column and its values say of each type. */
function fitsOf(column: ReadColumn): Float32Array {
  return column.shares.map((share, type) => share + likenessOf(column, type));
}

/** How much a column is called like a type, 0…1. */
function likenessOf({ key, meaning }: ReadColumn, type: number): number {
  if (isNeutral(key)) return 0;
  return Math.max(meaning.types[type] ?? 0, likeness(meaning.likeTypes[type] ?? 0));
}

/** Cosines below say nothing. */
function likeness(cosine: number): number {
  return Math.max(0, Math.min(1, (cosine - 0.3) / 0.5));
}

/** The highest value, and the next one of another place; at least 0. */
export function topTwo(values: readonly number[]): { readonly first: number; readonly second: number } {
  let [first, second] = [0, 0];
  for (const value of values) {
    if (value > first) [first, second] = [value, first];
    else second = Math.max(second, value);
  }
  return { first, second };
}
