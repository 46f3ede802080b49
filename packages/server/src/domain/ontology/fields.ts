/**
 * Reads JSON of unknown shape member by member. An invalid value is added to
 * the faults and replaced by a default.
 */
import { type FaultList, memberPath, quoted } from "./faults.ts";

/** A value, its path, and the list that its faults are added to. */
export interface Field {
  readonly value: unknown;
  readonly path: string;
  readonly faults: FaultList;
}

/** A valid name and its path. */
export interface Named {
  readonly name: string;
  readonly path: string;
}

/** Any character except white space and format characters, such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;

const IGNORED_IN_NAMES = /[\s\p{Cf}]/gu;

/** Names with the same key differ only in case, spaces or Unicode representation. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").replace(IGNORED_IN_NAMES, "").toLowerCase();
}

/** The member `name` of an object; its value is undefined when the member does not exist. */
export function member(field: Field, name: string): Field {
  const { value } = field;
  const own = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: own, path: memberPath(field.path, name), faults: field.faults };
}

/** The nested member under a dotted path of plain names. */
export function memberAt(field: Field, dottedPath: string): Field {
  return dottedPath.split(".").reduce(member, field);
}

export function isAbsent(field: Field): boolean {
  return field.value === undefined || field.value === null;
}

/** Whether the value is an object; adds a fault when it is not. */
export function requireObject(field: Field, expected: string): boolean {
  const isValid = isObject(field.value);
  if (!isValid) addUnexpected(field, expected);
  return isValid;
}

/** The first `max` members of an object in the order of JSON.parse; null and a fault for any other value. */
export function readMembers(
  field: Field,
  options: { expected: string; max: number },
): readonly (readonly [string, Field])[] | null {
  const { value, path, faults } = field;
  const { expected, max } = options;
  if (!isObject(value)) {
    addUnexpected(field, expected);
    return null;
  }
  return Object.keys(value)
    .slice(0, max)
    .map((name) => [name, { value: value[name], path: memberPath(path, name), faults }] as const);
}

/**
 * The first `max` items of an array, and a fault if there are more; no items and a fault for any other value.
 */
export function readItems(field: Field, options: { expected: string; max: number }): readonly Field[] {
  const { value, path, faults } = field;
  const { expected, max } = options;
  if (!Array.isArray(value)) {
    addUnexpected(field, expected);
    return [];
  }
  const items: readonly unknown[] = value;
  if (items.length > max) {
    faults.add("shape", path, () => `has ${items.length} items, expected at most ${max}`);
  }
  return items.slice(0, max).map((item, index) => ({ value: item, path: `${path}[${index}]`, faults }));
}

/** Like `readItems` for an array that may be absent or null. */
export function readOptionalItems(
  field: Field,
  options: { expected: string; max: number },
): readonly Field[] {
  return isAbsent(field) ? [] : readItems(field, options);
}

interface NameOptions {
  readonly expected: string;
  /** In code points. */
  readonly max: number;
  /** Whether it is a text, which may have lines and other control characters. Default: false. */
  readonly hasLines?: boolean;
}

/** A string of 1 to `max` characters, at least one of them visible; null and a fault for any other value. */
export function readName(field: Field, options: NameOptions): string | null {
  const { value, path, faults } = field;
  if (typeof value !== "string") {
    addUnexpected(field, options.expected);
    return null;
  }
  const fault = nameFault(value, options);
  if (fault !== null) faults.add("name", path, () => fault);
  return fault === null ? value : null;
}

/** What no name of a graph can have, in PostgreSQL or on a terminal. */
const CONTROL = /\p{Cc}/u;

/** Why a string is not a valid name; null when it is. */
export function nameFault(name: string, options: NameOptions): string | null {
  if (name.length > 2 * options.max || codePoints(name) > options.max) {
    return `${quoted(name)} is too long, expected at most ${options.max} characters`;
  }
  if (!VISIBLE.test(name)) return `is blank, expected ${options.expected}`;
  if (name.includes("\0")) return `${quoted(name)} has a NUL character`;
  if (options.hasLines !== true && CONTROL.test(name)) return `${quoted(name)} has a control character`;
  if (!name.isWellFormed()) return `${quoted(name)} has a lone surrogate, expected well-formed Unicode`;
  return null;
}

/**
 * An optional array of names. A name that differs from an earlier one only in case
 * or spaces is left out with a fault.
 */
export function readNames(field: Field, options: { expected: string; max: number; item: string }): Named[] {
  const { item, max } = options;
  const names: Named[] = [];
  const seen = new Map<string, string>();
  for (const entry of readOptionalItems(field, { expected: options.expected, max })) {
    const name = readName(entry, { expected: item, max: NAME_CHARACTERS });
    if (name === null) continue;
    const key = nameKey(name);
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, name);
      names.push({ name, path: entry.path });
    } else entry.faults.add("name", entry.path, () => repeated(name, earlier));
  }
  return names;
}

/** An optional text of at most `max` UTF-16 code units; "" when it is absent or invalid. */
export function readText(field: Field, max: number): string {
  const { value, path, faults } = field;
  if (isAbsent(field)) return "";
  if (typeof value !== "string") {
    addUnexpected(field, "a string");
    return "";
  }
  if (value.length <= max) return value;
  faults.add("shape", path, () => `has ${value.length} characters, expected at most ${max}`);
  return "";
}

/** An optional boolean; false when it is absent or invalid. */
export function readFlag(field: Field): boolean {
  if (!isAbsent(field) && typeof field.value !== "boolean") addUnexpected(field, "true or false");
  return field.value === true;
}

/** Longest name of anything in an ontology, in code points. */
export const NAME_CHARACTERS = 200;

export function addUnexpected(field: Field, expected: string): void {
  field.faults.add("shape", field.path, () => `${kindOf(field.value)}, expected ${expected}`);
}

/** Message for a name that equals an earlier one, or differs from it only in case or spaces. */
export function repeated(name: string, earlier: string): string {
  return name === earlier
    ? `${quoted(name)} is repeated`
    : `${quoted(name)} differs from ${quoted(earlier)} only in case or spaces`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "got null";
  if (Array.isArray(value)) return "got an array";
  if (typeof value === "object") return "got an object";
  return typeof value === "number" ? `got the number ${value}` : `got a ${typeof value}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
