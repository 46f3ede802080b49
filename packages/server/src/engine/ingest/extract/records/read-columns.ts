/** Finds the names in the values of a table, a column at a time: what one value leaves open, the others tell. */
import type { Span } from "../../../../domain/graph.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { type FoundEntity, nameAt } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import { periodOf } from "../facts/time-phrases.ts";
import { wordsOfName } from "../relations/word-forms.ts";
import { isGivenName } from "../types/glossary/given-names.ts";
import { readFieldNames } from "./field-names.ts";
import type { TextTable } from "./find-records.ts";
import type { KeyMeaning } from "./key-meaning.ts";
import { type Piece, splitAt } from "./pieces.ts";

/** A value of a record with the names in it, offsets into the document. */
export interface NamedField {
  /** As words in small letters; of a record that is no row, with the small words before the name. */
  readonly key: string;
  readonly entities: readonly FoundEntity[];
}

export interface ColumnValues {
  /** Of each record; null where it has none. */
  readonly fields: readonly (NamedField | null)[];
  /** Of each record the normal form of its first name, else ""; then the values of some other rows of the table. */
  readonly keys: readonly string[];
  /** Different names, as a share of all. */
  readonly distinct: number;
  /** Most values that are there are names. */
  readonly isNamed: boolean;
}

/** A column of a table or a field of a single record, with what its key and its values say. */
export interface ReadColumn {
  /** As words in small letters; "" of a title. */
  readonly key: string;
  readonly values: ColumnValues;
  readonly meaning: KeyMeaning;
  /** Mean shares of the values' types. */
  readonly shares: Float32Array;
}

/** Of what a key says in so many words. */
const CONFIDENCE = 0.9;
const MAX_UNITS = 120;
/** Fewer rows do not tell how a column is written. */
const LEAST_ROWS = 3;
/** Of the values that are written in a way. */
const LEAST_SHARE = { inverted: 0.7, given: 0.3, places: 0.6 } as const;
/** What is not settled, or no longer so. */
const unsettled =
  /\b(?:former|previous|proposed|planned|possible|potential|prospective|rejected|declined|expected|ex)\b/i;
/** "Feld, Jon", "Feld, Jon (Dr)", "van der Feld, Jon". */
const inverted =
  /^((?:\p{Ll}{1,5}[ '’]){0,3}\p{Lu}[^,;|()\d]{0,40}), (\p{Lu}[^,;|()\d]{0,40}?)(?: \([^()]{1,20}\))?$/u;
const codes = /^[^\s,;]{1,40}(?:,[^\s,;]{1,40}){1,60}$/;
/** "[Orrick][1]", "[Orrick](https://…)". */
const link = /^\[([^\][]{1,120})\](?:\[[^\][]{0,120}\]|\([^()]{0,300}\))?$/;
const address = /^(?:https?:|www\.|mailto:)|^\S{1,80}@\S{1,80}$/i;

/** How the values of a column are written. */
type Form = "inverted" | "places" | "plain";

export function readColumns(table: TextTable, passage: Passage): readonly ColumnValues[] {
  const width = Math.max(...table.records.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) => {
    const cells = table.records.map((record) => {
      const field = record[column];
      const start = passage.start + (field?.start ?? 0);
      const text = field === undefined ? "" : passage.textOf({ start, end: passage.start + field.end });
      return { key: wordsOfName(field?.key ?? ""), text, start, end: start + text.length };
    });
    const others = table.others.map((row) => row[column] ?? "");
    const form = table.hasColumns ? formOf([...cells.map(({ text }) => text), ...others]) : "plain";
    const fields = cells.map((cell) =>
      cell.text === "" ? null : readField(cell, { form, hasColumns: table.hasColumns, passage }),
    );
    const named = fields.map((field) => field?.entities[0]?.key ?? "");
    const count = fields.filter((field) => field !== null).length;
    const isNamed = 2 * named.filter((key) => key !== "").length > count;
    const keys = [...named, ...others.map((text) => normalizeName(text.slice(0, MAX_UNITS)))];
    const told = keys.filter((key) => key !== "");
    const distinct = told.length === 0 ? 0 : new Set(told).size / told.length;
    return { fields, keys, distinct, isNamed };
  });
}

/** People as in registers, if most values have two parts and some second ones are given names; else places within others, if most values have as many parts. */
function formOf(texts: readonly string[]): Form {
  const told = texts.filter((text) => text !== "");
  const second = told.flatMap((text) => inverted.exec(text)?.[2] ?? []);
  const given = second.filter((part) => isGivenName(part.split(" ", 1)[0]?.toLowerCase() ?? ""));
  const isMostGiven = given.length > LEAST_SHARE.given * second.length;
  // "France" is a given name, too.
  if (isMostGiven && second.length > LEAST_SHARE.inverted * told.length && new Set(given).size > 1)
    return "inverted";
  const counts = told.map((text) => text.split(", ").length).filter((count) => count > 1);
  const isMost = told.length >= LEAST_ROWS && counts.length > LEAST_SHARE.places * told.length;
  return isMost && new Set(counts).size === 1 ? "places" : "plain";
}

interface FieldContext {
  readonly form: Form;
  readonly hasColumns: boolean;
  readonly passage: Passage;
}

interface Cell extends Piece {
  readonly key: string;
}

function readField(cell: Cell, { form, hasColumns, passage }: FieldContext): NamedField {
  const { key, text, start } = cell;
  if (unsettled.test(key) || address.test(text) || periodOf(text, null) !== null)
    return { key, entities: [] };
  const person = form === "inverted" ? personAt(text, start, passage) : null;
  if (person !== null) return { key, entities: [person] };
  const entitiesAt = (spans: readonly Span[]) => spans.flatMap((span) => entityAt(passage, span) ?? []);
  if (codes.test(text)) return { key, entities: entitiesAt(splitAt(cell, /,/g)) };
  const linked = link.exec(text);
  const shown = linked?.[1] ?? text;
  const first = form === "places" ? (shown.split(", ", 1)[0] ?? "") : shown;
  const { lead, names } = readFieldNames(first, linked === null ? start : start + 1);
  if (unsettled.test(lead)) return { key, entities: [] };
  return { key: hasColumns ? key : `${key} ${lead}`.trim(), entities: entitiesAt(names) };
}

/** "Feld, Jon" is Jon Feld. */
function personAt(text: string, start: number, passage: Passage): FoundEntity | null {
  const [, family, given] = inverted.exec(text) ?? [];
  if (family === undefined || given === undefined) return null;
  const entity = entityAt(passage, { start, end: start + family.length + given.length + 2 });
  const name = `${given} ${family}`;
  return entity === null ? null : { ...entity, name, key: normalizeName(name) };
}

/** null for what is no name. */
export function entityAt(passage: Passage, span: Span): FoundEntity | null {
  const named = nameAt(passage, span);
  const sentence = passage.sentences.find(({ start, end }) => start <= span.start && span.start < end);
  if (named === null || sentence === undefined) return null;
  const from = sentence.tokens.findIndex(({ end }) => end > span.start);
  const to = sentence.tokens.findLastIndex(({ start }) => start < span.end) + 1;
  if (from < 0 || to <= from) return null;
  const place = { start: span.start, end: span.end, from, to, kind: "proper" as const, variantOf: null };
  return { ...place, ...named, sentence: sentence.index, type: "", confidence: CONFIDENCE };
}
