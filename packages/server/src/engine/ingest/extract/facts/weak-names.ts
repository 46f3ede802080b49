/** Names of which only the place in a sentence or line makes the capital. */
import { UNTYPED } from "../../../../domain/graph.ts";
import { opensSentence } from "../mentions/name-runs.ts";
import type { PossibleEntity } from "./found-entity.ts";
import type { Passage, PassageSentence } from "./passage.ts";

/** From which on a lone word that opens a sentence is a name without another reason. */
export const SURE_NAME = 0.8;

/** The words that have a capital inside a sentence of the chunk. */
export function innerCapitals(passage: Passage): ReadonlySet<string> {
  return new Set(
    passage.sentences.flatMap((sentence) =>
      sentence.tokens.flatMap(({ text }, at) =>
        /^\p{Lu}/u.test(text) && !opensLine(passage, sentence, at) ? [text] : [],
      ),
    ),
  );
}

interface Context {
  readonly passage: Passage;
  readonly sentence: PassageSentence;
  /** As `innerCapitals` returns them. */
  readonly inner: ReadonlySet<string>;
}

/** "Serum from three donors", "2) Toilets", "Coverage 78", "Replacing SF6", "3 MB": its capital or length says nothing. */
export function isWeakName(entity: PossibleEntity, { passage, sentence, inner }: Context): boolean {
  const { name, from, to, type, confidence } = entity;
  const { tokens } = sentence;
  const first = tokens[from];
  if (first === undefined || (type !== UNTYPED && confidence >= SURE_NAME)) return false;
  const opens = opensLine(passage, sentence, from);
  if (opens && first.tag === "VERB" && /ing$/.test(first.lower) && !inner.has(first.text)) return true;
  const isNumbered = to - from === 2 && /^\d+$/.test(tokens[from + 1]?.text ?? "");
  if (to - from > 1 && !isNumbered) return false;
  const isUnit = name.length <= 3 && /^\d/.test(tokens[from - 1]?.text ?? "");
  if (type === UNTYPED && (/^.?.?\p{Ll}$/u.test(name) || isUnit)) return true;
  const rest = first.text.slice(1);
  const isMixed = (/\p{Lu}/u.test(rest) && /\p{Ll}/u.test(rest)) || /\d/.test(rest);
  return opens && !isMixed && !inner.has(first.text) && !isTreatedAsName(tokens, to);
}

/** "Ostrel's report", "Ostrel, whose report": common nouns in this place have an article. */
function isTreatedAsName(tokens: PassageSentence["tokens"], to: number): boolean {
  const [next, after] = [tokens[to], tokens[to + 1]];
  if (!/^(?:PROPN|NOUN)$/.test(tokens[to - 1]?.tag ?? "")) return false;
  return (
    /^['’]s$/.test(next?.text ?? "") ||
    (next?.text === "," && /^(?:who|whose|which|the|an?)$/.test(after?.lower ?? ""))
  );
}

/** Whether no letter stands before the token in its sentence, or in its line. */
function opensLine(passage: Passage, { tokens }: PassageSentence, at: number): boolean {
  if (opensSentence(tokens, at)) return true;
  // Ends at the first token with letters, so that the walk over all tokens is linear.
  for (let place = at; place > 0; place--) {
    const [before, next] = [tokens[place - 1], tokens[place]];
    if (before === undefined || next === undefined) break;
    if (passage.textOf({ start: before.end, end: next.start }).includes("\n")) return true;
    if (/\p{L}/u.test(before.text)) return false;
  }
  return true;
}
