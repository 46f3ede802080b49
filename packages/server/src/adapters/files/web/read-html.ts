/** HTML: the main part of a page as Markdown. */
import { decodeText } from "../decode-text.ts";
import type { Markdown } from "../markdown.ts";
import { isoDate, titleOrNull } from "../office/properties.ts";
import { findElement, type HtmlElement, parseHtml } from "./html-node.ts";
import { htmlText } from "./html-text.ts";
import { writeHtml } from "./html-to-markdown.ts";
import { mainPart } from "./main-part.ts";
import { applyClasses } from "./style-classes.ts";

export interface Page {
  readonly title: string | null;
  readonly date: string | null;
}

/** @param css of files beside the page */
export function readHtml(html: string, markdown: Markdown, css = ""): Page {
  const nodes = parseHtml(html);
  applyClasses(nodes, css);
  writeHtml(mainPart(nodes), markdown);
  const title = findElement(nodes, ({ name }) => name === "title");
  const date = findElement(nodes, isDate);
  return {
    title: title === undefined ? null : titleOrNull(htmlText(title)),
    date: isoDate(date?.attribs["content"] ?? ""),
  };
}

/** null = it is not text. */
export function decodeHtml(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  const [, charset = null] = /charset\s{0,4}=\s{0,4}["']?([\w-]{1,40})/i.exec(start) ?? [];
  const [, encoding = null] = /^<\?xml[^>]{0,60}encoding=["']([\w-]{1,40})/.exec(start) ?? [];
  return decodeText(bytes, charset ?? encoding);
}

function isDate({ name, attribs }: HtmlElement): boolean {
  const key = attribs["property"] ?? attribs["name"] ?? "";
  return name === "meta" && /^(?:article:published_time|date|dc\.date|dcterms\.created)$/i.test(key);
}
