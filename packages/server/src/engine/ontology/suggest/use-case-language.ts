/** Tells English, and bare lists of names, from what an English tagger would only find noise in. */
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "./names.ts";

/** Of the beginning of the text. */
const MAX_UNITS = 8_000;
const FEWEST_WORDS = 12;
const ENGLISH_SHARE = 0.12;
/** Words of a part between commas, semicolons and lines, on average: prose has more. */
const LIST_WORDS = 2;
const TERSE_WORDS = 12;
const LEAST_PARTS = 3;

/** English function words that other languages have as well. */
const SHARED: ReadonlySet<string> = new Set(
  "a am an as at do for he i in is it me no on or our over so under was will".split(" "),
);

/** Function words of German, French, Spanish, Italian, Portuguese, Dutch and the Scandinavian languages that English does not have. */
const FOREIGN: ReadonlySet<string> = new Set(
  [
    "der das und ist ein eine einen einem einer mit von für den dem des wir sie es auf zu werden sind nicht bei oder auch wie",
    "als aus nach über durch zum zur im vom sich seine ihre ihr ihren welche jede jeder jedes haben hat wird kann soll damit",
    "de le la les des du et est une un pour avec dans qui que sur par sont au aux ce cette ces nous ou se leur leurs chaque",
    "el los las y es una con para por del al su sus que en cada como nosotros",
    "il lo gli e che di della delle dei degli nel nella sono ogni suo sua loro i",
    "o os da do das dos em um uma são ao na nos não com seu",
    "het een en van met zijn voor op te aan bij naar ook wij ze worden heeft elke",
    "och att som för på av till med har den det er og til af ikke",
  ]
    .join(" ")
    .split(" ")
    // "I" and "do" are English, too.
    .filter((word) => !ENGLISH_STOP_WORDS.has(word)),
);

/** "list": names with signs between them, in whatever language. */
export type UseCaseLanguage = "english" | "list" | "other";

/**
 * By its function words: English ones stand in every sentence, and no other language has more of its own. A text of a few words may
 * have none, and a list of names has none however long it is.
 */
export function languageOf(text: string): UseCaseLanguage {
  const beginning = distinctSentences(text).slice(0, MAX_UNITS);
  const words = wordsOf(beginning);
  const latin = words.filter((word) => /^[\p{Script=Latin}\p{M}\p{N}]+$/u.test(word)).length;
  if (latin < words.length / 2) return "other";
  const english = words.filter((word) => ENGLISH_STOP_WORDS.has(word));
  const own = english.filter((word) => !SHARED.has(word)).length;
  // In small letters alone: with a capital they begin names.
  const foreign = beginning.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => FOREIGN.has(word)).length;
  if (foreign >= own && foreign > (own === 0 ? 0 : 1)) return "other";
  if (isList(beginning, words.length)) return "list";
  const isTold = own > 0 && english.length >= ENGLISH_SHARE * words.length;
  // Keywords have few words of grammar, but none of another language, and signs between them.
  const isTerse = english.length > 0 && foreign === 0 && words.length <= TERSE_WORDS * partsOf(beginning);
  return isTold || isTerse || words.length < FEWEST_WORDS ? "english" : "other";
}

/** The first of equal sentences and lines. A text that is repeated must not look like a longer one of the same few words. */
function distinctSentences(text: string): string {
  const known = new Set<string>();
  const distinct = (text.match(/[^.?!\n]+[.?!\n]?/g) ?? []).filter((sentence) => {
    const words = wordsOf(sentence).join(" ");
    const isNew = !known.has(words);
    known.add(words);
    return isNew;
  });
  return distinct.join("");
}

function partsOf(text: string): number {
  return text.split(/[,;.?!:\n|•()/-]/).filter((part) => part.trim() !== "").length;
}

function isList(text: string, words: number): boolean {
  const parts = text.split(/[,;\n|•]/).filter((part) => part.trim() !== "").length;
  return parts >= LEAST_PARTS && words <= LIST_WORDS * parts;
}
