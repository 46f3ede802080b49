/** Marks of chat templates: what some models take for the end of a message, or the beginning of another, inside of one, too. */

const MARKS = /<(?=\||\/?s>|(?:start|end)_of_turn>)|\[(?=\/?(?:INST|SYS)\])|<(?=<\/?SYS>>)/gi;

/** The text with a space in each mark, so that it is none any more. A function of the text alone. */
export function withoutTemplateMarks(text: string): string {
  return text.replace(MARKS, "$& ");
}
