/** Broad classes of entities, and the nouns by which a type's name tells its class. */

import data from "./glossary/concepts.json" with { type: "json" };

/** Classes that any ontology's types are told apart by first; in the order of the weights. */
export const ANCHORS = [
  "person",
  "organization",
  "location",
  "date",
  "event",
  "work",
  "product",
  "group",
  "quantity",
  "term",
  "award",
  "substance",
  "method",
] as const;

export type Anchor = (typeof ANCHORS)[number];

/** The nouns of each class, general English. */
export const ANCHOR_NOUNS: ReadonlyMap<Anchor, readonly string[]> = new Map(
  ANCHORS.map((anchor) => [anchor, data.anchors[anchor].split(" ")]),
);

/** Classes that read alike, and how much of a class's share goes to each: a class that few texts were labelled for learns from its kin. */
export const KIN: readonly (readonly [from: Anchor, to: Anchor, share: number])[] = [
  ["method", "term", 0.5],
  ["substance", "term", 0.3],
  ["quantity", "term", 0.3],
  ["product", "work", 0.2],
];
