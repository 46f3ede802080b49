/** Sets a document's text apart from what a model is told, whatever the text says. */

import { withoutTemplateMarks } from "../../../text/template-marks.ts";

/**
 * The text between marks that it does not contain itself: no text can end its own fence. Marks of chat templates are
 * taken apart by a space. A function of the text alone, so that equal texts make equal prompts.
 */
export function fenceText(text: string): string {
  const harmless = withoutTemplateMarks(text);
  const lower = harmless.toLowerCase();
  let tag = "text";
  for (let number = 2; lower.includes(`<${tag}`) || lower.includes(`/${tag}`); number++)
    tag = `text${number}`;
  return `<${tag}>\n${harmless}\n</${tag}>`;
}
