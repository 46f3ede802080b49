/** Leaves out what surrounds the text of a page, by what the page itself says of its parts (docs/decisions/0038-files.md). */
import { childElements, findElement, type HtmlElement, type HtmlNode } from "./html-node.ts";

/** The parts that are declared as main; without any, the body but for navigation, banner and footer. */
export function mainPart(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const main = outermost(nodes, isMain);
  if (main.length > 0) return main;
  const body = findElement(nodes, ({ name }) => name === "body");
  return (body?.children ?? nodes).filter((node) => !("attribs" in node) || !isFrame(node));
}

function outermost(
  nodes: readonly HtmlNode[],
  isWanted: (element: HtmlElement) => boolean,
): readonly HtmlElement[] {
  return childElements(nodes).flatMap((element) =>
    isWanted(element) ? [element] : outermost(element.children, isWanted),
  );
}

function isMain({ name, attribs }: HtmlElement): boolean {
  return name === "main" || attribs["role"] === "main";
}

function isFrame({ name, attribs }: HtmlElement): boolean {
  return name === "footer" || /^(?:navigation|search|contentinfo|banner)$/.test(attribs["role"] ?? "");
}
