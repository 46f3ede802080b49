/** Characters that compatibility decomposition would merge into the adjacent word ("Foo™" → "footm"). */
const MARKETING_SIGNS = /[\u2120\u2122]/g;
/** Soft hyphens, joiners and byte-order marks are invisible, so no question contains them. */
const INVISIBLE = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g;
/**
 * Latin, Greek and Cyrillic diacritics, Hebrew points, Arabic vowel signs. In other scripts, marks are part
 * of the spelling.
 */
const DIACRITICS = /[\u0300-\u036f\u0591-\u05bd\u0640\u064b-\u0652]+/g;
/** Normalization sorts runs of marks in quadratic time; UAX #15 allows 30 marks in stream-safe text. */
const OVERLONG_MARKS = /\p{M}{31}/u;
const MARKS = /\p{M}+/gu;
const MAX_MARKS = 30;
const UNDECOMPOSED = /[ßæœøđðþłıħς\u2010\u2011\u2018\u2019]/g;

const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ς: "σ",
  "\u2010": "-",
  "\u2011": "-",
  "\u2018": "'",
  "\u2019": "'",
};

/**
 * Maps spellings that readers consider equal to the same text: letter case, compatibility forms (NFKC),
 * diacritics, typographic hyphens and apostrophes. Linear time; the result is in NFC, and its offsets differ
 * from those of the input.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return withoutOverlongMarks(text.replace(MARKETING_SIGNS, " ").replace(INVISIBLE, ""))
    .normalize("NFKD")
    .toLowerCase()
    .replace(DIACRITICS, "")
    .replace(UNDECOMPOSED, (character) => REPLACEMENTS[character] ?? character)
    .normalize("NFC");
}

function withoutOverlongMarks(text: string): string {
  if (!OVERLONG_MARKS.test(text)) return text;
  return text.replace(MARKS, (marks) => [...marks].slice(0, MAX_MARKS).join(""));
}

export function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
