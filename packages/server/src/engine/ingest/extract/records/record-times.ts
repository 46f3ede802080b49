/** The times that a record has for its other fields: "In post since", "From", "Until". */
import type { Validity } from "../../../../domain/validity.ts";
import type { Passage } from "../facts/passage.ts";
import { periodOf } from "../facts/time-phrases.ts";
import { wordsOfName } from "../relations/word-forms.ts";
import type { TextRecord } from "./find-records.ts";

export interface TextField {
  readonly key: string;
  readonly text: string;
}

const begins = /\b(?:since|from|start(?:s|ed)?|began|begin(?:s|ning)?|joined|appointed|opened|launched)\b/i;
const ends = /\b(?:until|till|to|ends?|ended|left|closed|resigned|retired|withdrawn)\b/i;

/** The times of the field with a key. */
export type TimesOfKey = (key: string) => { readonly times?: Validity };

/** `timed`: keys of the fields, as words, that tell something that holds for a time. */
export function timesIn(record: TextRecord, timed: readonly string[], passage: Passage): TimesOfKey {
  const texts = record.map(({ key, start, end }) => {
    const text = passage.textOf({ start: passage.start + start, end: passage.start + end });
    return { key: wordsOfName(key), text };
  });
  return timesOfRecord(texts, { timed, documentDate: passage.documentDate });
}

interface TimeField extends Validity {
  /** Words of the key that say what begins or ends; none where it says only when. */
  readonly about: readonly string[];
}

/**
 * The times of a field by its key. A time whose key names a field is of that one, another one of the only field that tells something
 * that holds for a time (`timed`); of several it could be any.
 */
export function timesOfRecord(
  fields: readonly TextField[],
  { timed, documentDate }: { readonly timed: readonly string[]; readonly documentDate: string | null },
): TimesOfKey {
  const keys = fields.flatMap(({ key }) => wordsOfKey(key));
  const found = fields.flatMap((field) => timeOfField(field, documentDate) ?? []);
  return (key) => {
    const words = wordsOfKey(key);
    const mine = found.filter(({ about }) => {
      const named = about.filter((word) => keys.filter((other) => other === word).length > 1);
      return named.length > 0 ? named.some((word) => words.includes(word)) : timed.length === 1;
    });
    const validFrom = mine.find((time) => time.validFrom !== null)?.validFrom ?? null;
    const validTo = mine.find((time) => time.validTo !== null)?.validTo ?? null;
    const isForward = validFrom === null || validTo === null || validFrom <= `${validTo}~`;
    return mine.length > 0 && isForward ? { times: { validFrom, validTo } } : {};
  };
}

function timeOfField({ key, text }: TextField, documentDate: string | null): TimeField | null {
  const period = periodOf(text.trim(), documentDate);
  if (period === null) return null;
  const about = wordsOfKey(key.replace(begins, " ").replace(ends, " "));
  const { from: validFrom, to: validTo } = period;
  if (period.role === "range") return { validFrom, validTo, about };
  if (begins.test(key)) return { validFrom, validTo: null, about };
  return ends.test(key) ? { validFrom: null, validTo: validFrom, about } : null;
}

function wordsOfKey(key: string): readonly string[] {
  return key.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
