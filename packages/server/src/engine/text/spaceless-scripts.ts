/** Produces terms for scripts without spaces between words. */

/** Receives the terms of a text in order. */
export interface TermReceiver {
  add(term: string): void;
  /** Adds an additional term for something that another term already represents. */
  addExtra(term: string): void;
}

const classOf = (...scripts: readonly string[]): string =>
  scripts.map((script) => `\\p{scx=${script}}`).join("");
const PAIRED = classOf("Han", "Hiragana", "Katakana");
const SEGMENTED = classOf("Thai", "Lao", "Khmer", "Myanmar");
/**
 * Splitting a text by this pattern gives, for every three parts: other text, a run of paired scripts or
 * undefined, a run of segmented scripts or undefined.
 */
const RUNS = new RegExp(`([${PAIRED}]+)|([${SEGMENTED}]+)`, "u");
/** Runs are segmented in pieces of at most this many code units, ten times the length of a phrase. */
const SEGMENTED_UNITS = 512;

/**
 * Adds the terms of a folded word. Runs of Chinese and Japanese characters give overlapping pairs of code
 * points, and the single characters as extras, because a question of one character must find it inside words.
 * Runs of Thai, Lao, Khmer and Burmese give words according to the dictionaries of ICU. Everything else is
 * passed to `addRest`.
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
  // The locale is fixed, because results must not depend on the machine's locale; ICU selects the dictionary
  // by script.
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  const text = recompose(run);
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + SEGMENTED_UNITS);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end--;
    for (const { segment } of segmenter.segment(text.slice(start, end))) sink.add(segment);
    start = end;
  }
}

/**
 * The dictionaries contain Thai and Lao AM as one character; compatibility decomposition splits it into two.
 */
function recompose(run: string): string {
  return run.replaceAll("\u0e4d\u0e32", "\u0e33").replaceAll("\u0ecd\u0eb2", "\u0eb3");
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
