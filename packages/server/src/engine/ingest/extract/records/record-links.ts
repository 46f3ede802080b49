/** Reads tables and lines of "key: value" as relationships of an ontology: which columns tell an edge type, and what each row says. */

import type { Span } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { FoundEntity } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import { type EdgeProfile, profileEdges } from "../relations/edge-profile.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import type { Embed } from "../vectors.ts";
import { type Explained, explainKeys, linkBlock } from "./block-links.ts";
import {
  type ColumnPair,
  choosePairs,
  describeColumnPairs,
  type ScoredPair,
  type TypedTable,
} from "./column-pairs.ts";
import { describeColumnTypes, endsOfTypes, type TypedColumns, type TypeEnd } from "./column-types.ts";
import { scoreColumnPair } from "./column-weights.ts";
import { findTables, type TextTable } from "./find-records.ts";
import { createKeyReader } from "./key-meaning.ts";
import { type NamedKeyContext, readNamedKeys, type TypesOf } from "./named-keys.ts";
import { type ColumnValues, type ReadColumn, readColumns } from "./read-columns.ts";
import { timesIn } from "./record-times.ts";

/** Less likely pairs of columns are not even proposed. */
const LEAST_SCORE = 0.1;
/** What the words of the names do not say is only proposed: in held out tables too little of the likeliest was right (evals/records). */
const MOST_SCORE = 0.9;

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
  const readTable = await createColumnReader(schema, embed);
  return async (passage, typesOf) => {
    const relations: JoinedRelation[] = [];
    const covered: Span[] = [];
    for (const table of findTables(passage.textOf(passage), passage.table)) {
      await turn?.();
      const read = await readTable(table, passage, typesOf);
      const told = table.hasColumns ? linkRows(table, read) : await linkBlocks(table, read);
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

interface ReadTable extends Omit<TypedTable, keyof TypedColumns> {
  readonly ends: readonly (readonly TypeEnd[])[];
  readonly context: NamedKeyContext;
}

/** Describes what the columns of a table may tell. */
export async function createColumnReader(schema: OntologySchema, embed: Embed) {
  const stem = createTriggerStem();
  const edges: readonly EdgeProfile[] = profileEdges(schema, stem);
  const keys = await createKeyReader(schema, { embed, edges, stem });
  const ends = endsOfTypes(schema.nodeTypes.length, edges);
  return async (table: TextTable, passage: Passage, typesOf: TypesOf): Promise<ReadTable> => {
    const columns: ReadColumn[] = [];
    for (const values of readColumns(table, passage)) {
      const key = values.fields.find((field) => field !== null)?.key ?? "";
      const shares = meanShares(values, schema.nodeTypes.length, typesOf);
      columns.push({ key, values, meaning: await keys(key), shares });
    }
    return {
      columns,
      edges,
      ends,
      hasColumns: table.hasColumns,
      context: { schema, edges, passage, typesOf, keys },
    };
  };
}

function meanShares({ fields }: ColumnValues, types: number, typesOf: TypesOf): Float32Array {
  const sums = new Float32Array(types);
  let count = 0;
  for (const field of fields) {
    const entity = field?.entities[0];
    const shares = entity === undefined ? null : typesOf(entity);
    if (shares === null) continue;
    count++;
    for (let type = 0; type < types; type++) sums[type]! += shares[type]!;
  }
  return count === 0 ? sums : sums.map((sum) => sum / count);
}

async function linkBlocks(table: TextTable, read: ReadTable): Promise<readonly JoinedRelation[]> {
  const { columns, context } = read;
  const relations: JoinedRelation[] = [];
  // A block has one record.
  for (const record of table.records) {
    const values = columns.map(({ values: { fields } }) => fields[0] ?? null);
    relations.push(...linkBlock(record, columns, context));
    relations.push(...(await readNamedKeys(record, values, context)));
  }
  return relations;
}

function linkRows(table: TextTable, read: ReadTable): readonly JoinedRelation[] {
  const { columns, context } = read;
  const { schema, passage } = context;
  const typed = { ...read, ...describeColumnTypes(columns, read) };
  const scored = describeColumnPairs(typed)
    .map((pair): ScoredPair => ({ ...pair, score: scoreColumnPair(pair.features) }))
    .filter(({ score }) => score >= LEAST_SCORE);
  const chosen = choosePairs([...scored]);
  const explained = explainKeys(columns, context);
  const edgeOf = ({ edge }: ScoredPair) => schema.edgeTypes[edge]!; // Of the schema's edge types.
  const timed = chosen.filter((pair) => edgeOf(pair).temporal).map((pair) => laterKey(pair, columns));
  return table.records.flatMap((record, row) => {
    const timesFor = timesIn(record, timed, passage);
    const namesOf = (column: number, type: number) =>
      (columns[column]?.values.fields[row]?.entities ?? []).map((entity): FoundEntity => {
        return { ...entity, type: schema.nodeTypes[type]?.name ?? "" };
      });
    return chosen.flatMap((pair) => {
      const edge = edgeOf(pair);
      const times = edge.temporal ? timesFor(laterKey(pair, columns)) : {};
      const read = isSaid(pair, explained)
        ? { confidence: explained?.score ?? 0, extractor: "record" as const }
        : { confidence: Math.min(pair.score, MOST_SCORE), extractor: "table" as const };
      const targets = namesOf(pair.target, pair.targetType);
      return namesOf(pair.source, pair.sourceType).flatMap((source) =>
        targets.flatMap((target): readonly JoinedRelation[] => {
          const { sentence } = target;
          if (source.key === target.key) return [];
          return [{ type: edge.name, source, target, sentence, ...read, ...times }];
        }),
      );
    });
  });
}

/** Whether the names of the columns say the same in so many words. */
function isSaid({ source, target, edge }: ScoredPair, explained: Explained | null): boolean {
  if (explained === null) return false;
  const [forth, back] = [explained.links[target], explained.links[source]];
  if (source === explained.subject) return forth?.edgeIndex === edge && !forth.isInverse;
  return target === explained.subject && back?.edgeIndex === edge && back.isInverse;
}

/** Of the two columns the one that tells something of the other, which times are named after. */
function laterKey({ source, target }: ColumnPair, columns: readonly ReadColumn[]): string {
  return columns[Math.max(source, target)]?.key ?? "";
}
