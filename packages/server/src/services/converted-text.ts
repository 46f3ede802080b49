/** What is stored of a file's text. */
import type { Metadata } from "../domain/metadata.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import type { ConvertedText } from "../ports/file-converter.ts";
import type { StoreConversion } from "../ports/file-store.ts";

/** As many keys as the metadata of a document can have. */
const MAX_KEYS = 32;
const NAMED_PAGES = 20;
const MAX_TITLE_CHARACTERS = 300;
/** Where the beginning of a text says its own title. */
const BEGINNING_CHARACTERS = 600;

type StoredText = Pick<StoreConversion, "text" | "mediaType" | "metadata" | "pages">;

/** @throws UnreadableFile for a file without text, or with too much of it */
export function textOf(
  conversion: ConvertedText,
  { metadata, maxTextBytes }: { readonly metadata: Metadata; readonly maxTextBytes: number },
): StoredText {
  const before = titleBefore(conversion);
  const text = before + conversion.text.toWellFormed();
  if (conversion.text.trim() === "") throw new UnreadableFile("The file has no text.");
  const bytes = Buffer.byteLength(text);
  if (bytes > maxTextBytes)
    throw new UnreadableFile(
      `The text of the file has ${bytes} bytes, more than the ${maxTextBytes} that KCS_MAX_TEXT_BYTES allows.`,
    );
  const pages = conversion.pages.map(({ page, start }, at) => {
    return { page, start: at === 0 && start === 0 ? 0 : start + before.length };
  });
  return { text, mediaType: conversion.mediaType, metadata: withFacts(metadata, conversion), pages };
}

/** The title of the file as a heading; empty where the text begins with a heading, or says the title in its beginning. */
function titleBefore({ title, text }: ConvertedText): string {
  const line = (title ?? "")
    .replaceAll(/\s{1,99}/g, " ")
    .trim()
    .slice(0, MAX_TITLE_CHARACTERS)
    .toWellFormed();
  if (line === "" || text.trimStart().startsWith("# ")) return "";
  const isSaid = text.slice(0, BEGINNING_CHARACTERS).toLowerCase().includes(line.toLowerCase());
  return isSaid ? "" : `# ${line}\n\n`;
}

/** The date that the file carries and what of its text was recognised, unless its sender gave these. */
function withFacts(metadata: Metadata, { date, ocr }: ConvertedText): Metadata {
  const facts: Record<string, Metadata[string]> = {};
  if (date !== null) facts["date"] = date;
  if (ocr !== null && ocr.read > 0) facts["ocr_pages"] = ocr.read;
  if (ocr !== null && ocr.unread.length > 0) facts["unread_pages"] = listPages(ocr.unread);
  const missing = Object.entries(facts).filter(([key]) => !Object.hasOwn(metadata, key));
  const room = Math.max(0, MAX_KEYS - Object.keys(metadata).length);
  return { ...metadata, ...Object.fromEntries(missing.slice(0, room)) };
}

/** `3, 7, 12 and 5 more` */
function listPages(pages: readonly number[]): string {
  const named = pages.slice(0, NAMED_PAGES).join(", ");
  return pages.length > NAMED_PAGES ? `${named} and ${pages.length - NAMED_PAGES} more` : named;
}
