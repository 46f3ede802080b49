/** Converts the metadata conditions of the form to the filter of the API. */
import type { Query } from "@kcs/sdk";

export const relations = ["is", "atLeast", "atMost"] as const;

export interface Condition {
  readonly key: string;
  readonly relation: (typeof relations)[number];
  readonly value: string;
}

type MetadataFilter = NonNullable<NonNullable<Query["filter"]>["metadata"]>;

/**
 * The filter has, for each key, the values of its `is` conditions, otherwise its bounds. Metadata values are texts or
 * numbers, and users type both in the same way, so `1931` matches either. Conditions without key or value are ignored.
 * null when no condition is left.
 */
export function metadataFilter(conditions: readonly Condition[]): MetadataFilter | null {
  const byKey = Map.groupBy(conditions.filter(isComplete), ({ key }) => key.trim());
  if (byKey.size === 0) return null;
  return Object.fromEntries([...byKey].map(([key, own]) => [key, valuesOf(own) ?? boundsOf(own)]));
}

/** Why a condition is not valid; null when it is valid or incomplete. */
export function conditionFault(condition: Condition, all: readonly Condition[]): string | null {
  const { key, relation, value } = condition;
  if (relation === "is" || !isComplete(condition)) return null;
  if (numberIn(value) === null) return "Enter a number.";
  const hasExactValue = all.some(
    (other) => other.relation === "is" && isComplete(other) && other.key.trim() === key.trim(),
  );
  return hasExactValue ? `“${key.trim()}” already has an exact value.` : null;
}

function isComplete({ key, value }: Condition): boolean {
  return key.trim() !== "" && value.trim() !== "";
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] | null {
  const values = conditions
    .filter(({ relation }) => relation === "is")
    .flatMap(({ value }) => interpretations(value));
  return values.length === 0 ? null : [...new Set(values)];
}

function interpretations(value: string): readonly (string | number)[] {
  const number = numberIn(value);
  return number === null ? [value.trim()] : [value.trim(), number];
}

function boundsOf(conditions: readonly Condition[]): { gte?: number; lte?: number } {
  const bounds: { gte?: number; lte?: number } = {};
  for (const { relation, value } of conditions) {
    const number = numberIn(value);
    if (number === null) continue;
    if (relation === "atLeast") bounds.gte = Math.max(number, bounds.gte ?? number);
    else bounds.lte = Math.min(number, bounds.lte ?? number);
  }
  return bounds;
}

function numberIn(value: string): number | null {
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) ? number : null;
}
