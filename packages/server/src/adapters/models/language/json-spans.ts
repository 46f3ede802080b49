/** Where JSON begins and ends in a text that may hold anything. */

/** Deeper than any schema of ours: what reads the value goes down by recursion. */
const MAX_DEPTH = 64;

export interface JsonSpan {
  readonly text: string;
  /** False when the text ended before the brackets were closed: then `text` goes to its end. */
  readonly closed: boolean;
  /** Where an unclosed text can be cut so that all items before are whole, and what closes it there; null = nowhere. */
  readonly cut: { readonly at: number; readonly closing: string } | null;
}

/**
 * The span that begins with the bracket at `start`; null when brackets do not match or go too deep. Knows strings, and
 * nothing else of the grammar.
 */
export function spanAt(text: string, start: number): JsonSpan | null {
  const open: string[] = [];
  let isInString = false;
  let cut: JsonSpan["cut"] = null;
  const markCut = (at: number) => {
    // In the outermost array, or in the objects around it: what goes deeper is half an item, which is none.
    const array = open.indexOf("]");
    if (array === -1 || array === open.length - 1) {
      cut = { at: at - start, closing: open.toReversed().join("") };
    }
  };
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      if (open.length > MAX_DEPTH) return null;
      if (character === "[") markCut(at + 1);
    } else if (character === "}" || character === "]") {
      if (open.pop() !== character) return null;
      if (open.length === 0) return { text: text.slice(start, at + 1), closed: true, cut: null };
      markCut(at + 1);
    } else if (character === ",") markCut(at);
  }
  return { text: text.slice(start), closed: false, cut };
}
