/** Formulas in MathML as a line of text. */
import { fraction, operator, root, rowOf, scripts } from "../formula.ts";
import { oneLine } from "../markdown.ts";
import { childElements, type HtmlElement, type HtmlNode, isHidden } from "./html-node.ts";

export function mathText(math: HtmlElement): string {
  return oneLine(rowText(math.children));
}

function rowText(nodes: readonly HtmlNode[]): string {
  return rowOf(nodes.map(nodeText));
}

function nodeText(node: HtmlNode): string {
  if (node.type === "text") return oneLine(node.data);
  if (!("children" in node)) return "";
  return "attribs" in node ? elementText(node) : rowText(node.children);
}

function elementText(element: HtmlElement): string {
  if (isHidden(element) || element.name === "mphantom") return "";
  // Each child is read once, because formulas are deep.
  switch (element.name) {
    case "mo":
      return operator(rowText(element.children));
    case "msqrt":
      return root(rowText(element.children));
    case "mspace":
      return " ";
    default:
      return PARTED.has(element.name) ? partsText(element) : rowText(element.children);
  }
}

/** The children of these have places of their own. */
const PARTED: ReadonlySet<string> = new Set([
  ...["msup", "mover", "msub", "munder", "msubsup", "munderover"],
  ...["mfrac", "mroot", "mfenced", "mtable", "mtr"],
]);

function partsText(element: HtmlElement): string {
  const parts = childElements(element.children).map(nodeText);
  const [first = "", second = "", third = ""] = parts;
  switch (element.name) {
    case "msup":
    case "mover":
      return scripts(first, { above: second });
    case "msub":
    case "munder":
      return scripts(first, { below: second });
    case "msubsup":
    case "munderover":
      return scripts(first, { below: second, above: third });
    case "mfrac":
      return fraction(first, second);
    case "mroot":
      return root(first, second);
    case "mfenced":
      return `${element.attribs["open"] ?? "("}${parts.join(", ")}${element.attribs["close"] ?? ")"}`;
    case "mtable":
      return parts.join("; ");
    case "mtr":
      return parts.join(", ");
    default:
      return parts.join("");
  }
}
