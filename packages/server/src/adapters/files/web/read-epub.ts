/** EPUB: the chapters in reading order. */
import { posix } from "node:path";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { Markdown } from "../markdown.ts";
import { isoDate, type Properties, titleOrNull } from "../office/properties.ts";
import {
  type Attributes,
  childElements,
  decodeXml,
  descendants,
  findChild,
  readXml,
  xmlText,
} from "../xml.ts";
import { shownName, type Zip } from "../zip.ts";
import { decodeHtml, readHtml } from "./read-html.ts";

const MAX_STYLE_SHEETS = 100;
/** Others, as pictures, have no text. Some books do not say what a part is. */
const CHAPTER_TYPE = /^(?:application\/xhtml\+xml|text\/html|application\/xml|text\/xml)$/i;
const CHAPTER_NAME = /\.(?:x?html?|xml)$/i;
/** Fonts are scrambled by these; the text can be read all the same. */
const FONT_ALGORITHMS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

export async function readEpub(zip: Zip, markdown: Markdown): Promise<Properties> {
  await requireUnprotected(zip);
  const container = readXml(decodeXml(await zip.read("META-INF/container.xml")));
  const path = findChild(container, "rootfiles", "rootfile")?.attributes["full-path"] ?? "";
  const book = readXml(decodeXml(await zip.read(path)));
  const items = new Map(
    descendants(book, "item").map(({ attributes }) => [attributes["id"] ?? "", attributes]),
  );
  const partOf = (href: string) => posix.join(posix.dirname(path), decodePath(href.replace(/#.*$/s, "")));
  const css = await readStyleSheets(
    zip,
    [...items.values()].filter(isStyleSheet).map(({ href = "" }) => partOf(href)),
  );
  for (const { attributes } of descendants(book, "itemref")) {
    const { href, "media-type": mediaType = "" } = items.get(attributes["idref"] ?? "") ?? {};
    if (href === undefined) continue;
    const chapter = partOf(href);
    if (CHAPTER_TYPE.test(mediaType) || CHAPTER_NAME.test(chapter))
      await readChapter({ zip, css, path: chapter }, markdown);
  }
  const metadata = childElements(book, "metadata")[0];
  return {
    title: titleOrNull(xmlText(findChild(metadata, "title"))),
    date: isoDate(xmlText(findChild(metadata, "date"))),
  };
}

interface Chapter {
  readonly zip: Zip;
  readonly css: string;
  readonly path: string;
}

async function readChapter({ zip, css, path }: Chapter, markdown: Markdown): Promise<void> {
  const html = decodeHtml(await zip.read(path));
  if (html === null)
    throw new UnreadableFile(`The file is damaged: its chapter ${shownName(path)} is not text.`);
  readHtml(html, markdown, css);
}

function isStyleSheet({ href = "", "media-type": type = "" }: Attributes): boolean {
  return /^text\/css\b/i.test(type) || /\.css$/i.test(href);
}

/** Of all chapters together. */
async function readStyleSheets(zip: Zip, paths: readonly string[]): Promise<string> {
  const sheets: string[] = [];
  for (const path of paths.slice(0, MAX_STYLE_SHEETS)) {
    sheets.push((await zip.find(path))?.toString("utf8") ?? "");
  }
  return sheets.join("\n");
}

async function requireUnprotected(zip: Zip): Promise<void> {
  const bytes = await zip.find("META-INF/encryption.xml");
  if (bytes === null) return;
  const methods = descendants(readXml(decodeXml(bytes)), "EncryptedData").map(
    (data) => findChild(data, "EncryptionMethod")?.attributes["Algorithm"] ?? "",
  );
  if (!methods.every((method) => FONT_ALGORITHMS.test(method))) {
    throw new UnreadableFile("The e-book is encrypted (DRM), so its text cannot be read.");
  }
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
