/**
 * Neutralizes marks of chat templates: some models interpret them as the end of a message, or the beginning
 * of another, even inside a message.
 */

const MARKS = /<(?=\||\/?s>|(?:start|end)_of_turn>)|\[(?=\/?(?:INST|SYS)\])|<(?=<\/?SYS>>)/gi;

/** Inserts a space into each mark, so that models no longer recognize it. A pure function of the text. */
export function withoutTemplateMarks(text: string): string {
  return text.replace(MARKS, "$& ");
}
