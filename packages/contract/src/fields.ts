import { z } from "zod";

/** The offset of the first lone surrogate of a text in UTF-16 code units; -1 when the text is well formed. */
export function loneSurrogateAt(text: string): number {
  if (text.isWellFormed()) return -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) at++;
    else return at;
  }
  return -1;
}

/** Describes the type of a value for an error message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "got null";
  if (Array.isArray(value)) return "got an array";
  if (typeof value === "object") return "got an object";
  if (typeof value === "number" && !Number.isInteger(value)) return `got the number ${value}`;
  return `got a ${typeof value}`;
}

/** The `error` option of a Zod schema: the message says what the value is and what is expected. */
export function expecting(expected: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => `${kindOf(issue.input)}, expected ${expected}` };
}

export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}

/** Any character except white space and format characters (Unicode category Cf). */
const VISIBLE = /[^\s\p{Cf}]/u;

/**
 * Patterns of the OpenAPI document: not blank, and for names without NUL. They allow format characters alone, because many
 * generators do not know Unicode categories.
 */
export const TEXT_PATTERN = "\\S";
export const NAME_PATTERN = "^\\s*[^\\s\\u0000][^\\u0000]*$";

/** The first fault that any text of a request can have: blank or not well formed; null when there is none. */
export function textFault(text: string, expected: string): string | null {
  if (!VISIBLE.test(text)) return `is blank, expected ${expected}`;
  const lone = loneSurrogateAt(text);
  if (lone >= 0) return `has a lone surrogate at offset ${lone}, expected well-formed Unicode`;
  return null;
}

/** A name or an id: not blank, well formed, without NUL, at most `max` characters (code points). */
export function nameField(max: number) {
  const expected = `a string of 1 to ${max} characters, not blank`;
  return z
    .string(expecting(expected))
    .superRefine((text, context) => {
      const fault =
        textFault(text, expected) ??
        (text.includes("\0") ? `has a NUL character at offset ${text.indexOf("\0")}, expected none` : null) ??
        (codePoints(text) > max ? `has ${codePoints(text)} characters, expected ${expected}` : null);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .meta({ minLength: 1, maxLength: max, pattern: NAME_PATTERN });
}

/** Text of any characters, NUL included: not blank, well formed, at most `maxBytes` in UTF-8. */
export function textField(maxBytes: number) {
  const expected = `a string of 1 to ${maxBytes} bytes in UTF-8, not blank`;
  return z
    .string(expecting(expected))
    .superRefine((text, context) => {
      const fault = textFault(text, expected);
      const bytes = fault === null ? Buffer.byteLength(text) : 0;
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
      else if (bytes > maxBytes) {
        context.addIssue({
          code: "custom",
          message: `has ${bytes} bytes, expected ${expected}`,
          params: { tooLarge: true },
        });
      }
    })
    .meta({ minLength: 1, pattern: TEXT_PATTERN });
}

/** An optional member; null means absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** An integer parameter of a query string, within a range. Without the parameter the result is `fallback`. */
export function integerParameter<Fallback extends number | null>(range: {
  min: number;
  max: number;
  fallback: Fallback;
}) {
  const expected =
    range.max === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${range.min}`
      : `an integer from ${range.min} to ${range.max}`;
  return z
    .unknown()
    .transform((value, context): number | Fallback => {
      if (value === null) return range.fallback;
      const number = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= range.min && number <= range.max) return number;
      const got = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kindOf(value);
      context.addIssue({ code: "custom", message: `got ${got.replace(/^got /, "")}, expected ${expected}` });
      return z.NEVER;
    })
    .prefault(null)
    .meta({ type: "integer", minimum: range.min, maximum: range.max });
}

/** Formats a path as `a.b[2].c`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += text === "" ? String(step) : `.${String(step)}`;
  }
  return text === "" ? "body" : text;
}

const MAX_REPORTED_FAULTS = 5;

/** Formats faults as `name: missing, expected …`, joined by "; ". Lists at most five and counts the others. */
export function describeFaults(error: z.ZodError): string {
  const reported = error.issues.slice(0, MAX_REPORTED_FAULTS);
  const shown = reported.map((issue) => `${pathText(issue.path)}: ${issue.message}`).join("; ");
  const rest = error.issues.length - MAX_REPORTED_FAULTS;
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}

/** Whether texts that are too large are the only faults of a body. */
export function isTooLarge(error: z.ZodError): boolean {
  return error.issues.every((issue) => issue.code === "custom" && issue.params?.["tooLarge"] === true);
}
