/** The metadata of documents: strings and numbers by key. */
import { z } from "zod";
import { codePoints, kindOf, loneSurrogateAt, textFault } from "./fields.ts";

export const METADATA_LIMITS = { keys: 32, keyCharacters: 64, stringCharacters: 512 } as const;

export type MetadataValue = string | number;

/** Receives a fault: the message says what was found and what is expected; `path` is relative to the value being read. */
export type Report = (message: string, path?: readonly PropertyKey[]) => void;

const keyExpected = `keys of 1 to ${METADATA_LIMITS.keyCharacters} characters, not blank, without control characters`;
const largest = Number.MAX_SAFE_INTEGER;

/** For the OpenAPI document, like `METADATA_VALUE_SCHEMA`. */
export const METADATA_KEY_SCHEMA = {
  minLength: 1,
  maxLength: METADATA_LIMITS.keyCharacters,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
} as const;

export const METADATA_VALUE_SCHEMA = {
  type: ["string", "number"],
  maxLength: METADATA_LIMITS.stringCharacters,
  minimum: -largest,
  maximum: largest,
} as const;

export const numberExpected = `a number within ±${largest}`;
export const valueExpected = `a string of at most ${METADATA_LIMITS.stringCharacters} characters or ${numberExpected}`;

/**
 * A schema for a value that `read` parses by hand. Needed where the client chooses the keys: Zod's records silently
 * drop a key such as `__proto__`.
 */
export function readField<T>(read: (value: unknown, report: Report) => T) {
  return z.unknown().transform((value, context): T => {
    let isValid = true;
    const result = read(value, (message, path = []) => {
      isValid = false;
      context.addIssue({ code: "custom", message, path: [...path] });
    });
    return isValid ? result : z.NEVER;
  });
}

/** The optional `metadata` of a document, empty when it is absent. -0 becomes 0. */
export function metadataField() {
  return readField((value, report): Readonly<Record<string, MetadataValue>> => {
    if (value === null) return {};
    const entries = readEntries(value, "an object of strings and numbers", report);
    for (const [key, member] of entries) {
      const fault = valueFault(member);
      if (fault !== null) report(fault, [key]);
    }
    // Without a fault all values are strings or numbers. `fromEntries` also creates a member `__proto__`.
    return Object.fromEntries(entries.map(([key, member]) => [key, plainValue(member as MetadataValue)]));
  })
    .prefault(null)
    .meta({
      type: ["object", "null"],
      maxProperties: METADATA_LIMITS.keys,
      propertyNames: METADATA_KEY_SCHEMA,
      additionalProperties: METADATA_VALUE_SCHEMA,
    });
}

/** The members of an object whose keys are valid metadata keys. Reports a fault and returns none for any other value. */
export function readEntries(
  value: unknown,
  expected: string,
  report: Report,
): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) {
    report(`${kindOf(value)}, expected ${expected}`);
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length > METADATA_LIMITS.keys) {
    report(`has ${entries.length} keys, expected at most ${METADATA_LIMITS.keys}`);
    return [];
  }
  return entries.filter(([key]) => {
    const fault = keyFault(key);
    if (fault !== null) report(`key ${JSON.stringify(key.slice(0, 40))} ${fault}`);
    return fault === null;
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keyFault(key: string): string | null {
  const control = key.search(/\p{Cc}/u);
  if (control >= 0) return `has a control character at offset ${control}, expected ${keyExpected}`;
  const fault = textFault(key, keyExpected);
  if (fault !== null) return fault;
  const length = codePoints(key);
  return length > METADATA_LIMITS.keyCharacters ? `has ${length} characters, expected ${keyExpected}` : null;
}

/** The fault of a metadata value; null when it is a valid string or number. */
export function valueFault(value: unknown): string | null {
  if (typeof value === "string") return stringFault(value);
  return numberFault(value, valueExpected);
}

function stringFault(text: string): string | null {
  const lone = loneSurrogateAt(text);
  if (lone >= 0) return `has a lone surrogate at offset ${lone}, expected well-formed Unicode`;
  if (text.includes("\0")) return `has a NUL character at offset ${text.indexOf("\0")}, expected none`;
  const length = codePoints(text);
  return length > METADATA_LIMITS.stringCharacters
    ? `has ${length} characters, expected ${valueExpected}`
    : null;
}

/** Numbers beyond the safe integers are refused: different numbers in a request's text would become the same value. */
export function numberFault(value: unknown, expected: string): string | null {
  if (typeof value !== "number") return `${kindOf(value)}, expected ${expected}`;
  return Math.abs(value) <= largest ? null : `got the number ${value}, expected ${expected}`;
}

/** Turns -0 into 0. */
export function plainValue<T extends MetadataValue>(value: T): T {
  return value === 0 ? (0 as T) : value; // Only a number equals 0.
}
