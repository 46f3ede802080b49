/** Sets a document's text apart from what a model is told, whatever the text says. */

/** What chat templates take for the end of a message or the beginning of another, also inside of one. */
const TEMPLATE_MARKS = /<(?=\||\/?s>|(?:start|end)_of_turn>)|\[(?=\/?(?:INST|SYS)\])|<(?=<\/?SYS>>)/gi;

/**
 * The text between marks that it does not contain itself: no text can end its own fence. Marks of chat templates are
 * taken apart by a space. A function of the text alone, so that equal texts make equal prompts.
 */
export function fenceText(text: string): string {
  const harmless = text.replace(TEMPLATE_MARKS, "$& ");
  const lower = harmless.toLowerCase();
  let tag = "text";
  for (let number = 2; lower.includes(`<${tag}`) || lower.includes(`/${tag}`); number++)
    tag = `text${number}`;
  return `<${tag}>\n${harmless}\n</${tag}>`;
}
