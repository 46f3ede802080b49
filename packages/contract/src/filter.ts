/**
 * The filter of a query, which restricts it to some documents. A misspelt member is an error: if it were ignored, the
 * query would search all documents.
 */
import type { z } from "zod";
import { kindOf, NAME_PATTERN } from "./fields.ts";
import {
  isObject,
  METADATA_KEY_SCHEMA,
  METADATA_VALUE_SCHEMA,
  type MetadataValue,
  numberExpected,
  numberFault,
  plainValue,
  type Report,
  readEntries,
  readField,
  valueExpected,
  valueFault,
} from "./metadata.ts";

export const FILTER_LIMITS = { sourceDocIds: 1000, values: 100 } as const;

const bounds = ["gt", "gte", "lt", "lte"] as const;

export type FilterRange = Readonly<Partial<Record<(typeof bounds)[number], number>>>;

/** A condition after parsing: a single value has become a list with one item. */
export type FilterCondition =
  | { readonly key: string; readonly anyOf: readonly MetadataValue[] }
  | { readonly key: string; readonly range: FilterRange };

export interface Filter {
  /** null = all documents. */
  readonly source_doc_id: readonly string[] | null;
  readonly metadata: readonly FilterCondition[];
}

const sourceDocIdSchema = { type: "string", minLength: 1, pattern: NAME_PATTERN } as const;

/** For the OpenAPI document: the values that `filterField` accepts. */
const FILTER_AS_JSON_SCHEMA = {
  type: ["object", "null"],
  properties: {
    source_doc_id: {
      anyOf: [
        sourceDocIdSchema,
        { type: "array", items: sourceDocIdSchema, minItems: 1, maxItems: FILTER_LIMITS.sourceDocIds },
        { type: "null" },
      ],
    },
    metadata: {
      type: ["object", "null"],
      propertyNames: METADATA_KEY_SCHEMA,
      additionalProperties: {
        anyOf: [
          METADATA_VALUE_SCHEMA,
          { type: "array", items: METADATA_VALUE_SCHEMA, minItems: 1, maxItems: FILTER_LIMITS.values },
          {
            type: "object",
            properties: Object.fromEntries(bounds.map((bound) => [bound, { type: "number" }])),
            minProperties: 1,
            additionalProperties: false,
          },
        ],
      },
    },
  },
  additionalProperties: false,
} as const;

const valuesExpected = `an array of 1 to ${FILTER_LIMITS.values} values`;
const conditionExpected = `${valueExpected}, ${valuesExpected}, or an object with gt, gte, lt or lte`;

/** An optional filter; null when it is absent or has no condition. `sourceDocId` is the schema of a single id. */
export function filterField(sourceDocId: z.ZodType<string>) {
  return readField((value, report): Filter | null => {
    if (value === null) return null;
    if (!isObject(value)) {
      report(`${kindOf(value)}, expected an object with source_doc_id or metadata`);
      return null;
    }
    const unknown = unknownMember(value, ["source_doc_id", "metadata"]);
    if (unknown !== null) report(unknown);
    const ids = readSourceDocIds(value["source_doc_id"], {
      sourceDocId,
      report: below("source_doc_id", report),
    });
    const metadata = readConditions(value["metadata"], below("metadata", report));
    return ids === null && metadata.length === 0 ? null : { source_doc_id: ids, metadata };
  })
    .prefault(null)
    .meta(FILTER_AS_JSON_SCHEMA);
}

function below(step: PropertyKey, report: Report): Report {
  return (message, path = []) => report(message, [step, ...path]);
}

function unknownMember(value: Readonly<Record<string, unknown>>, known: readonly string[]): string | null {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return null;
  return `got an unknown member ${JSON.stringify(unknown.slice(0, 40))}, expected ${known.join(", ")}`;
}

function readSourceDocIds(
  value: unknown,
  { sourceDocId, report }: { sourceDocId: z.ZodType<string>; report: Report },
): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const items = itemsOf(value, { limit: FILTER_LIMITS.sourceDocIds, report });
  const ids = items.flatMap(([item, reportItem]) => {
    const result = sourceDocId.safeParse(item);
    if (result.success) return [result.data];
    for (const issue of result.error.issues) reportItem(issue.message);
    return [];
  });
  return [...new Set(ids)];
}

/** The items of an array, or a single value as the only item, each with the `Report` for its faults. */
function itemsOf(
  value: unknown,
  { limit, report }: { limit: number; report: Report },
): readonly (readonly [item: unknown, report: Report])[] {
  if (!Array.isArray(value)) return [[value, report]];
  const expected = `an array of 1 to ${limit} items`;
  if (value.length === 0) report(`is empty, expected ${expected}`);
  else if (value.length > limit) report(`has ${value.length} items, expected ${expected}`);
  else return value.map((item, index) => [item, below(index, report)]);
  return [];
}

function readConditions(value: unknown, report: Report): readonly FilterCondition[] {
  if (value === undefined || value === null) return [];
  const entries = readEntries(value, "an object from keys to values", report);
  return entries.map(([key, member]) => {
    const reportMember = below(key, report);
    return isObject(member)
      ? { key, range: readRange(member, reportMember) }
      : { key, anyOf: readValues(member, reportMember) };
  });
}

function readValues(value: unknown, report: Report): readonly MetadataValue[] {
  if (typeof value !== "string" && typeof value !== "number" && !Array.isArray(value)) {
    report(`${kindOf(value)}, expected ${conditionExpected}`);
    return [];
  }
  const items = itemsOf(value, { limit: FILTER_LIMITS.values, report });
  const values = items.flatMap(([item, reportItem]) => {
    const fault = valueFault(item);
    if (fault === null) return [plainValue(item as MetadataValue)]; // `valueFault` found none.
    reportItem(fault);
    return [];
  });
  return [...new Set(values)];
}

function readRange(value: Readonly<Record<string, unknown>>, report: Report): FilterRange {
  // null does not mean absent here: JSON writes NaN and infinity as null.
  const entries = bounds.map((bound) => [bound, value[bound]] as const);
  const given = entries.filter(([, limit]) => limit !== undefined);
  const unknown = unknownMember(value, bounds);
  if (unknown !== null) report(unknown);
  else if (given.length === 0) report(`has no bound, expected at least one of ${bounds.join(", ")}`);
  for (const [bound, limit] of given) {
    const fault = numberFault(limit, numberExpected);
    if (fault !== null) report(fault, [bound]);
  }
  // Where a limit is not a number, a fault was reported and this result is discarded.
  return Object.fromEntries(given.map(([bound, limit]) => [bound, plainValue(limit as number)]));
}
