/** Terms of scripts that write no spaces between words. */

/** Takes the terms of a text in their order. */
export interface TermReceiver {
  add(term: string): void;
  /** Adds a further way to find what another term stands for already. */
  addExtra(term: string): void;
}

const classOf = (...scripts: readonly string[]): string =>
  scripts.map((script) => `\\p{scx=${script}}`).join("");
const PAIRED = classOf("Han", "Hiragana", "Katakana");
const SEGMENTED = classOf("Thai", "Lao", "Khmer", "Myanmar");
/** Splitting by it puts runs of paired scripts at every third place from 1, of segmented ones from 2, the rest between. */
const RUNS = new RegExp(`([${PAIRED}]+)|([${SEGMENTED}]+)`, "u");
/** A run is segmented in pieces of at most so many code units: a phrase is a tenth of it. */
const SEGMENTED_UNITS = 512;

/**
 * Adds the terms of a folded word: runs of Chinese and Japanese characters as overlapping pairs of code points,
 * with the single characters as extras, because a question of one character must find it inside of words;
 * runs of Thai, Lao, Khmer and Burmese as words by the dictionaries of ICU; the rest by `addRest`.
 */
export function addByScript(word: string, sink: TermReceiver, addRest: (run: string) => void): void {
  for (const [place, run] of word.split(RUNS).entries()) {
    if (run === undefined || run === "") continue;
    if (place % 3 === 1) addPairs(run, sink);
    else if (place % 3 === 2) addSegmented(run, sink);
    else addRest(run);
  }
}

function addPairs(run: string, sink: TermReceiver): void {
  let previous = "";
  for (const character of run) {
    if (previous !== "") sink.add(previous + character);
    if (character === run) sink.add(character);
    else sink.addExtra(character);
    previous = character;
  }
}

function addSegmented(run: string, sink: TermReceiver): void {
  // The locale is fixed because answers must not depend on the machine's; the dictionary goes by the script.
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  const text = recompose(run);
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + SEGMENTED_UNITS);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end--;
    for (const { segment } of segmenter.segment(text.slice(start, end))) sink.add(segment);
    start = end;
  }
}

/** The dictionaries know Thai and Lao AM as one character; compatibility decomposition made two of it. */
function recompose(run: string): string {
  return run.replaceAll("\u0e4d\u0e32", "\u0e33").replaceAll("\u0ecd\u0eb2", "\u0eb3");
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
