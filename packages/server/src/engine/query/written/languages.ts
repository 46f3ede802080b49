/** Tells languages by their commonest words, and sentences that deny an answer. Detecting by n-grams would load for a second. */

const COMMON: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: "the of and to in a is was that for with as by from at on it he she his her are were this which has had its who what when where how did",
    de: "der die das und ist nicht ein eine wurde im den dem mit von für auf zu sich als auch sind war",
    fr: "le la les des et est une dans du que qui pour par sur au il elle sont été était",
    es: "el la los las del y es una en que por para con se su fue al como son más",
    it: "il la le gli di e è una in che per con del della si nel sono era dal stato",
    pt: "o a os as do da e é uma em que por para com se no na foi ao são",
    nl: "de het een en van is niet op te dat die voor met zijn werd in aan door ook was",
  }).map(([language, words]) => [language, new Set(words.split(" "))]),
);
const MIN_COMMON = 2;
/** Of the letters of English. */
const LATIN = /[a-z]/gi;
const MIN_LATIN_SHARE = 0.9;
/** Of these letters, English texts have nearly all; languages that write marks have fewer. */
const PLAIN_SHARE = 0.985;
/** English prose has a quarter of its commonest words. */
const MIN_ENGLISH_SHARE = 0.06;
/** With fewer words, the commonest ones may be missing. */
const MIN_WORDS = 20;
/** Reading more would not tell better. */
const READ_UNITS = 20_000;

/** ISO 639-1; null where no language of seven has clearly more of its commonest words in the text than the others. */
export function guessLanguage(text: string): string | null {
  return mostCommonIn(wordsOf(text));
}

/** Also where the text has too few words to tell. */
export function mayBeEnglish(text: string): boolean {
  const read = text.slice(0, READ_UNITS);
  const letters = read.match(/\p{L}/gu)?.length ?? 0;
  const latin = read.match(LATIN)?.length ?? 0;
  if (latin < MIN_LATIN_SHARE * letters) return false;
  const words = wordsOf(read);
  // English lists and tables have few of its commonest words, but hardly a letter with a mark.
  const hasMarks = latin < PLAIN_SHARE * letters;
  const isLong = words.length >= MIN_WORDS;
  if (hasMarks && isLong && countCommon(words, COMMON["en"]) < MIN_ENGLISH_SHARE * words.length) return false;
  return (mostCommonIn(words) ?? "en") === "en";
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .slice(0, READ_UNITS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}

function mostCommonIn(words: readonly string[]): string | null {
  const ranked = Object.entries(COMMON)
    .map(([language, common]) => ({ language, count: countCommon(words, common) }))
    .sort((one, other) => other.count - one.count);
  const [best, next] = ranked;
  if (best === undefined || best.count < MIN_COMMON || best.count === next?.count) return null;
  return best.language;
}

function countCommon(words: readonly string[], common: ReadonlySet<string> = new Set()): number {
  return words.filter((word) => common.has(word)).length;
}

/** What stands for the passages, what denies, and in English what passages do. */
const DENIALS: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\b(?:passages?|texts?|documents?|sources?|excerpts?|context|information)\b/i,
    /\b(?:not|no|none|nothing|neither|cannot|can't|doesn't|don't|isn't|aren't)\b/i,
    /\b(?:say|says|said|mention|mentions|mentioned|state|states|stated|contain|contains|answer|answers|answered|give|gives|given|provide|provides|provided|specify|specified|include|includes|tell|tells|describe|described|indicate|indicated|name|names|available|found)\b/i,
  ],
  de: [
    /(?:Passagen?|Texte?n?|Dokumente?n?|Quellen?|Abschnitte?n?|Angaben?|Informationen)(?!\p{L})/u,
    /(?<!\p{L})(?:nicht|nichts|keine?[rsnm]?)(?!\p{L})/u,
  ],
  fr: [/\b(?:passages?|textes?|documents?|sources?)\b/i, /\b(?:ne|n['’]\p{L}+|pas|aucune?|rien)\b/iu],
  es: [/\b(?:pasajes?|textos?|documentos?|fuentes?)\b/i, /\b(?:no|ning[uú]na?|nada)\b/iu],
};

/** The language in which a sentence says that the passages do not answer; null where it does not say so in one of four. */
export function languageOfDenial(sentence: string): string | null {
  const found = Object.entries(DENIALS).find(([, signs]) => signs.every((sign) => sign.test(sentence)));
  return found?.[0] ?? null;
}
