/** What is asked of documents' details, as the API takes it. */
import type { Query } from "@kcs/sdk";

export interface Condition {
  readonly key: string;
  readonly relation: "is" | "atLeast" | "atMost";
  readonly value: string;
}

type Wanted = NonNullable<NonNullable<Query["filter"]>["metadata"]>;

/**
 * By key: any of the values that it `is`, or else both bounds. Details are texts or numbers, and a person types the same for both: `1931`
 * stands for either. A condition without key or value says nothing yet. null where none says anything.
 */
export function metadataFilter(conditions: readonly Condition[]): Wanted | null {
  const byKey = Map.groupBy(conditions.filter(isWhole), ({ key }) => key.trim());
  if (byKey.size === 0) return null;
  return Object.fromEntries([...byKey].map(([key, own]) => [key, valuesOf(own) ?? boundsOf(own)]));
}

/** Why a condition cannot be asked; null where nothing is wrong with it. */
export function conditionFault(condition: Condition, all: readonly Condition[]): string | null {
  const { key, relation, value } = condition;
  if (relation === "is" || !isWhole(condition)) return null;
  if (numberIn(value) === null) return "Enter a number.";
  const isFixed = all.some((one) => one.relation === "is" && isWhole(one) && one.key.trim() === key.trim());
  return isFixed ? `“${key.trim()}” has a value already.` : null;
}

function isWhole({ key, value }: Condition): boolean {
  return key.trim() !== "" && value.trim() !== "";
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] | null {
  const values = conditions
    .filter(({ relation }) => relation === "is")
    .flatMap(({ value }) => meanings(value));
  return values.length === 0 ? null : [...new Set(values)];
}

function meanings(value: string): readonly (string | number)[] {
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
