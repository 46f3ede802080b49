/** Tells by its content, and where that does not tell by its name, what a text is. */
import { parseJson, parseJsonLines, requireJson } from "./read-json.ts";

export type TextFormat =
  | { readonly format: "html" | "mail" | "markdown" | "text" }
  | { readonly format: "table"; readonly delimiter: string | null }
  | { readonly format: "json" | "jsonl"; readonly value: NonNullable<ReturnType<typeof parseJson>> };

const START_CHARACTERS = 4_096;
/** Signatures of servers can come before the sender. */
const HEADER_CHARACTERS = 65_536;
const MAIL_HEADERS: ReadonlySet<string> = new Set(
  "date message-id received mime-version content-type content-transfer-encoding return-path delivered-to".split(
    " ",
  ),
);

/** @throws UnreadableFile when it is named as JSON and is not */
export function recogniseText(text: string, name: string): TextFormat {
  const start = text.slice(0, START_CHARACTERS).trimStart();
  const extension = /\.([a-z]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (isHtml(start, extension)) return { format: "html" };
  if (isMail(text.slice(0, HEADER_CHARACTERS).trimStart())) return { format: "mail" };
  return recogniseJson(text, extension) ?? byName(extension);
}

function isHtml(start: string, extension: string): boolean {
  if (/^<!doctype\s{1,9}html|^<html[\s>]/i.test(start)) return true;
  // After a declaration or comments.
  if (/^<[?!]/.test(start) && /<html[\s>]/i.test(start)) return true;
  return /^x?html?$/.test(extension) && /<[a-z!]/i.test(start);
}

/** Headers come first, and only messages have the sender's together with one of the others. */
function isMail(start: string): boolean {
  const names = new Set<string>();
  for (const [index, line] of start.split(/\r?\n/).entries()) {
    if (index === 0 && line.startsWith("From ")) continue;
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const [, name] = /^([A-Za-z][A-Za-z0-9-]{0,60}):/.exec(line) ?? [];
    if (name === undefined) break;
    names.add(name.toLowerCase());
  }
  return names.has("from") && [...names].some((name) => MAIL_HEADERS.has(name));
}

function recogniseJson(text: string, extension: string): TextFormat | null {
  if (/^\s{0,100}[{[]/.test(text)) {
    const value = parseJson(text);
    if (value !== null) return { format: "json", value };
    const lines = parseJsonLines(text);
    if (lines !== null) return { format: "jsonl", value: lines };
  }
  return extension === "json" ? requireJson(text) : null;
}

function byName(extension: string): TextFormat {
  if (/^(?:md|markdown|mdown|mkd)$/.test(extension)) return { format: "markdown" };
  if (extension === "csv") return { format: "table", delimiter: null };
  if (extension === "tsv" || extension === "tab") return { format: "table", delimiter: "\t" };
  return { format: "text" };
}
