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
 * Recognizes strings, but no other part of the grammar. Linear in the length of the text.
 */
export function spanAt(text: string, start: number): JsonSpan | null {
  const brackets = createBrackets();
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      if (!brackets.open(character === "{" ? "}" : "]", at)) return null;
    } else if (character === "}" || character === "]") {
      if (!brackets.close(character, at)) return null;
      if (brackets.areClosed()) return { text: text.slice(start, at + 1), closed: true, cut: null };
    } else if (character === ",") brackets.markCut(at);
  }
  return { text: text.slice(start), closed: false, cut: brackets.cutFrom(start) };
}

type ClosingBracket = "}" | "]";

/** The brackets that are open, and the last place where the text can be cut. */
function createBrackets() {
  const open: ClosingBracket[] = [];
  /** Brackets up to the outermost open array; 0 = no array is open. */
  let arrayDepth = 0;
  let cut = { at: -1, depth: 0, isInArray: false };

  /**
   * Only in the outermost array or in the objects around it: at a deeper position, the current item is incomplete. So only the last
   * bracket that is open at a cut can be an array's.
   */
  function markCut(at: number): void {
    if (arrayDepth === 0 || arrayDepth === open.length)
      cut = { at, depth: open.length, isInArray: arrayDepth > 0 };
  }

  return {
    markCut,
    /** False when the brackets are nested too deeply. */
    open(closing: ClosingBracket, at: number): boolean {
      if (open.push(closing) > MAX_DEPTH) return false;
      if (closing === "]") {
        if (arrayDepth === 0) arrayDepth = open.length;
        markCut(at + 1);
      }
      return true;
    },
    /** False when another bracket is to be closed first. */
    close(closing: ClosingBracket, at: number): boolean {
      if (arrayDepth === open.length) arrayDepth = 0;
      if (open.pop() !== closing) return false;
      markCut(at + 1);
      return true;
    },
    areClosed: () => open.length === 0,
    cutFrom(start: number): JsonSpan["cut"] {
      if (cut.at < 0) return null;
      const { depth, isInArray } = cut;
      const closing = isInArray ? `]${"}".repeat(depth - 1)}` : "}".repeat(depth);
      return { at: cut.at - start, closing };
    },
  };
}
