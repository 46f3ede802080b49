/** Formulas in MathML as a line of text: `(a+b)/2`, `10⁶`, `√(x+1)`. */
import { oneLine } from "../markdown.ts";
import { lower, powerOf } from "../raised-text.ts";
import { childElements, type HtmlElement, type HtmlNode, isHidden } from "./html-node.ts";

export function mathText(math: HtmlElement): string {
  return oneLine(rowText(math.children));
}

function rowText(nodes: readonly HtmlNode[]): string {
  const parts: string[] = [];
  let last = "";
  for (const next of nodes.map(nodeText)) {
    if (next === "") continue;
    // 1 and one half are not eleven halves.
    if (/\d$/.test(last) && /^\d/.test(next)) parts.push(" ");
    parts.push(next);
    last = next.slice(-1);
  }
  return parts.join("");
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
      return `√${group(rowText(element.children))}`;
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
      return `${group(first)}/${group(second)}`;
    case "mroot":
      return `${powerOf(second, "√")}√${group(first)}`;
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

function scripts(base: string, { below = "", above = "" }: { below?: string; above?: string }): string {
  const start = group(base);
  return start + (below === "" ? "" : lower(below, start)) + (above === "" ? "" : powerOf(above, start));
}

/** Comparisons stand apart; operators that nobody sees are left out. */
function operator(text: string): string {
  if (/^[\u2061-\u2064]$/.test(text)) return "";
  return /^[=<>≤≥≠≈≡∼→⇒∈±]$/.test(text) ? ` ${text} ` : text;
}

/** In parentheses, unless it is a single thing. */
function group(text: string): string {
  const content = text.trim();
  return /[\s+\-−–=/*·×,;]/.test(content) && !isEnclosed(content) ? `(${content})` : content;
}

function isEnclosed(text: string): boolean {
  return /^\([^()]{0,999}\)$/.test(text);
}
