/** Reads what a text says that a name is: "X is a film …", "X, a town in Y". */

import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { OpenType } from "./open-types.ts";
import type { PassageSentence } from "./passage.ts";

const typeOfAnchor = {
  person: "Person",
  organization: "Organization",
  location: "Location",
  event: "Event",
  work: "Work",
  product: "Product",
} as const satisfies Readonly<Record<string, OpenType>>;

/** Nouns of several classes, or of too many things. */
const unclear = new Set(
  "game work group series show set title model character star figure party union state single report".split(
    " ",
  ),
);
const more: Readonly<Record<OpenType, string>> = {
  Person:
    "author engineer chemist physicist biologist mathematician economist historian activist diplomat guitarist drummer pianist rapper dancer comedian entrepreneur businessman businesswoman bishop priest nurse pilot farmer sculptor photographer screenwriter producer presenter cricketer footballer wrestler boxer swimmer cyclist",
  Organization:
    "agency orchestra airline brewery charity cooperative ngo nonprofit retailer subsidiary think-tank newspaper broadcaster",
  Location:
    "village hamlet suburb commune capital neighbourhood neighborhood peninsula municipality borough parish stream creek hill peak reservoir dam canal railway castle church cathedral temple palace theatre",
  Event: "battle war election festival championship tournament earthquake treaty",
  Work: "film novel album song poem painting play opera book sitcom documentary miniseries comic manga ballet symphony musical memoir",
  Product: "software app smartphone car aircraft rifle locomotive console processor",
};

const typeOfNoun: ReadonlyMap<string, OpenType> = new Map(
  [
    ...Object.entries(typeOfAnchor).flatMap(([anchor, type]) =>
      (ANCHOR_NOUNS.get(anchor as keyof typeof typeOfAnchor) ?? []).map((noun) => [noun, type] as const),
    ),
    ...(Object.keys(more) as OpenType[]).flatMap((type) =>
      more[type].split(" ").map((noun) => [noun, type] as const),
    ),
  ].filter(([noun]) => !unclear.has(noun)),
);

/** By where the name begins: the type of the noun that the sentence calls it. */
export function readDefinitions({
  tokens,
  statements,
}: Pick<PassageSentence, "tokens" | "statements">): ReadonlyMap<number, OpenType> {
  const types = new Map<number, OpenType>();
  for (const { frame, subject, object, isNegated, isHedged } of statements) {
    if (frame !== "be" || isNegated || isHedged || types.has(subject.start)) continue;
    const inside = tokens.filter(({ start, end }) => start >= object.start && end <= object.end);
    if (!/^(?:an?|the|one)$/.test(inside[0]?.lower ?? "")) continue;
    const end = inside.findIndex(({ tag, text }) => tag === "ADP" || tag === "VERB" || text === ",");
    const head = inside.slice(0, end < 0 ? inside.length : end).findLast(({ tag }) => tag === "NOUN");
    const type = head === undefined ? undefined : typeOfNoun.get(head.lemma);
    if (type !== undefined) types.set(subject.start, type);
  }
  return types;
}
