/** Whether a sentence tells of the time of its document, and what is so, where only its text is known. */
import { isAsserted } from "../../text/asserted.ts";
import { PAST_TENSE } from "../../text/past-tense.ts";

const present =
  /\b(?:is|are|am|has|have|works|lives|serves|stays|resides|studies|holds|runs|leads|heads|manages|owns|belongs|remains|keeps|chairs|represents|teaches|plays|reports|lies|contains|makes|employs|supplies)\b/i;
/** What tells of another time, or is told by another. */
const other =
  /\b(?:was|were|had|did|former|formerly|ex|once|until|till|previous|previously|earlier|later|then|when|before|after|used|ago|last|next)\b|["“”]|\b[12]\d{3}\b/iu;
/** "is owned", "has since led": of now. */
const auxiliary = /^(?:is|are|has|have|been|being|be)$/;

export function isToldInPresent(sentence: string): boolean {
  if (!present.test(sentence) || other.test(sentence) || !isAsserted(sentence)) return false;
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isOfNow = (at: number) => words.slice(Math.max(0, at - 2), at).some((word) => auxiliary.test(word));
  return words.every((word, at) => !PAST_TENSE.test(word) || isOfNow(at));
}
