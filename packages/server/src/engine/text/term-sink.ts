import { HUMP, withoutHumps } from "./compounds.ts";
import { isAscii } from "./fold-text.ts";
import { addByScript, type TermReceiver } from "./spaceless-scripts.ts";
import type { Stem } from "./stem.ts";
import { ENGLISH_STOP_WORDS } from "./stop-words.ts";

/** Receives terms, and words to convert to terms. */
export interface TermSink extends TermReceiver {
  /** Adds a word even if it is a stop word; English words are stemmed. */
  addStemmed(word: string): void;
  /** Adds the terms of a single folded word; none for a stop word. */
  addWord(word: string): void;
}

/**
 * Letters and digits that are written with or without a space: `X200`, `x 200`. `1990s` and `3d` are words.
 */
const LETTERS_AND_DIGITS = /^([a-z]{1,8})(\d{2,})$/;
const HEXADECIMAL = /^0x[0-9a-f]{2,}$/;

export function createTermSink(receivers: TermReceiver & { readonly stem: Stem }): TermSink {
  const { stem, add, addExtra } = receivers;
  const sink: TermSink = {
    add,
    addExtra,
    addStemmed: (word) => add(/^[a-z]+$/.test(word) ? stem(word) : word),
    addWord(word) {
      if (ENGLISH_STOP_WORDS.has(word)) return;
      if (isAscii(word)) addRun(word);
      else addByScript(word, sink, addRun);
    },
  };
  const addRun = (run: string): void => {
    if (run.includes(HUMP)) addHumps(run);
    else if (/\d/.test(run)) addWithDigits(run, sink);
    else sink.addStemmed(run);
  };
  const addHumps = (word: string): void => {
    sink.addStemmed(withoutHumps(word));
    const humps = word.split(HUMP).filter((hump) => hump !== "");
    if (humps.length < 2) return;
    // A question with an identifier searches for the identifier only; a chunk is also found by the words in
    // it.
    const extras = createTermSink({ stem, add: addExtra, addExtra });
    for (const hump of humps) extras.addWord(hump);
  };
  return sink;
}

function addWithDigits(word: string, sink: TermSink): void {
  sink.add(word);
  if (HEXADECIMAL.test(word)) sink.addExtra(word.slice(2));
  const [, letters = "", digits = ""] = LETTERS_AND_DIGITS.exec(word) ?? [];
  if (letters === "") return;
  sink.addWord(letters);
  sink.add(digits);
}
