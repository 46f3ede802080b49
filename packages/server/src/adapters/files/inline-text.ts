/** Puts the pieces of a line together, of which some are raised or lowered. */
import { lower, noteMark, raise } from "./raised-text.ts";

/** `note` = the number or sign of a note, `formula` = written on the line, but apart from a number before it. */
export type Position = "raised" | "lowered" | "note" | "formula";

export interface InlineText {
  /** @param position null = on the line */
  add(text: string, position?: Position | null): void;
  /** All that was added since the last call. */
  take(): string;
}

const WRITERS: Readonly<Record<Position, (text: string, before: string) => string>> = {
  raised: raise,
  lowered: lower,
  note: noteMark,
  formula: (text, before) => (/[\p{L}\p{N}]$/u.test(before) ? ` ${text}` : text),
};
/** What a raised piece depends on. */
const TAIL_LENGTH = 40;

export function createInlineText(): InlineText {
  let pieces: string[] = [];
  let tail = "";
  let open: { readonly position: Position; text: string } | null = null;
  let isAfterNote = false;

  function write(text: string): void {
    if (text === "") return;
    pieces.push(text);
    tail = (tail + text.slice(-TAIL_LENGTH)).slice(-TAIL_LENGTH);
  }

  /** A superscript can be in several pieces, of which one is bold. */
  function closeOpen(): void {
    if (open === null) return;
    const { position, text } = open;
    open = null;
    const written = WRITERS[position](text, tail);
    write(written);
    isAfterNote = written.endsWith("]");
    if (/\s$/.test(text) && /\S$/.test(written)) write(" ");
  }

  return {
    add(text, position = null) {
      if (text === "") return;
      if (position !== null && open?.position === position) open.text += text;
      else {
        closeOpen();
        if (position !== null) open = { position, text };
        else {
          if (isAfterNote && /^[\p{L}\p{N}]/u.test(text)) write(" ");
          write(text);
        }
        if (position === null) isAfterNote = false;
      }
    },
    take() {
      closeOpen();
      const text = pieces.join("");
      pieces = [];
      tail = "";
      isAfterNote = false;
      return text;
    },
  };
}
