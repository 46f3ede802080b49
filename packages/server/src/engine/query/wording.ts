/** Detects repeated sentences, ignoring case and punctuation. */
import { isAscii } from "../text/fold-text.ts";

/** Returns a function that is true for a text whose sequence of words it was not called with before. */
export function createWordingFilter(): (text: string) => boolean {
  const seen = new Map<number, string[]>();
  return (text) => {
    // The hash distinguishes nearly all texts, at a tenth of the cost of folding them.
    const hash = hashWords(isAscii(text) ? text : foldSpace(text));
    const sameHash = seen.get(hash);
    if (sameHash === undefined) {
      seen.set(hash, [text]);
      return true;
    }
    const wording = foldSpace(text);
    if (sameHash.some((other) => foldSpace(other) === wording)) return false;
    sameHash.push(text);
    return true;
  };
}

function foldSpace(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** FNV-1a of ASCII or folded text; equal for an ASCII text and its folded form. */
function hashWords(text: string): number {
  let hash = 0x811c9dc5;
  let gap = 0;
  let isFirst = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isWordUnit(unit)) {
      gap = 0x10000;
      continue;
    }
    // Setting the bit lower-cases letters; in digits it is set already. A gap before the first word does not
    // count.
    const mixed = (unit < 128 ? unit | 0x20 : unit) + (isFirst ? 0 : gap);
    hash = Math.imul(hash ^ mixed, 0x01000193);
    gap = 0;
    isFirst = false;
  }
  return hash;
}

function isWordUnit(unit: number): boolean {
  const lowerCase = unit | 0x20;
  return unit >= 128 || (unit >= 48 && unit <= 57) || (lowerCase >= 97 && lowerCase <= 122);
}
