/** Elements and texts of a page as the parser gives them. */
import { DomHandler, Parser } from "htmlparser2";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import { createXmlNames } from "../xml-names.ts";

export type HtmlNode = DomHandler["dom"][number];
export type HtmlElement = Extract<HtmlNode, { attribs: unknown }>;

/** What a person does not read, what is struck out, and readings beside characters. */
const HIDDEN: ReadonlySet<string> = new Set(
  "script style template datalist noscript head svg button select iframe object audio video canvas annotation annotation-xml nav del s strike rt rp".split(
    " ",
  ),
);
const HIDDEN_STYLE =
  /(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|text-decoration(?:-line)?\s{0,4}:[^;:]{0,40}line-through)/i;
/** Elements that begin and end a paragraph. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form header " +
    "hgroup hr html legend main p section summary tbody thead tr"
  ).split(" "),
);

/** Deeper elements, as of marks that old pages never close, are left out, and their texts belong to the element around them. */
const MAX_DEPTH = 500;
const START_CHARACTERS = 2_000;
/** The time of the parser grows with the square of the depth. */
const REFUSED_DEPTH = 20_000;

/** @throws UnreadableFile when elements are nested without end */
export function parseHtml(html: string): readonly HtmlNode[] {
  const handler = new DomHandler();
  const open = handler.onopentag.bind(handler);
  const close = handler.onclosetag.bind(handler);
  const names = createXmlNames();
  let depth = 0;
  handler.onopentag = (written, attributesWritten) => {
    if (++depth > REFUSED_DEPTH)
      throw new UnreadableFile("The page is damaged: its parts are nested too deeply.");
    const { name, attributes } = names.open(written, attributesWritten);
    if (depth <= MAX_DEPTH) open(name, { ...attributes });
  };
  handler.onclosetag = () => {
    names.close();
    if (depth-- <= MAX_DEPTH) close();
  };
  new Parser(handler, { recognizeSelfClosing: isXhtml(html) }).end(html);
  return handler.dom;
}

/** There, an element that is closed where it opens holds nothing of what follows. */
function isXhtml(html: string): boolean {
  const start = html.slice(0, START_CHARACTERS);
  return /^\s{0,99}<\?xml\s/.test(start) || start.includes("http://www.w3.org/1999/xhtml");
}

export function childElements(nodes: readonly HtmlNode[]): readonly HtmlElement[] {
  return nodes.filter((node): node is HtmlElement => "attribs" in node);
}

export function childrenNamed(element: HtmlElement, name: string): readonly HtmlElement[] {
  return childElements(element.children).filter((child) => child.name === name);
}

export function isHidden({ name, attribs }: HtmlElement): boolean {
  if (HIDDEN.has(name) || "hidden" in attribs || attribs["aria-hidden"] === "true") return true;
  if ("popover" in attribs || (name === "dialog" && !("open" in attribs))) return true;
  // Marks beside headings that link to them, as Sphinx and others write.
  if (name === "a" && /headerlink|anchorjs/.test(attribs["class"] ?? "")) return true;
  return HIDDEN_STYLE.test(attribs["style"] ?? "");
}

/** The first one in the order of the document. */
export function findElement(
  nodes: readonly HtmlNode[],
  isWanted: (element: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const node of nodes) {
    if (!("children" in node)) continue;
    if ("attribs" in node && isWanted(node)) return node;
    const found = findElement(node.children, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
