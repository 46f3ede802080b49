/**
 * Encodes metadata as terms of a dictionary: the key, a zero byte, then "s" and a string, or "n" and a number
 * in 16 hex digits that sort like the numbers. All numbers of a key are therefore adjacent and ascending.
 */
import type { Metadata, MetadataValue, NumberRange } from "../../domain/metadata.ts";

/** In UTF-16 code units: twice the service's limits, which count characters. */
const MAX_KEY_LENGTH = 128;
const MAX_STRING_LENGTH = 1024;

/**
 * The terms of a document's metadata, one per key. Throws a RangeError on values that the index cannot
 * distinguish: keys with zero bytes, keys and strings that are not well-formed Unicode, numbers that are not
 * finite; also on keys of more than 128 and strings of more than 1,024 UTF-16 code units.
 */
export function metadataTerms(metadata: Metadata): string[] {
  return Object.entries(metadata).map(([key, value]) => {
    const term = metadataTerm(key, value);
    if (term === null) throw new RangeError(`metadata ${JSON.stringify(key)} cannot be indexed`);
    return term;
  });
}

/** The term of a value; null if no document can have that value. */
export function metadataTerm(key: string, value: MetadataValue): string | null {
  if (!isKey(key)) return null;
  if (typeof value === "number") return Number.isFinite(value) ? `${key}\0n${sortableHex(value)}` : null;
  return value.length <= MAX_STRING_LENGTH && value.isWellFormed() ? `${key}\0s${value}` : null;
}

function isKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && key.isWellFormed() && !key.includes("\0");
}

/**
 * Sets the sign bit of a positive number and inverts all bits of a negative one, so that the bits sort like
 * the numbers.
 */
function sortableHex(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  // Adding 0 turns −0 into 0.
  view.setFloat64(0, value + 0);
  const isNegative = view.getUint8(0) > 0x7f;
  const high = view.getUint32(0) ^ (isNegative ? 0xffff_ffff : 0x8000_0000);
  const low = view.getUint32(4) ^ (isNegative ? 0xffff_ffff : 0);
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Terms from `first` (inclusive) to `last` (exclusive), in the order of their bytes. */
export interface TermRange {
  readonly first: string;
  readonly last: string;
}

/** The range of terms of a key's numbers that satisfy all bounds; null if no number can. */
export function termRange(key: string, { gt, gte, lt, lte }: NumberRange): TermRange | null {
  if (!isKey(key) || [gt, gte, lt, lte].some(Number.isNaN)) return null;
  const term = (bound: number) => `${key}\0n${sortableHex(bound)}`;
  // The immediate successor of a term is the term followed by a zero byte. These strings differ only in hex
  // digits, which sort like their bytes.
  const first = [`${key}\0n`];
  const last = [`${key}\0o`];
  if (gt !== undefined) first.push(`${term(gt)}\0`);
  if (gte !== undefined) first.push(term(gte));
  if (lt !== undefined) last.push(term(lt));
  if (lte !== undefined) last.push(`${term(lte)}\0`);
  const range = { first: first.sort().at(-1) ?? "", last: last.sort()[0] ?? "" };
  return range.first < range.last ? range : null;
}
