/** Twenty corrections that a careful user makes of the graph of the company, in plain terms, and what holds after each. */

/** A type of the ontology and a name, as the graph shows them. */
export interface Named {
  readonly type: string;
  readonly name: string;
}

export interface Stated {
  readonly source: string;
  readonly type: string;
  readonly target: string;
}

export type Change =
  | { readonly kind: "rename"; readonly entity: Named; readonly to: string }
  | { readonly kind: "retype"; readonly entity: Named; readonly to: string }
  | { readonly kind: "merge"; readonly entity: Named; readonly into: Named }
  | { readonly kind: "reject" | "confirm" | "remove_relationship"; readonly relationship: Stated }
  | {
      readonly kind: "add_relationship";
      readonly relationship: Stated;
      readonly valid_from: string | null;
      readonly valid_to: string | null;
    }
  | {
      readonly kind: "add_property" | "remove_property";
      readonly entity: Named;
      readonly property: string;
      readonly value: string;
    };

/** What the graph has, or with `has: false` does not have. An entity has the name as its first one, or with `also` as another one. */
export type Expected =
  | { readonly has: boolean; readonly entity: Named; readonly also?: string }
  | { readonly has: boolean; readonly relationship: Stated }
  | { readonly has: boolean; readonly entity: Named; readonly property: string; readonly value: string };

export interface Correction {
  readonly change: Change;
  /** As the user writes it down. */
  readonly reason: string;
  /** Holds at once, and still after the documents `again` are ingested again. */
  readonly expected: readonly Expected[];
  readonly again: readonly string[];
}

const person = (name: string): Named => ({ type: "Person", name });
const company = (name: string): Named => ({ type: "Company", name });
const office = (name: string): Named => ({ type: "Office", name });
const product = (name: string): Named => ({ type: "Product", name });
const stated = (source: string, type: string, target: string): Stated => ({ source, type, target });

const NAMES: readonly Correction[] = [
  {
    change: { kind: "rename", entity: person("Naomi Brand"), to: "Naomi Fletcher" },
    reason: "She has been Naomi Fletcher since her wedding; see the staff list of October 2022.",
    expected: [{ has: true, entity: person("Naomi Fletcher"), also: "Naomi Brand" }],
    again: ["2020-08-12-hr.eml", "2020-12-09-logbook.md"],
  },
  {
    change: { kind: "rename", entity: company("Kessler Batteries"), to: "Kessler Batteries GmbH" },
    reason: "The full name, as in the supplier list.",
    expected: [{ has: true, entity: company("Kessler Batteries GmbH"), also: "Kessler Batteries" }],
    again: ["2015-06-15-buoylink.html"],
  },
  {
    change: { kind: "merge", entity: product("BuoyLink"), into: product("SeaLink") },
    reason: "The same unit; renamed on 1 January 2021.",
    expected: [
      { has: true, entity: product("SeaLink"), also: "BuoyLink" },
      { has: false, entity: product("BuoyLink") },
    ],
    again: ["2015-06-15-buoylink.html", "2020-12-09-logbook.md"],
  },
  {
    change: {
      kind: "merge",
      entity: company("Pennick & Sorley"),
      into: company("Sorley Marine Systems"),
    },
    reason: "One company, renamed on 1 July 2018.",
    expected: [
      { has: true, entity: company("Sorley Marine Systems"), also: "Pennick & Sorley" },
      { has: false, entity: company("Pennick & Sorley") },
      { has: true, relationship: stated("Sorley Marine Systems", "ACQUIRED", "Havtek AS") },
    ],
    again: ["2016-05-02-havtek.html", "2018-06-25-new-name.html"],
  },
  {
    change: { kind: "merge", entity: person("D. Okafor"), into: person("Daniel Okafor") },
    reason: "The finance director who signed the Sundby agreement.",
    expected: [
      { has: true, entity: person("Daniel Okafor"), also: "D. Okafor" },
      { has: false, entity: person("D. Okafor") },
    ],
    again: ["2015-03-24-sundby-agreement.pdf"],
  },
  {
    change: { kind: "merge", entity: person("Dr Solheim"), into: person("Ingrid Solheim") },
    reason: "Ingrid Solheim has a doctorate.",
    expected: [
      { has: true, entity: person("Ingrid Solheim"), also: "Dr Solheim" },
      { has: false, entity: person("Dr Solheim") },
    ],
    again: ["2016-03-15-havtek-proposal.pdf", "2021-03-23-board-minutes.docx"],
  },
];

const TYPES: readonly Correction[] = [
  {
    change: { kind: "retype", entity: { type: "Town", name: "Temple Quay" }, to: "Office" },
    reason: "Our head office, not a town.",
    expected: [
      { has: true, entity: office("Temple Quay") },
      { has: false, entity: { type: "Town", name: "Temple Quay" } },
    ],
    again: ["2019-02-18-moving-to-bristol.eml"],
  },
  {
    change: { kind: "retype", entity: company("HarbourView"), to: "Product" },
    reason: "A program that we sell.",
    expected: [
      { has: true, entity: product("HarbourView") },
      { has: false, entity: company("HarbourView") },
    ],
    again: ["2020-05-19-harbourview.html"],
  },
  {
    change: { kind: "retype", entity: { type: "Town", name: "Millbay Road" }, to: "Office" },
    reason: "Head office until 2019, workshop until 2022.",
    expected: [
      { has: true, entity: office("Millbay Road") },
      { has: false, entity: { type: "Town", name: "Millbay Road" } },
    ],
    again: ["2014-02-10-welcome.md", "2017-05-31-organisation.pptx"],
  },
];

const JUDGED: readonly Correction[] = [
  {
    change: {
      kind: "reject",
      relationship: stated("Tessaro Group", "ACQUIRED", "Sorley Marine Systems"),
    },
    reason: "The board rejected the offer.",
    expected: [{ has: false, relationship: stated("Tessaro Group", "ACQUIRED", "Sorley Marine Systems") }],
    again: ["2023-10-24-board-minutes.docx"],
  },
  {
    change: { kind: "reject", relationship: stated("Peter Marsh", "HOLDS_POST", "finance director") },
    reason: "That was Helen Marsh, who is not related to him.",
    expected: [
      { has: false, relationship: stated("Peter Marsh", "HOLDS_POST", "finance director") },
      { has: true, relationship: stated("Helen Marsh", "HOLDS_POST", "finance director") },
    ],
    again: ["2018-11-20-board-minutes.docx"],
  },
  {
    change: { kind: "reject", relationship: stated("Jean Sorley", "LEADS", "Gdańsk plant") },
    reason: "She only cut the ribbon.",
    expected: [{ has: false, relationship: stated("Jean Sorley", "LEADS", "Gdańsk plant") }],
    again: ["2021-06-17-town-hall.pptx"],
  },
  {
    change: { kind: "confirm", relationship: stated("Daniel Okafor", "HOLDS_POST", "chief executive") },
    reason: "From 2019 to March 2023; I checked the minutes.",
    expected: [{ has: true, relationship: stated("Daniel Okafor", "HOLDS_POST", "chief executive") }],
    again: ["2018-12-17-handing-over.eml"],
  },
  {
    change: { kind: "confirm", relationship: stated("Marek Nowicki", "LEADS", "Gdańsk plant") },
    reason: "Until February 2024.",
    expected: [{ has: true, relationship: stated("Marek Nowicki", "LEADS", "Gdańsk plant") }],
    again: ["2021-06-17-town-hall.pptx"],
  },
];

const ADDED_AND_REMOVED: readonly Correction[] = [
  {
    change: {
      kind: "add_relationship",
      relationship: stated("Josie Hannaford", "LEADS", "Gdańsk plant"),
      ...{ valid_from: "2024-03-01", valid_to: null },
    },
    reason: "Decided by the board on 24 October 2023.",
    expected: [{ has: true, relationship: stated("Josie Hannaford", "LEADS", "Gdańsk plant") }],
    again: ["2023-10-24-board-minutes.docx"],
  },
  {
    change: {
      kind: "add_relationship",
      relationship: stated("Voltana Oy", "SUPPLIES", "Sorley Marine Systems"),
      ...{ valid_from: "2022-01-01", valid_to: null },
    },
    reason: "From the supplier list, which does not name us.",
    expected: [{ has: true, relationship: stated("Voltana Oy", "SUPPLIES", "Sorley Marine Systems") }],
    again: ["2022-01-suppliers.csv"],
  },
  {
    change: {
      kind: "remove_relationship",
      relationship: stated("TideMaster 600", "REPLACES", "TideMaster 200"),
    },
    reason: "It replaces the TideMaster 400; the 200 was gone long before.",
    expected: [
      { has: false, relationship: stated("TideMaster 600", "REPLACES", "TideMaster 200") },
      { has: true, relationship: stated("TideMaster 600", "REPLACES", "TideMaster 400") },
    ],
    again: ["2024-02-06-tidemaster-600.md", "2024-03-products.csv"],
  },
  {
    change: {
      kind: "add_property",
      ...{ entity: person("Peter Marsh"), property: "telephone", value: "852" },
    },
    reason: "His number in Gdańsk.",
    expected: [{ has: true, entity: person("Peter Marsh"), property: "telephone", value: "852" }],
    again: ["2022-10-01-staff.xlsx"],
  },
  {
    change: {
      kind: "remove_property",
      ...{ entity: person("Peter Marsh"), property: "telephone", value: "252" },
    },
    reason: "The old number in Plymouth, which is switched off.",
    expected: [{ has: false, entity: person("Peter Marsh"), property: "telephone", value: "252" }],
    again: ["2019-01-15-staff.xlsx"],
  },
  {
    change: {
      kind: "add_property",
      ...{ entity: product("FjordSense"), property: "article_number", value: "FS-3" },
    },
    reason: "From the list of products.",
    expected: [{ has: true, entity: product("FjordSense"), property: "article_number", value: "FS-3" }],
    again: ["2024-03-products.csv"],
  },
];

export const CORRECTIONS: readonly Correction[] = [...NAMES, ...TYPES, ...JUDGED, ...ADDED_AND_REMOVED];
