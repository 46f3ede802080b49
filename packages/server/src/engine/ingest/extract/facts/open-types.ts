/** The types of entities where no ontology gives any. */

import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { CoarseType } from "../types/coarse-type.ts";
import { isGivenName } from "../types/glossary/given-names.ts";
import { BUILDING_NOUNS, INSTITUTION_NOUNS, TRADE_NOUNS } from "../types/glossary/trade-nouns.ts";
import { hasLegalForm } from "./alias-candidates.ts";

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

/** Nouns that name several kinds of things, or other things than names that end with them. */
const plain = new Set(
  "group party state place area network union court star channel channels brand label team employer race match game mission tour season launch work meeting accident attack".split(
    " ",
  ),
);
const headed: Readonly<Record<"Organization" | "Location" | "Event", ReadonlySet<string>>> = {
  Organization: nouns(
    "organization",
    "philharmonic press records partners holdings industries airlines motors authority federation board directorate inspectorate " +
      "co-operative biologics stevedores bakeries growers",
  ),
  Location: nouns("location", "hall square avenue valley island tower bay cathedral palace gate"),
  Event: nouns("event", "cup olympics games championships riots rebellion uprising awards siege"),
};

function nouns(anchor: "organization" | "location" | "event", more: string): ReadonlySet<string> {
  return new Set(
    [...(ANCHOR_NOUNS.get(anchor) ?? []), ...more.split(" ")].filter((noun) => !plain.has(noun)),
  );
}

/** In languages that put the kind first: "Banco Andino", "Klinik Sonnhalde"; no first names, no places. */
const leadingOrganizations = new Set(
  (
    "agence agencia agenzia agentur asociación associação association associazione autorità autoridad banca banco banque caisse casa clínica " +
    "clinique club comisión comité commissione compagnia compagnie compañía confédération consorcio coop cooperativa coopérative " +
    "ediciones éditions edizioni fédération federación federazione fondation fondazione fundação fundación galería galerie galleria " +
    "hôpital hospital institut instituto istituto klinik kliniek laboratoire laboratoires laboratorio laboratorios ministère ministerio ministero " +
    "ministerium musée museo museu observatoire orchestre ospedale parti partido partito rechtbank sindicato société sociedad società stichting " +
    "stiftung syndicat teatro théâtre tribunal tribunale universidad universidade università universität universiteit université verein"
  ).split(" "),
);

/** Short for a sports club, before or behind its name. */
const clubs = new Set("AFC BK CF FC FK IF RFC SC SK SV TSV VfB VfL".split(" "));

/** "battle of rennweg", "osterby jazz festival", as normal forms. */
export function isNamedAfterEvent(key: string): boolean {
  const words = key.split(" ");
  const of = words.indexOf("of");
  return words.length > 1 && headed.Event.has((of > 0 ? words[of - 1] : words.at(-1)) ?? "");
}

/**
 * What a name of several words calls itself: "Lake Miramar", "University of Technology", "Battle of Rennweg", "Calloway Ltd"; null
 * where it does not.
 */
export function typeByHead(name: string): OpenType | null {
  const words = wordsOf(name);
  if (words.length < 2) return null;
  if (hasLegalForm(name.toLowerCase().replace(/[.,]/g, ""))) return "Organization";
  if (words.some((word, at) => /[.,:;]$/.test(word) && !(at === 0 && word === "St."))) return null;
  const of = words.findIndex((word) => /^(?:of|for|and)$/i.test(word));
  const head = of > 0 ? words[of - 1] : words.at(-1);
  const first = words[0]?.toLowerCase() ?? "";
  // "Jessica Lake" is no lake, and what is written small is no part of the name.
  const isPerson = of < 0 && words.length === 2 && isGivenName(first);
  if (isPerson || head === undefined || !/^\p{Lu}/u.test(head)) return null;
  if (clubs.has(head)) return "Organization";
  for (const type of ["Organization", "Location", "Event"] as const)
    if (headed[type].has(head.toLowerCase())) return type;
  if (leadingOrganizations.has(first) || clubs.has(words[0] ?? "")) return "Organization";
  return /^(?:lake|river|mount|port|cape|isle|fort)$/.test(first) ? "Location" : null;
}

/** "Edmund Tully": a common given name before another name; "Anna Foods" is none. */
export function typeByGivenName(name: string): OpenType | null {
  const words = wordsOf(name);
  const isNamed = words.length > 1 && words.length < 4 && isGivenName(words[0]?.toLowerCase() ?? "");
  const last = words.at(-1)?.toLowerCase() ?? "";
  const isOther = [BUILDING_NOUNS, INSTITUTION_NOUNS, TRADE_NOUNS].some((nouns) => nouns.has(last));
  if (isOther && !surnames.has(last)) return null;
  return isNamed && words.every((word) => /^\p{Lu}[\p{L}.'’-]*$/u.test(word)) ? "Person" : null;
}

/** What the last word of a name makes likely, where nothing else says more: "Rowan Foundry", "Ashgrove House". */
export function typeByLooseHead(name: string): OpenType | null {
  const words = wordsOf(name);
  const head = words.at(-1) ?? "";
  const isPerson = words.length === 2 && isGivenName(words[0]?.toLowerCase() ?? "");
  if (words.length < 2 || !/^\p{Lu}/u.test(head) || words.some((word) => /[.,:;]$/.test(word))) return null;
  const noun = head.toLowerCase();
  if (BUILDING_NOUNS.has(noun) && !(isPerson && surnames.has(noun))) return "Location";
  return (INSTITUTION_NOUNS.has(noun) || TRADE_NOUNS.has(noun)) && !(isPerson && surnames.has(noun))
    ? "Organization"
    : null;
}

/** Heads of names of places and firms that are common as last names, too. */
const surnames = new Set(
  "house farm wood woods mill moor heath common green bank dale marsh glass steel tyres power banks bakers brewers".split(
    " ",
  ),
);

function wordsOf(name: string): readonly string[] {
  return name.replace(/^(?:the|a)\s+/i, "").split(/\s+/);
}
