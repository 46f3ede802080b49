/** What the process that converts a file sends. It has read what strangers wrote, so nothing of it is taken as it is. */
import { shortened } from "../../domain/shortened.ts";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { MAX_PAGES, type PageStart, type RecognisedPages } from "../../ports/file-converter.ts";
import type { Member } from "./unpack-archive.ts";

export type ConvertReply =
  /** The modules are loaded: from here on it is the file's fault when the process ends. */
  | { readonly kind: "ready" }
  /** Text in pictures is recognised from here on, which takes longer than to read a file. */
  | { readonly kind: "recognising" }
  /** Drawings are looked at from here on, without which the file can be read, too. */
  | { readonly kind: "drawings" }
  | {
      readonly kind: "text";
      readonly mediaType: string;
      readonly title: string | null;
      readonly date: string | null;
      readonly pages: readonly PageStart[];
      readonly ocr: RecognisedPages | null;
    }
  | { readonly kind: "archive"; readonly mediaType: string; readonly members: readonly Member[] }
  | { readonly kind: "unreadable"; readonly reason: string }
  /** Of the machine or the installation. */
  | { readonly kind: "fault"; readonly message: string; readonly code: string | null };

const MAX_MEDIA_TYPE = 200;
const MAX_TITLE = 1_000;
const MAX_DATE = 40;
const MAX_FAULT = 1_000;
const MAX_CODE = 100;

/** Anything but a reply is the fault of the file: none that can be read makes the process send such a thing. */
export function readReply(message: unknown): ConvertReply {
  try {
    return parse(message);
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: "unreadable", reason: error.reason };
    throw error;
  }
}

/** @throws UnreadableFile */
function parse(message: unknown): ConvertReply {
  const { kind, ...sent } = isRecord(message) ? message : {};
  switch (kind) {
    case "ready":
    case "recognising":
    case "drawings":
      return { kind };
    case "text": {
      const title = sent["title"] === null ? null : textIn(sent["title"], MAX_TITLE);
      const date = sent["date"] === null ? null : textIn(sent["date"], MAX_DATE);
      const mediaType = textIn(sent["mediaType"], MAX_MEDIA_TYPE);
      return { kind, mediaType, title, date, pages: pagesIn(sent["pages"]), ocr: ocrIn(sent["ocr"]) };
    }
    case "archive":
      return {
        kind,
        mediaType: textIn(sent["mediaType"], MAX_MEDIA_TYPE),
        members: listIn(sent["members"]).map(memberIn),
      };
    case "unreadable":
      return { kind, reason: new UnreadableFile(stringIn(sent["reason"])).reason };
    case "fault": {
      const code = typeof sent["code"] === "string" ? textIn(sent["code"], MAX_CODE) : null;
      return { kind, message: textIn(sent["message"], MAX_FAULT), code };
    }
    default:
      throw malformed();
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textIn(value: unknown, maxCharacters: number): string {
  return shortened(stringIn(value), maxCharacters);
}

function stringIn(value: unknown): string {
  if (typeof value !== "string") throw malformed();
  return value;
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

function numberIn(value: unknown, least: number): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) throw malformed();
  return value;
}

function memberIn(value: unknown): Member {
  if (!isRecord(value)) throw malformed();
  return { path: stringIn(value["path"]), bytes: numberIn(value["bytes"], 0) };
}

/** They ascend, so that a page can be found by halving. */
function pagesIn(value: unknown): readonly PageStart[] {
  const pages = listIn(value);
  if (pages.length > MAX_PAGES) throw malformed();
  let [page, start] = [0, -1];
  return pages.map((each) => {
    if (!isRecord(each)) throw malformed();
    page = numberIn(each["page"], page + 1);
    start = numberIn(each["start"], start + 1);
    return { page, start };
  });
}

/** @returns null where no text was recognised */
function ocrIn(value: unknown): RecognisedPages | null {
  if (value === null) return null;
  if (!isRecord(value)) throw malformed();
  const unread = listIn(value["unread"]);
  if (unread.length > MAX_PAGES) throw malformed();
  let page = 0;
  return {
    read: numberIn(value["read"], 0),
    unread: unread.map((each) => (page = numberIn(each, page + 1))),
  };
}

function malformed(): UnreadableFile {
  return new UnreadableFile("The file is damaged: the program that read it sent no text.");
}
