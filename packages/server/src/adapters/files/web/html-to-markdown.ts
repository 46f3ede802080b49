/** Writes a tree of HTML as Markdown: headings, paragraphs, lists, tables and code; links and emphasis as their text. */
import { createInlineText, type InlineText } from "../inline-text.ts";
import { type Markdown, oneLine } from "../markdown.ts";
import {
  BLOCKS,
  childElements,
  childrenNamed,
  type HtmlElement,
  type HtmlNode,
  isHidden,
} from "./html-node.ts";
import { tableRows } from "./html-table.ts";
import { addScript, htmlText } from "./html-text.ts";

/** The place of a list item whose first paragraph has been written or not. */
interface Item {
  readonly depth: number;
  readonly marker: string;
  isWritten: boolean;
}

/** The paragraph that is being read, and the item that it belongs to. */
interface Flow {
  readonly markdown: Markdown;
  readonly inline: InlineText;
  item: Item | null;
}

/** Adds what the nodes show to the Markdown. */
export function writeHtml(nodes: readonly HtmlNode[], markdown: Markdown): void {
  const flow: Flow = { markdown, inline: createInlineText(), item: null };
  walkAll(nodes, flow);
  flush(flow);
}

function walkAll(nodes: readonly HtmlNode[], flow: Flow): void {
  for (const node of nodes) {
    if (node.type === "text") flow.inline.add(node.data.replace(/\s+/g, " "));
    else if ("attribs" in node) walkElement(node, flow);
    else if ("children" in node) walkAll(node.children, flow);
  }
}

function walkElement(element: HtmlElement, flow: Flow): void {
  const { name } = element;
  if (isHidden(element)) return;
  if (name === "br") flow.inline.add("\n");
  else if (name === "img") flow.inline.add(` ${element.attribs["alt"] ?? ""} `);
  else if (name === "ul" || name === "ol" || name === "menu") writeList(element, flow);
  else if (name === "table") writeTable(element, flow);
  else if (name === "pre") {
    flush(flow);
    flow.markdown.codeBlock(htmlText(element, ""));
  } else if (/^h[1-6]$/.test(name)) {
    flush(flow);
    const text = oneLine(htmlText(element));
    if (text !== "") flow.markdown.heading(Number(name.slice(1)), text);
  } else if (BLOCKS.has(name)) walkBlock(element.children, flow);
  else if (!addScript(element, flow.inline)) walkAll(element.children, flow);
}

function walkBlock(nodes: readonly HtmlNode[], flow: Flow): void {
  flush(flow);
  walkAll(nodes, flow);
  flush(flow);
}

/** Ends the paragraph. */
function flush(flow: Flow): void {
  const { markdown, inline, item } = flow;
  const lines = inline.take().split("\n").map(oneLine);
  const text = lines.filter((line) => line !== "").join("\n");
  if (text === "") return;
  if (item === null) markdown.paragraph(text);
  else if (item.isWritten) markdown.itemParagraph(item.depth, text);
  else {
    markdown.item(item.depth, text, item.marker);
    item.isWritten = true;
  }
}

function writeList(list: HtmlElement, flow: Flow): void {
  flush(flow);
  const outer = flow.item;
  const depth = outer === null ? 0 : outer.depth + 1;
  const step = "reversed" in list.attribs ? -1 : 1;
  let number = integerOf(list.attribs["start"]) ?? (step < 0 ? childrenNamed(list, "li").length : 1);
  for (const child of childElements(list.children)) {
    // Some programs nest a list directly in the outer one.
    if (child.name === "ul" || child.name === "ol") walkElement(child, flow);
    else {
      number = integerOf(child.attribs["value"]) ?? number;
      const marker = list.name === "ol" ? `${number}.` : "-";
      // An item that is struck out has its number.
      number += step;
      if (isHidden(child)) continue;
      flow.item = { depth, marker, isWritten: false };
      walkBlock(child.children, flow);
    }
  }
  flow.item = outer;
}

function integerOf(attribute: string | undefined): number | null {
  return /^\s{0,9}-?\d{1,9}\s{0,9}$/.test(attribute ?? "") ? Number(attribute) : null;
}

function writeTable(table: HtmlElement, flow: Flow): void {
  flush(flow);
  const outer = flow.item;
  flow.item = null;
  const rows = tableRows(table);
  if (rows === null) walkLayout(table.children, flow);
  else {
    for (const caption of childrenNamed(table, "caption")) {
      flow.markdown.paragraph(oneLine(htmlText(caption)));
    }
    flow.markdown.table(rows);
  }
  flow.item = outer;
}

/** Cells of a table that only arranges parts of a page. */
function walkLayout(nodes: readonly HtmlNode[], flow: Flow): void {
  for (const element of childElements(nodes)) {
    if (isHidden(element)) continue;
    if (/^(?:tbody|thead|tfoot|tr)$/.test(element.name)) walkLayout(element.children, flow);
    else if (element.name === "td" || element.name === "th") walkBlock(element.children, flow);
    else walkElement(element, flow);
  }
}
