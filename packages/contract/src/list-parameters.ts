import { z } from "zod";
import { expecting, integerParameter, kindOf } from "./fields.ts";

const MAX_OFFSET = 10_000;
const MAX_SEARCH_CHARACTERS = 200;
/** Code units of a document's id. */
const MAX_ID_CHARACTERS = 1_024;

const documentOffset = { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 };
/** The count of a graph list stops at the same offset. */
const graphOffset = { min: 0, max: MAX_OFFSET, fallback: 0 };

/** A text parameter of a query string; absent or empty means none. A repeated parameter (an array) is an error. */
function textParameter(maxCharacters = MAX_SEARCH_CHARACTERS) {
  const expected = `at most ${maxCharacters} characters`;
  return z
    .unknown()
    .transform((value, context) => {
      if (value === null || value === "") return null;
      const fault =
        typeof value === "string" ? faultOf(value, maxCharacters) : `${kindOf(value)}, expected one value`;
      if (fault === null && typeof value === "string") return value;
      context.addIssue({ code: "custom", message: `${fault}, expected ${expected}` });
      return z.NEVER;
    })
    .prefault(null)
    .meta({ type: "string", maxLength: maxCharacters });
}

function faultOf(text: string, maxCharacters: number): string | null {
  if (text.length > maxCharacters) return `has ${text.length} characters`;
  return text.includes("\0") || !text.isWellFormed() ? "has characters that no text has" : null;
}

/** A text parameter that must be given. */
function requiredTextParameter(expected: string) {
  return textParameter()
    .transform((value, context) => {
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: `missing, expected ${expected}` });
      return z.NEVER;
    })
    .meta({ type: "string", minLength: 1, maxLength: MAX_SEARCH_CHARACTERS });
}

export function choiceParameter<const Choice extends string, const Fallback extends Choice | null>(
  choices: readonly Choice[],
  fallback: Fallback,
) {
  return z
    .unknown()
    .transform((value, context): Choice | Fallback => {
      if (value === null) return fallback;
      const chosen = choices.find((choice) => choice === value);
      if (chosen !== undefined) return chosen;
      context.addIssue({ code: "custom", message: `expected one of ${choices.join(", ")}` });
      return z.NEVER;
    })
    .prefault(null)
    .meta({ type: "string", enum: [...choices] });
}

function dayParameter() {
  return z
    .unknown()
    .transform((value, context) => {
      if (value === null) return null;
      if (typeof value === "string" && z.iso.date().safeParse(value).success) return value;
      context.addIssue({ code: "custom", message: "expected a day in UTC such as 2031-04-09" });
      return z.NEVER;
    })
    .prefault(null)
    .meta({ type: "string", format: "date" });
}

const asOfExpected = "a year, month or day from 1000 to 2999 such as 2031, 2031-04 or 2031-04-09";
const AS_OF = /^[12]\d{3}(?:-\d{2}(?:-\d{2})?)?$/;

/** Whether it names a year from 1000 to 2999, or a month or day of one: the times that are read from texts. */
function isPeriod(text: string): boolean {
  const day = `${text}-01-01`.slice(0, 10);
  return AS_OF.test(text) && z.iso.date().safeParse(text.length === 7 ? `${text}-01` : day).success;
}

/** A time of which facts are asked, or from or until which one holds. */
export const asOfField = z
  .string(expecting(asOfExpected))
  .refine(isPeriod, { error: (issue) => `got ${JSON.stringify(issue.input)}, expected ${asOfExpected}` })
  .meta({ pattern: AS_OF.source })
  .nullish()
  .transform((value) => value ?? null);

export const documentListParameters = z.object({
  search: textParameter(),
  status: choiceParameter(["indexed", "replacing", "pending", "running", "failed"], null),
  sort: choiceParameter(["source_doc_id", "updated_at"], "source_doc_id"),
  order: choiceParameter(["asc", "desc"], "asc"),
  limit: integerParameter({ min: 1, max: 1000, fallback: 100 }),
  offset: integerParameter(documentOffset),
});

export const entityListParameters = z.object({
  search: textParameter(),
  type: textParameter(),
  as_of: asOfField,
  limit: integerParameter({ min: 1, max: 500, fallback: 100 }),
  offset: integerParameter(graphOffset),
});

/** `limit` is the number of relationships returned with the entity. */
export const entityParameters = z.object({
  limit: integerParameter({ min: 1, max: 500, fallback: 100 }),
  include: choiceParameter(["associations"], null),
  as_of: asOfField,
});

export const relationshipListParameters = z.object({
  type: textParameter(),
  entity_id: textParameter(),
  as_of: asOfField,
  limit: integerParameter({ min: 1, max: 500, fallback: 100 }),
  offset: integerParameter(graphOffset),
});

/** Those of relationships; the times of a proposal are less sure than itself. */
export const proposalListParameters = relationshipListParameters.omit({ as_of: true });

export const associationListParameters = z.object({
  entity_id: requiredTextParameter("the id of an entity"),
  limit: integerParameter({ min: 1, max: 500, fallback: 100 }),
  offset: integerParameter(graphOffset),
});

export const graphOverviewParameters = z.object({
  document: textParameter(MAX_ID_CHARACTERS),
  as_of: asOfField,
  limit: integerParameter({ min: 1, max: 10_000, fallback: 300 }),
});

export const graphPathParameters = z.object({
  from: requiredTextParameter("the id of an entity"),
  to: requiredTextParameter("the id of an entity"),
});

export const unrelatedListParameters = z.object({
  type: textParameter(),
  limit: integerParameter({ min: 1, max: 500, fallback: 100 }),
  offset: integerParameter(graphOffset),
});

export const graphExportParameters = z.object({
  format: choiceParameter(["jsonld", "graphml", "csv"], "jsonld"),
  /** Used for CSV only, because a CSV file holds one kind of row. */
  part: choiceParameter(["entities", "relationships", "associations", "proposals"], "entities"),
  as_of: asOfField,
});

export const graphFitParameters = z.object({ limit: integerParameter({ min: 1, max: 1000, fallback: 100 }) });

export const usageParameters = z.object({ from: dayParameter(), to: dayParameter() });
