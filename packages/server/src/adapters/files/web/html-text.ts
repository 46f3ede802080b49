/** What a person sees of elements that are one line or one block. */
import { createInlineText, type InlineText, type Position } from "../inline-text.ts";
import {
  BLOCKS,
  childElements,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isHidden,
} from "./html-node.ts";
import { mathText } from "./math-text.ts";

/** Lines of `br` included. @param space around paragraphs */
export function htmlText(node: HtmlNode, space = " "): string {
  const line = createInlineText();
  addNode(node, line, space);
  return line.take();
}

/** The content of an element that stands higher or lower than the line, or is a formula. @returns whether it is one */
export function addScript(element: HtmlElement, line: InlineText): boolean {
  const position = positionOf(element);
  if (position !== null) line.add(contentOf(element), position);
  else if (element.name === "math") line.add(mathText(element), "formula");
  else return false;
  return true;
}

function addNode(node: HtmlNode, line: InlineText, space: string): void {
  if (node.type === "text") line.add(node.data);
  else if ("attribs" in node) addElement(node, line, space);
  else if ("children" in node) addAll(node.children, line, space);
}

function addAll(nodes: readonly HtmlNode[], line: InlineText, space: string): void {
  for (const node of nodes) addNode(node, line, space);
}

function addElement(element: HtmlElement, line: InlineText, space: string): void {
  const { name } = element;
  if (isHidden(element)) return;
  if (name === "br") line.add("\n");
  else if (name === "img") line.add(element.attribs["alt"] ?? "");
  else if (!addScript(element, line)) {
    const around = BLOCKS.has(name) || name === "li" ? space : "";
    line.add(around);
    addAll(element.children, line, space);
    line.add(around);
  }
}

function contentOf(element: HtmlElement): string {
  const line = createInlineText();
  addAll(element.children, line, " ");
  return line.take();
}

function positionOf(element: HtmlElement): Position | null {
  if (isNoteReference(element)) return "note";
  const { name, attribs } = element;
  const [, alignment] = /vertical-align\s{0,4}:\s{0,4}(super|sub)/i.exec(attribs["style"] ?? "") ?? [];
  if (name === "sup" || alignment?.toLowerCase() === "super") return "raised";
  return name === "sub" || alignment !== undefined ? "lowered" : null;
}

/** A link to another place that is raised, in whichever order, or one that says so. */
function isNoteReference({ name, attribs, children }: HtmlElement): boolean {
  if (attribs["epub:type"] === "noteref" || attribs["role"] === "doc-noteref") return true;
  if (name === "sup") return findElement(children, isLinkToPlace) !== undefined;
  if (name !== "a" || !(attribs["href"] ?? "").includes("#")) return false;
  const [first, ...others] = children.filter((child) => child.type !== "text" || child.data.trim() !== "");
  return others.length === 0 && childElements(first === undefined ? [] : [first])[0]?.name === "sup";
}

function isLinkToPlace({ name, attribs }: HtmlElement): boolean {
  return name === "a" && (attribs["href"] ?? "").includes("#");
}
