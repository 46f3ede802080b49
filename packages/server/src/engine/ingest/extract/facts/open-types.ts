/** The types of entities where no ontology gives any. */

import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { CoarseType } from "../types/coarse-type.ts";

/** Dates, amounts, peoples and mere terms are no nodes: everything would hang together over them. */
export const OPEN_TYPES = [
  "Person",
  "Organization",
  "Location",
  "Event",
  "Work",
  "Product",
] as const satisfies readonly CoarseType[];

export type OpenType = (typeof OPEN_TYPES)[number];

export function isOpenType(type: string): type is OpenType {
  return (OPEN_TYPES as readonly string[]).includes(type);
}

const headed: Readonly<Record<"Organization" | "Location", ReadonlySet<string>>> = {
  Organization: new Set(ANCHOR_NOUNS.get("organization")),
  Location: new Set([
    ...(ANCHOR_NOUNS.get("location") ?? []),
    "hall",
    "square",
    "avenue",
    "valley",
    "island",
    "tower",
  ]),
};
const plain = new Set("group party state place area network union court star".split(" "));

/** What a name of several words calls itself: "Lake Miramar", "University of Technology"; null where it does not. */
export function typeByHead(name: string): OpenType | null {
  const words = name.replace(/^(?:the|a)\s+/i, "").split(/\s+/);
  if (words.length < 2 || words.some((word) => /[.,:;]$/.test(word))) return null;
  const of = words.findIndex((word) => /^(?:of|for|and)$/i.test(word));
  const head = (of > 0 ? words[of - 1] : words.at(-1))?.toLowerCase() ?? "";
  const first = words[0]?.toLowerCase() ?? "";
  for (const type of ["Organization", "Location"] as const) {
    if (!plain.has(head) && headed[type].has(head)) return type;
  }
  return /^(?:lake|river|mount|port|cape|isle|fort)$/.test(first) ? "Location" : null;
}
