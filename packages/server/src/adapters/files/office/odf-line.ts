/** The text of paragraphs in OpenDocument. */
import { createInlineText, type InlineText, type Position } from "../inline-text.ts";
import { childElements, findChild, type XmlElement } from "../xml.ts";
import type { OdfStyle, OdfStyles } from "./odf-styles.ts";

/** How the text around is shown. */
interface Shown {
  readonly styles: OdfStyles;
  readonly isHidden: boolean;
  readonly position: Position | null;
}

/** The text of the paragraphs in an element, on one line. @param outer the style of what they are in */
export function odfLine(element: XmlElement, styles: OdfStyles, outer: OdfStyle = {}): string {
  const shown = { styles, isHidden: outer.isHidden ?? false, position: null };
  return lineOf(element, shown);
}

function lineOf(element: XmlElement, shown: Shown): string {
  if (element.name === "p" || element.name === "h") {
    if (hasHiddenMark(element)) return "";
    const line = createInlineText();
    addChildren(element, line, within(shown, "paragraph", element));
    return line.take();
  }
  return childElements(element)
    .filter(({ name }) => name !== "annotation" && name !== "notes")
    .map((child) => lineOf(child, shown))
    .filter((text) => text !== "")
    .join(" ");
}

/** What is in a paragraph and has paragraphs of its own. */
const APART = /^(?:note|annotation|text-box)$/;

/** In the paragraph itself. */
function hasHiddenMark(element: XmlElement): boolean {
  return childElements(element).some(
    (child) =>
      (child.name === "hidden-paragraph" && isHiddenNow(child)) ||
      (!APART.test(child.name) && hasHiddenMark(child)),
  );
}

/** By a condition, as it was when the file was saved. */
export function isHiddenNow({ attributes }: XmlElement): boolean {
  return attributes["text:is-hidden"] === "true";
}

function within(shown: Shown, family: "paragraph" | "text", { attributes }: XmlElement): Shown {
  const style = shown.styles.find(family, attributes["text:style-name"]);
  const position = style.position === undefined ? shown.position : style.position;
  return { ...shown, isHidden: style.isHidden ?? shown.isHidden, position };
}

function addChildren(element: XmlElement, line: InlineText, shown: Shown): void {
  for (const child of element.children) {
    // White space is written as elements, line ends of the file mean a space.
    if (typeof child !== "string") addElement(child, line, shown);
    else if (!shown.isHidden) line.add(child.replace(/\s+/g, " "), shown.position);
  }
}

/** Footnotes are in brackets where they are referred to. */
function addElement(element: XmlElement, line: InlineText, shown: Shown): void {
  if (isHiddenNow(element)) return;
  switch (element.name) {
    case "s":
    case "tab":
      line.add(" ");
      break;
    case "line-break":
      line.add("\n");
      break;
    case "note": {
      const body = findChild(element, "note-body") ?? element;
      if (!shown.isHidden) line.add(` (${lineOf(body, { ...shown, position: null })})`);
      break;
    }
    case "note-ref":
      addChildren(element, line, { ...shown, position: "note" });
      break;
    case "annotation":
    case "text-box":
    case "title":
    case "desc":
    case "ruby-text":
      break;
    default:
      addChildren(element, line, within(shown, "text", element));
  }
}
