/** Reads the fields of records as relationships of an ontology: the key says what the value is, and of what. */

import type { Span } from "../../../../domain/graph.ts";
import { checkFact, type EdgeType, type OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import { type EdgeProfile, profileEdges } from "../relations/edge-profile.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import type { Embed } from "../vectors.ts";
import { findTables, type TextRecord, type TextTable } from "./find-records.ts";
import { createKeyReader, isNaming, type KeyMeaning } from "./key-meaning.ts";
import { type NamedKeyContext, readNamedKeys, type TypesOf } from "./named-keys.ts";
import { type NamedField, readColumns } from "./read-columns.ts";
import { timesOfRecord } from "./record-times.ts";

/** Least evidence, in words that the key shares with a type. */
const LEAST_SCORE = 0.4;
/** By how much the best reading of a field is ahead of the next one. */
const LEAST_LEAD = 0.1;
/** Of a title, or a name without another word, and of what the values of a column look like. */
const WEIGHTS = { neutral: 0.5, values: 0.5 } as const;

export interface RecordReading {
  readonly relations: readonly JoinedRelation[];
  /** Whether a part of the passage belongs to a record: no sentence of prose. */
  covers(span: Span): boolean;
}

export type RecordReader = (passage: Passage, typesOf: TypesOf) => Promise<RecordReading>;

/** `turn`: called between tables. */
export async function createRecordReader(
  schema: OntologySchema,
  embed: Embed,
  turn?: () => Promise<void>,
): Promise<RecordReader> {
  const stem = createTriggerStem();
  const edges = profileEdges(schema, stem);
  const keys = await createKeyReader(schema, { embed, edges, stem });
  return async (passage, typesOf) => {
    const relations: JoinedRelation[] = [];
    const covered: Span[] = [];
    for (const table of findTables(passage.textOf(passage), passage.columns)) {
      await turn?.();
      const told = await readTable(table, { schema, edges, passage, typesOf, keys });
      relations.push(...told);
      // "Note: …" is a sentence.
      const isRecord = table.records.some((fields) => fields.filter(({ key }) => key !== "").length > 1);
      if (told.length > 0 || isRecord) covered.push(table);
    }
    return {
      relations,
      covers: ({ start, end }) =>
        covered.some((table) => table.start + passage.start < end && start < table.end + passage.start),
    };
  };
}

interface TableContext extends NamedKeyContext {
  readonly edges: readonly EdgeProfile[];
}

/** A column of a table or a field of a single record, with what its key and its values say. */
interface ReadColumn {
  readonly key: string;
  readonly meaning: KeyMeaning;
  /** Mean shares of the values' types. */
  readonly shares: Float32Array;
  /** For each node type that the record's subject may be. */
  readonly links: readonly (ColumnLink | null)[];
}

interface ColumnLink {
  readonly edge: EdgeType;
  readonly otherType: string;
  /** The record's subject is the edge's target. */
  readonly isInverse: boolean;
  readonly score: number;
}

async function readTable(table: TextTable, context: TableContext): Promise<readonly JoinedRelation[]> {
  const { passage, typesOf, keys, schema } = context;
  const fields = readColumns(table, passage);
  const columns: ReadColumn[] = [];
  for (const values of fields) {
    const key = values.find((value) => value !== null)?.key ?? "";
    const meaning = await keys(key);
    const shares = meanShares(values, schema.nodeTypes.length, typesOf);
    const links = linksOf({ meaning, shares }, context);
    columns.push({ key, meaning, shares, links });
  }
  const subject = subjectOf(columns, fields);
  const relations: JoinedRelation[] = [];
  for (const [row, record] of table.records.entries()) {
    const values = fields.map((column) => column[row] ?? null);
    if (subject !== null) relations.push(...linkRecord(record, { columns, values, subject, context }));
    if (!table.hasColumns) relations.push(...(await readNamedKeys(record, values, context)));
  }
  return relations;
}

function meanShares(values: readonly (NamedField | null)[], types: number, typesOf: TypesOf): Float32Array {
  const sums = new Float32Array(types);
  let count = 0;
  for (const [entity] of values.flatMap((value) => (value === null ? [] : [value.entities]))) {
    const shares = entity === undefined ? null : typesOf(entity);
    if (shares === null) continue;
    count++;
    for (let type = 0; type < types; type++) sums[type]! += shares[type]!;
  }
  return count === 0 ? sums : sums.map((sum) => sum / count);
}

interface Subject {
  readonly column: number;
  readonly type: number;
  /** How much of the table the ontology explains. */
  readonly explained: number;
}

/** The column, and its type, by which the other columns tell the most; earlier columns, and what is called a name, first. */
function subjectOf(
  columns: readonly ReadColumn[],
  fields: readonly (readonly (NamedField | null)[])[],
): Subject | null {
  const isFilled = (at: number) => {
    const told = fields[at]?.filter((value) => value !== null) ?? [];
    return 2 * told.filter(({ entities }) => entities.length === 1).length > told.length;
  };
  const named = columns.findIndex(({ key }, at) => isNaming(key) && isFilled(at));
  const first = columns.findIndex((_, at) => isFilled(at));
  const at = named >= 0 ? named : first;
  const column = columns[at];
  if (column === undefined) return null;
  const isNeutral = column.key === "" || isNaming(column.key);
  let best: Subject | null = null;
  for (const [type, share] of column.shares.entries()) {
    const said = Math.max(column.meaning.types[type] ?? 0, isNeutral ? WEIGHTS.neutral : 0);
    if (said === 0) continue;
    const links = columns.reduce(
      (sum, { links }, other) => (other === at ? sum : sum + (links[type]?.score ?? 0)),
      0,
    );
    const explained = said + WEIGHTS.values * share + links;
    if (explained > (best?.explained ?? 0)) best = { column: at, type, explained };
  }
  return best;
}

interface RecordContext {
  readonly columns: readonly ReadColumn[];
  readonly values: readonly (NamedField | null)[];
  readonly subject: Subject;
  readonly context: TableContext;
}

function linkRecord(
  record: TextRecord,
  { columns, values, subject, context }: RecordContext,
): readonly JoinedRelation[] {
  const { schema } = context;
  const [entity, ...more] = values[subject.column]?.entities ?? [];
  if (entity === undefined || more.length > 0) return [];
  const subjectType = schema.nodeTypes[subject.type]?.name ?? "";
  const links = columns.map(({ links }, at) =>
    at === subject.column ? null : (links[subject.type] ?? null),
  );
  const timed = columns.filter((_, at) => links[at]?.edge.temporal === true).map(({ key }) => key);
  const timesFor = timesOf(record, timed, context.passage);
  return values.flatMap((value, at) => {
    const link = links[at];
    if (link == null || value === null) return [];
    return value.entities.flatMap((other): readonly JoinedRelation[] => {
      const [mine, its] = [
        { ...entity, type: subjectType },
        { ...other, type: link.otherType },
      ];
      const [source, target] = link.isInverse ? [its, mine] : [mine, its];
      const fact = { type: link.edge.name, sourceType: source.type, targetType: target.type };
      if (source.key === target.key || checkFact(schema, fact) !== "fits") return [];
      // The more of a record the ontology explains, the surer is each of its fields.
      const confidence = subject.explained / (1 + subject.explained);
      const { sentence } = other;
      return [
        {
          type: link.edge.name,
          source,
          target,
          sentence,
          confidence,
          extractor: "record",
          ...timesFor(value.key),
        },
      ];
    });
  });
}

function timesOf(record: TextRecord, timed: readonly string[], passage: Passage) {
  const texts = record.map(({ key, start, end }) => {
    const text = passage.textOf({ start: passage.start + start, end: passage.start + end });
    return { key: key.toLowerCase(), text };
  });
  return timesOfRecord(texts, { timed, documentDate: passage.documentDate });
}

/**
 * For each node type that the record's subject may be of the relationship that a column tells; null where none or several fit. In time by the
 * edge types' lists of types.
 */
function linksOf(
  { meaning, shares }: Pick<ReadColumn, "meaning" | "shares">,
  { schema, edges }: TableContext,
): readonly (ColumnLink | null)[] {
  const best = schema.nodeTypes.map((): ColumnLink | null => null);
  const second = new Float64Array(best.length);
  for (const [index, { edge, sources, targets }] of edges.entries()) {
    for (const isInverse of [false, true]) {
      const [own, others] = isInverse ? [targets, sources] : [sources, targets];
      const { at, score, next } = topTwo(others, (type) => {
        const said = (meaning.types[type] ?? 0) + (meaning.edges[index] ?? 0);
        return said === 0 ? 0 : said + WEIGHTS.values * shares[type]!;
      });
      const otherType = schema.nodeTypes[at]?.name;
      if (otherType === undefined || score <= 0) continue;
      const link = { edge, otherType, isInverse, score };
      for (const type of own) {
        const before = best[type]?.score ?? 0;
        second[type] = score > before ? Math.max(before, next) : Math.max(second[type]!, score);
        if (score > before) best[type] = link;
      }
    }
  }
  return best.map((link, type) =>
    link === null || link.score < LEAST_SCORE || link.score - second[type]! < LEAST_LEAD ? null : link,
  );
}

/** The first of the types with the highest score, and the highest score of the others. */
function topTwo(types: readonly number[], scoreOf: (type: number) => number) {
  let top = { at: -1, score: Number.NEGATIVE_INFINITY, next: Number.NEGATIVE_INFINITY };
  for (const at of types) {
    const score = scoreOf(at);
    if (score > top.score) top = { at, score, next: top.score };
    else if (score > top.next) top.next = score;
  }
  return top;
}
