/** The types of entities where no ontology gives any. */

import type { CoarseType } from "../types/coarse-type.ts";

/** Dates, amounts, peoples and mere terms are no nodes: everything would hang together over them. */
export const OPEN_TYPES = ["Person", "Organization", "Location", "Event", "Work", "Product"] as const satisfies
  readonly CoarseType[];

export type OpenType = (typeof OPEN_TYPES)[number];

export function isOpenType(type: string): type is OpenType {
  return (OPEN_TYPES as readonly string[]).includes(type);
}
