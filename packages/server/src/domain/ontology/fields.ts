/** Reads JSON of any shape member by member; what does not hold becomes a fault and a default. */
import { type FaultList, placeOf, quoted } from "./faults.ts";

/** A value, where it stands, and where its faults go. */
export interface Field {
  readonly value: unknown;
  readonly place: string;
  readonly faults: FaultList;
}

/** A string that holds, and its place. */
export interface Named {
  readonly name: string;
  readonly place: string;
}

/** Anything but white space and characters that only format what stands beside them. */
const VISIBLE = /[^\s\p{Cf}]/u;

const IGNORED_IN_NAMES = /[\s\p{Cf}]/gu;

/** Two names with the same key differ only in case, spaces or in how Unicode spells them. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").replace(IGNORED_IN_NAMES, "").toLowerCase();
}

/** The member `name` of an object's field; its value is undefined where there is none. */
export function member(field: Field, name: string): Field {
  const { value } = field;
  const own = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: own, place: placeOf(field.place, name), faults: field.faults };
}

/** The member at a dotted path of plain names. */
export function memberAt(field: Field, path: string): Field {
  return path.split(".").reduce(member, field);
}

export function isAbsent(field: Field): boolean {
  return field.value === undefined || field.value === null;
}

/** Whether a field holds an object; a fault where it does not. */
export function requireObject(field: Field, expected: string): boolean {
  const isFit = isObject(field.value);
  if (!isFit) addUnexpected(field, expected);
  return isFit;
}

/** The first `max` members of an object in the order of JSON.parse; null, with a fault, for anything else. */
export function readMembers(
  field: Field,
  options: { expected: string; max: number },
): readonly (readonly [string, Field])[] | null {
  const { value, place, faults } = field;
  const { expected, max } = options;
  if (!isObject(value)) {
    addUnexpected(field, expected);
    return null;
  }
  return Object.keys(value)
    .slice(0, max)
    .map((name) => [name, { value: value[name], place: placeOf(place, name), faults }] as const);
}

/** The items of an array, at most `max`; none, with a fault, for anything else. */
export function readItems(field: Field, options: { expected: string; max: number }): readonly Field[] {
  const { value, place, faults } = field;
  const { expected, max } = options;
  if (!Array.isArray(value)) {
    addUnexpected(field, expected);
    return [];
  }
  const items: readonly unknown[] = value;
  if (items.length > max) {
    faults.add("shape", place, () => `has ${items.length} items, expected at most ${max}`);
  }
  return items.slice(0, max).map((item, at) => ({ value: item, place: `${place}[${at}]`, faults }));
}

/** A list that may be left out or null. */
export function readOptionalItems(
  field: Field,
  options: { expected: string; max: number },
): readonly Field[] {
  return isAbsent(field) ? [] : readItems(field, options);
}

/** A string of 1 to `max` characters that has something visible; null, with a fault, for anything else. */
export function readName(field: Field, options: { expected: string; max: number }): string | null {
  const { value, place, faults } = field;
  if (typeof value !== "string") {
    addUnexpected(field, options.expected);
    return null;
  }
  const fault = nameFault(value, options);
  if (fault !== null) faults.add("name", place, () => fault);
  return fault === null ? value : null;
}

/** What is wrong with a string as a name; null when nothing is. */
export function nameFault(name: string, options: { expected: string; max: number }): string | null {
  if (name.length > 2 * options.max || codePoints(name) > options.max) {
    return `${quoted(name)} is too long, expected at most ${options.max} characters`;
  }
  if (!VISIBLE.test(name)) return `is blank, expected ${options.expected}`;
  if (name.includes("\0")) return `${quoted(name)} has a NUL character`;
  if (!name.isWellFormed()) return `${quoted(name)} has a lone surrogate, expected well-formed Unicode`;
  return null;
}

/** An optional list of names, each different from the others in more than case or spaces. */
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
      names.push({ name, place: entry.place });
    } else entry.faults.add("name", entry.place, () => repeated(name, earlier));
  }
  return names;
}

/** An optional text of at most `max` characters; "" where it is left out or does not hold. */
export function readText(field: Field, max: number): string {
  const { value, place, faults } = field;
  if (isAbsent(field)) return "";
  if (typeof value !== "string") {
    addUnexpected(field, "a string");
    return "";
  }
  if (value.length <= max) return value;
  faults.add("shape", place, () => `has ${value.length} characters, expected at most ${max}`);
  return "";
}

/** True or false, false where it is left out or does not hold. */
export function readFlag(field: Field): boolean {
  if (!isAbsent(field) && typeof field.value !== "boolean") addUnexpected(field, "true or false");
  return field.value === true;
}

/** Longest name of anything in an ontology, in code points. */
export const NAME_CHARACTERS = 200;

export function addUnexpected(field: Field, expected: string): void {
  field.faults.add("shape", field.place, () => `${kindOf(field.value)}, expected ${expected}`);
}

/** Says that a name is there already, or nearly. */
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
