/** Tags words with their parts of speech by wink-nlp's small English model. */

import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import type { Span } from "../../../../domain/graph.ts";
import { mendTags } from "./mend-tags.ts";
import type { TaggedToken } from "./tagged-token.ts";

export type TagSentence = (text: string, sentence: Span) => readonly TaggedToken[];

/** Longer "sentences" are tables or code: only their beginning is tagged. */
const MAX_SENTENCE_UNITS = 2_000;

/** The model's patterns of web and e-mail addresses take cubic time in the length of a run without white space. */
const LONG_RUN = /\S{200}/gu;

/**
 * The model keeps every new word that it meets, so it is made anew after this many sentences: about 40 ms each
 * time, against memory that would grow with the corpus.
 */
const SENTENCES_PER_MODEL = 50_000;

/** A tagger with a state: one for each thread. Opening takes about 0.2 s, a sentence about 0.15 ms. */
export function createTagger(): TagSentence {
  let nlp = winkNLP(model, ["pos"]);
  let tagged = 0;
  return (text, sentence) => {
    if (tagged++ >= SENTENCES_PER_MODEL) {
      nlp = winkNLP(model, ["pos"]);
      tagged = 1;
    }
    const end = Math.min(sentence.end, sentence.start + MAX_SENTENCE_UNITS);
    return tag(nlp, text.slice(sentence.start, end), sentence.start);
  };
}

function tag(nlp: ReturnType<typeof winkNLP>, sentence: string, offset: number): readonly TaggedToken[] {
  const tokens = nlp.readDoc(sentence.replace(LONG_RUN, "$& ")).tokens();
  const words = tokens.out();
  const tags = tokens.out(nlp.its.pos) as unknown as readonly string[];
  const lemmas = tokens.out(nlp.its.lemma as never) as unknown as readonly string[];
  const found: TaggedToken[] = [];
  let from = 0;
  for (const [index, word] of words.entries()) {
    const at = sentence.indexOf(word, from);
    // The model writes some characters anew; a word that the text does not hold has no place in it.
    if (at < 0 || word.trim() === "") continue;
    from = at + word.length;
    const before = found.at(-1);
    if (before !== undefined && before.end === offset + at && isCutLetter(before.text, word)) {
      const text = before.text + word;
      const lower = text.toLowerCase();
      found[found.length - 1] = { ...before, text, lower, lemma: lower, end: offset + from };
      continue;
    }
    found.push({
      text: word,
      lower: word.toLowerCase(),
      lemma: (lemmas[index] ?? word).toLowerCase(),
      tag: tags[index] ?? "X",
      start: offset + at,
      end: offset + from,
    });
  }
  return mendTags(found);
}

/** The model cuts words at letters that it does not know: "Aktu" and "ğ". */
function isCutLetter(before: string, word: string): boolean {
  const [last, first] = [before.at(-1) ?? "", word.at(0) ?? ""];
  const isUnknown = (letter: string) => letter > "\u00ff" && letter < "\u2000" && /\p{L}/u.test(letter);
  return /\p{L}$/u.test(last) && /^\p{L}/u.test(first) && (isUnknown(last) || isUnknown(first));
}
