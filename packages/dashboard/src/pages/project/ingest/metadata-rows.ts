/** Metadata as it is typed: keys and values in rows. */
import type { IngestDocument } from "@kcs/sdk";

export interface MetadataRow {
  readonly key: string;
  readonly value: string;
}

/** A value that is written as numbers are is a number, so that questions can ask for "at least". Rows without key or value are left out. */
export function metadataOf(rows: readonly MetadataRow[]): NonNullable<IngestDocument["metadata"]> {
  const given = rows.filter(({ key, value }) => key.trim() !== "" && value.trim() !== "");
  return Object.fromEntries(given.map(({ key, value }) => [key.trim(), typedValue(value.trim())]));
}

/** "007" and "1e3" stay texts: they may be a code. */
function typedValue(text: string): string | number {
  return String(Number(text)) === text && Number.isSafeInteger(Math.trunc(Number(text)))
    ? Number(text)
    : text;
}

/** Why a row cannot be sent; null when it can, or when it is left out. */
export function rowFault(row: MetadataRow, rows: readonly MetadataRow[]): string | null {
  const key = row.key.trim();
  if (key === "" && row.value.trim() !== "") return "Enter a key for this value.";
  const isTwice = key !== "" && rows.filter((other) => other.key.trim() === key).length > 1;
  return isTwice ? `“${key}” is there twice.` : null;
}
