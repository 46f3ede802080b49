/** Reads one sentence of a language model's answer. The text is untrusted. */
import { CITATION } from "./cut-sentences.ts";

export interface CitingSentence {
  /** With the citations of known passages, if citations are wanted. */
  readonly text: string;
  /** Without citations. */
  readonly plain: string;
  /** Places of the known passages that it cites, from 0. */
  readonly cited: readonly number[];
}

const CITATIONS = new RegExp(`\\s{0,8}(?:${CITATION.source})`, "g");
const LIST_MARK = /^\s{0,8}(?:[-*•–]|\d{1,3}[.)])\s{1,8}/;

/** null where there is no word. */
export function readSentence(
  raw: string,
  { passages, cites }: { readonly passages: number; readonly cites: boolean },
): CitingSentence | null {
  const cited: number[] = [];
  const whole = raw.toWellFormed();
  const text = whole
    .replace(CITATIONS, (list) => {
      const numbers = (list.match(/\d+/g) ?? []).map(Number);
      const known = numbers.filter((number) => number >= 1 && number <= passages);
      cited.push(...known.map((number) => number - 1));
      return cites && known.length > 0 ? ` ${known.map((number) => `[${number}]`).join("")}` : "";
    })
    .trim();
  const plain = whole.replace(CITATIONS, "").replace(LIST_MARK, "").trim();
  return /[\p{L}\p{N}]/u.test(plain) ? { text, plain, cited: [...new Set(cited)] } : null;
}
