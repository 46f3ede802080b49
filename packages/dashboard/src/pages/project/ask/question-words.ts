/** Finds the words of a question in a passage. */

/** Too frequent to characterise a question. */
const stopWords = new Set(
  (
    "a about after all also an and any are as at be been before between but by can could did do does during each for from had has have he her his how " +
    "i if in into is it its many may me more most much my no not of on one or our she so some such than that the their them then there these they this " +
    "those to up us was we were what when where which while who whom whose why will with would you your"
  ).split(" "),
);

/** Two words count as forms of one word if each consists of their common prefix and one of these endings. */
const endings = new Set([
  "",
  "s",
  "es",
  "d",
  "ed",
  "r",
  "er",
  "ers",
  "ing",
  "ly",
  "y",
  "ies",
  "ied",
  "e",
  "’s",
  "'s",
]);
const minCommonCharacters = 3;

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The content words of a text in lower case, without duplicates. */
export function contentWords(text: string): readonly string[] {
  const words = wordsOf(text).map(({ word }) => word.toLowerCase());
  return [...new Set(words)].filter((word) => !stopWords.has(word));
}

/** Splits the text into consecutive parts and marks those that are forms of the words. */
export function markWords(text: string, words: readonly string[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { word, at } of wordsOf(text)) {
    const lower = word.toLowerCase();
    if (!words.some((known) => areForms(known, lower))) continue;
    if (at > from) parts.push({ text: text.slice(from, at), isMarked: false });
    parts.push({ text: word, isMarked: true });
    from = at + word.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMarked: false });
  return parts;
}

/** An approximation for highlighting: the browser does not have the stemmer of the index. */
function areForms(one: string, other: string): boolean {
  if (one === other) return true;
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  if (common < minCommonCharacters) return false;
  return endings.has(one.slice(common)) && endings.has(other.slice(common));
}

function wordsOf(text: string): readonly { readonly word: string; readonly at: number }[] {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  return [...segments].flatMap(({ segment, index, isWordLike }) =>
    isWordLike === true ? [{ word: segment, at: index }] : [],
  );
}
