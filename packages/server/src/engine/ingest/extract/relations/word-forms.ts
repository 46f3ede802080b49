/** Words as keys of the trigger lists: stems, and the forms that English derives from a word. */

import { createCachedStem, type Stem } from "../../../text/stem.ts";

const MAX_STEMS = 20_000;

export type { Stem };

export function createTriggerStem(): Stem {
  const stem = createCachedStem({ maxEntries: MAX_STEMS });
  return (word) => stem(irregular.get(word) ?? word);
}

/** Forms that the tagger's lemmas leave apart. */
const irregular = new Map(
  Object.entries({
    born: "bear",
    birth: "bear",
    wrote: "write",
    written: "write",
    made: "make",
    built: "build",
    won: "win",
    led: "lead",
    sung: "sing",
    sang: "sing",
    drawn: "draw",
    drew: "draw",
    known: "know",
    died: "die",
    dead: "die",
    death: "die",
    founded: "found",
    founder: "found",
    wives: "wife",
    bought: "buy",
    sold: "sell",
    shot: "shoot",
    held: "hold",
    became: "become",
    fought: "fight",
    taught: "teach",
    men: "man",
    women: "woman",
  }),
);

const endings =
  /(?:ations?|itions?|ions?|ments?|ors?|ers?|ees?|ings?|ed|es|s|e|ships?|ances?|ences?|ure|age|ist|ian|al|y)$/;
const derived = ["", "e", "er", "or", "ion", "ation", "ition", "ed", "ing", "ment", "y"];

/** What may be derived from the same root; some of the forms are no words, which no text holds. */
export function deriveForms(word: string): readonly string[] {
  const root = word.replace(endings, "");
  if (root.length < 4) return [];
  return derived.map((ending) => root + ending);
}

/** "FOUNDED_BY", "foundedBy", "founded-by" → "founded by". */
export function wordsOfName(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

const plain = new Set(
  (
    "a an the of or and to in on at by for with from as is are was were be been has have had its it this that which who " +
    "something someone somebody thing things name other any some one between into such e g i"
  ).split(" "),
);

export function isContentWord(word: string): boolean {
  return word.length > 1 && !plain.has(word);
}
