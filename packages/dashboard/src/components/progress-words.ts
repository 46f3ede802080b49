/** Says how far something is. */
import { counted } from "./counted.ts";

export interface Progress {
  readonly value: number;
  /** null: not known yet, because the text is still being read. */
  readonly total: number | null;
  /** What is counted, for one of it. */
  readonly unit: "chunk" | "document";
}

/** "3 of 12 chunks"; before it is known of how many: what is done meanwhile. */
export function progressWords({ value, total, unit }: Progress): string {
  if (total !== null && total > 0) return `${value.toLocaleString("en")} of ${counted(total, unit)}`;
  return value === 0 ? "reading the text" : counted(value, unit);
}
