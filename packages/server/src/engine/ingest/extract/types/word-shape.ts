/** How a word is written and what part of speech it is, as the typing network reads it. */
import type { TaggedToken } from "../statements/tagged-token.ts";

const tags = "NOUN PROPN VERB AUX ADP DET ADJ NUM PUNCT PRON ADV CCONJ PART SCONJ SYM X INTJ".split(" ");

/** Ones and zeros: the part of speech, then a capital at the beginning, only capitals, a digit, a capital inside. */
export function shapeOf({ text, tag }: TaggedToken, size: number): Float32Array {
  const shape = new Float32Array(size);
  const place = tags.indexOf(tag);
  if (place >= 0) shape[place] = 1;
  const rest = tags.length;
  shape[rest] = Number(/^\p{Lu}/u.test(text));
  shape[rest + 1] = Number(/^\p{Lu}{2,}/u.test(text));
  shape[rest + 2] = Number(/\d/.test(text));
  shape[rest + 3] = Number(/\p{Lu}/u.test(text.slice(1)) && /\p{Ll}/u.test(text));
  return shape;
}
