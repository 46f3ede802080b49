/** Finds the names in the values of a table, a column at a time: what one value leaves open, the others tell. */
import type { Span } from "../../../../domain/graph.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { type FoundEntity, nameAt } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import { isGivenName } from "../types/glossary/given-names.ts";
import { readFieldNames } from "./field-names.ts";
import type { RecordField, TextTable } from "./find-records.ts";

/** A value of a record with the names in it, offsets into the document. */
export interface NamedField {
  /** In small letters; of a record that is no row, with the small words before the name. */
  readonly key: string;
  readonly entities: readonly FoundEntity[];
}

/** Of what a key says in so many words. */
const CONFIDENCE = 0.9;
/** What is not settled, or no longer so. */
const unsettled =
  /\b(?:former|previous|proposed|planned|possible|potential|prospective|rejected|declined|expected|ex)\b/i;
/** "Feld, Jon", "Feld, Jon (Dr)". */
const inverted = /^(\p{Lu}[^,;|()\d]{0,40}), (\p{Lu}[^,;|()\d]{0,40}?)(?: \([^()]{1,20}\))?$/u;

/** For each column the value of each record; null where the record has none. */
export function readColumns(table: TextTable, passage: Passage): readonly (readonly (NamedField | null)[])[] {
  const width = Math.max(...table.records.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) => {
    const fields = table.records.map((record) => record[column]);
    const texts = fields.map((field) => (field === undefined ? "" : textOf(field, passage)));
    const areInverted = table.hasColumns && arePeopleInverted(texts);
    return fields.map((field, row) => {
      if (field === undefined || texts[row] === "") return null;
      return readField(field, { text: texts[row] ?? "", hasColumns: table.hasColumns, areInverted, passage });
    });
  });
}

/** Lists, as of registers: all values have two parts, and the second ones are mostly given names. */
function arePeopleInverted(texts: readonly string[]): boolean {
  const told = texts.filter((text) => text !== "");
  const parts = told.flatMap((text) => inverted.exec(text)?.[2] ?? []);
  const given = parts.filter((part) => isGivenName(part.split(" ", 1)[0]?.toLowerCase() ?? ""));
  return parts.length === told.length && 2 * given.length > told.length;
}

interface FieldContext {
  readonly text: string;
  readonly hasColumns: boolean;
  readonly areInverted: boolean;
  readonly passage: Passage;
}

function readField(field: RecordField, { text, hasColumns, areInverted, passage }: FieldContext): NamedField {
  const start = passage.start + field.start;
  const key = field.key.toLowerCase();
  if (unsettled.test(key)) return { key, entities: [] };
  if (areInverted) {
    const entity = personAt(text, start, passage);
    return { key, entities: entity === null ? [] : [entity] };
  }
  const { lead, names } = readFieldNames(text, start);
  const full = hasColumns ? key : `${key} ${lead}`.trim();
  if (unsettled.test(lead)) return { key: full, entities: [] };
  return { key: full, entities: names.flatMap((span) => entityAt(passage, span) ?? []) };
}

/** "Feld, Jon" is Jon Feld. */
function personAt(text: string, start: number, passage: Passage): FoundEntity | null {
  const [, family, given] = inverted.exec(text) ?? [];
  if (family === undefined || given === undefined) return null;
  const entity = entityAt(passage, { start, end: start + family.length + given.length + 2 });
  const name = `${given} ${family}`;
  return entity === null ? null : { ...entity, name, key: normalizeName(name) };
}

function textOf({ start, end }: Span, passage: Passage): string {
  return passage.textOf({ start: passage.start + start, end: passage.start + end });
}

/** null for what is no name. */
export function entityAt(passage: Passage, span: Span): FoundEntity | null {
  const named = nameAt(passage, span);
  const sentence = passage.sentences.find(({ start, end }) => start <= span.start && span.start < end);
  if (named === null || sentence === undefined) return null;
  const from = sentence.tokens.findIndex(({ end }) => end > span.start);
  const to = sentence.tokens.findLastIndex(({ start }) => start < span.end) + 1;
  if (from < 0 || to <= from) return null;
  const place = { ...span, from, to, kind: "proper" as const, variantOf: null };
  return { ...place, ...named, sentence: sentence.index, type: "", confidence: CONFIDENCE };
}
