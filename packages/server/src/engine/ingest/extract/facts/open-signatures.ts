/** Between which broad types the common relationships hold: what joins others was misread. */

import type { OpenType } from "./open-types.ts";

const letters: Readonly<Record<string, OpenType>> = {
  P: "Person",
  O: "Organization",
  L: "Location",
  E: "Event",
  W: "Work",
  T: "Product",
};

/** Type, letters of its sources, letters of its targets. */
const table = `
DIRECTED_BY WE P|WRITTEN_BY WE P|PRODUCED_BY WTE PO|COMPOSED_BY W P|PUBLISHED_BY WT PO|RELEASED_BY WT PO|PERFORMED_BY WE PO
PAINTED_BY W P|DISTRIBUTED_BY WT PO|DESIGNED_BY WTLO PO|BUILT_BY TLO POL|MANUFACTURED_BY T PO|STARS_IN P WE
BORN_IN P L|DIED_IN P L|BURIED_IN P L|LIVES_IN P L|MOVED_TO PO L|LOCATED_IN LOE L|LOCATED_ON LO L|LOCATED_NEAR LO L
HEADQUARTERED_IN O L|CAPITAL_OF L L|FLOWS_INTO L L|BORDERS L L|MARRIED_TO P P|CHILD_OF P P|BROTHER_OF P P|SISTER_OF P P
MEMBER_OF PO O|WORKS_FOR P PO|STUDIED_AT P O|TEACHES_AT P O|PLAYS_FOR P O|FOUNDED_BY OLE PO|LED_BY OEL P|OWNED_BY OTLW PO
ACQUIRED_BY OTL PO|EMPLOYED_BY P PO|TAUGHT_BY P P|APPOINTED_BY P PO|WON PO EW|SIGNED_BY W PO|PLAYED_BY W PO
SUES POL POL|SUPPLIES OLT POLT|MERGED_WITH OL OL|PARTNER_OF POL POL`;

const signatures = new Map(
  table
    .trim()
    .split(/[|\n]/)
    .map((row) => {
      const [type = "", sources = "", targets = ""] = row.split(" ");
      return [type, { sources: typesOf(sources), targets: typesOf(targets) }] as const;
    }),
);

function typesOf(row: string): ReadonlySet<string> {
  return new Set([...row].flatMap((letter) => letters[letter] ?? []));
}

/** Broad types of the sources and targets of a type of relationships; undefined for types without a signature. */
export function signatureOf(
  type: string,
): { readonly sources: ReadonlySet<string>; readonly targets: ReadonlySet<string> } | undefined {
  return signatures.get(type);
}

/** Whether a relationship of this type may hold between things of these types; true for types without a signature. */
export function fitsSignature(type: string, source: string, target: string): boolean {
  const signature = signatures.get(type);
  return signature === undefined || (signature.sources.has(source) && signature.targets.has(target));
}
