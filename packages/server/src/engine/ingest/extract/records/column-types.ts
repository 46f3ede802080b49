/**
 * Describes how likely a column of a table has things of a node type, in numbers: what its name says, what its values look like, and whether another
 * type or another column fits better. The weights are learned from real tables (evals/records/fit.ts).
 */
import { scoreColumnType } from "./column-weights.ts";
import { isNeutral, type ReadColumn } from "./read-columns.ts";

export const TYPE_FEATURES = [
  ..."like says looks looksUnnamed typeLead columnLead best".split(" "),
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

/**
 * In time by the number of columns squared and the types beside each type.
 * @param beside for each node type the types that an edge type joins with it
 */
export function describeColumnTypes(
  columns: readonly ReadColumn[],
  { beside, hasColumns }: { readonly beside: readonly ReadonlySet<number>[]; readonly hasColumns: boolean },
): TypedColumns {
  const fits = columns.map((column) => (column.values.isNamed ? fitsOf(column) : null));
  const { column: about, type: aboutType } = subjectOf(columns, { fits, beside });
  const best = beside.map((_, type) => topTwo(fits.map((fit) => fit?.[type] ?? 0)));
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
        neutral ? 0 : (column.meaning.types[type] ?? 0),
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

interface SubjectContext {
  readonly fits: readonly (Float32Array | null)[];
  readonly beside: readonly ReadonlySet<number>[];
}

/** The column, and its type, with which the other columns fit best what edge types join with it. */
function subjectOf(columns: readonly ReadColumn[], { fits, beside }: SubjectContext) {
  let best = { column: -1, type: -1, sum: Number.NEGATIVE_INFINITY };
  for (const [column, { values, key }] of columns.entries()) {
    const own = fits[column];
    if (own == null) continue;
    const few = [...own.keys()].sort((a, b) => own[b]! - own[a]! || a - b).slice(0, TYPES_TRIED);
    for (const type of few) {
      const others = fits.reduce((sum, fit, other) => {
        if (fit == null || other === column) return sum;
        let most = 0;
        for (const one of beside[type] ?? []) most = Math.max(most, fit[one]!);
        return sum + most;
      }, 0);
      const bonus = (values.distinct >= LEAST_DISTINCT ? 1 : 0) + (isNeutral(key) ? 1 : 0);
      const sum = own[type]! + others + bonus;
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

function topTwo(values: readonly number[]): { readonly first: number; readonly second: number } {
  let [first, second] = [0, 0];
  for (const value of values) {
    if (value > first) [first, second] = [value, first];
    else second = Math.max(second, value);
  }
  return { first, second };
}
