/** Finds the start and end of JSON in arbitrary text. */

/** More than any of our schemas needs. Limits the recursion of the code that reads the value. */
const MAX_DEPTH = 64;

export interface JsonSpan {
  readonly text: string;
  /** False when the text ends before all brackets are closed; `text` then extends to its end. */
  readonly closed: boolean;
  /**
   * For an unclosed text: where to cut it so that all items before are complete, and the brackets that close
   * it there. null = nowhere.
   */
  readonly cut: { readonly at: number; readonly closing: string } | null;
}

/**
 * The span that starts with the bracket at `start`; null when brackets do not match or are nested too deeply.
 * Recognizes strings, but no other part of the grammar.
 */
export function spanAt(text: string, start: number): JsonSpan | null {
  const open: string[] = [];
  let isInString = false;
  let cut: JsonSpan["cut"] = null;
  const markCut = (at: number) => {
    // Only in the outermost array or in the objects around it: at a deeper position, the current item is
    // incomplete.
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
