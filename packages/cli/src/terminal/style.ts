import { randomUUID } from "node:crypto";
import type { Terminal } from "../io.ts";

/**
 * Marks the escape sequences of this command until they are written. A service could send the same sequences, with which a
 * name would look like another one, but does not know the mark.
 */
const MARK = `\u001b[${randomUUID()}`;

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** Adds escape sequences on a terminal with colours; otherwise returns the text unchanged. */
export function styleOf(terminal: Terminal | null): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    terminal?.hasColour === true ? `${MARK}${open}m${text}${MARK}${close}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), good: wrap(32, 39), bad: wrap(31, 39) };
}

/**
 * Replaces control characters, escape among them, by visible characters, and bidirectional controls, which show a text
 * in another order than its own. Documents and names are untrusted: a terminal must display their escape sequences, not
 * execute them.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}]/gu, visible);
}

/** Returns to the beginning of the terminal's line and clears it. */
export const CLEAR_LINE = `${MARK}K`;

/** Follows the mark. */
const OWN_SEQUENCE = /^(?:K|\d{1,2}m)/;

/** Like `printable`, but keeps the escape sequences of this command. */
export function printableExceptStyle(text: string): string {
  const [first = "", ...rest] = text.split(MARK);
  return printable(first) + rest.map(withOwnSequence).join("");
}

function withOwnSequence(part: string): string {
  const [own = ""] = OWN_SEQUENCE.exec(part) ?? [];
  return (own === "K" ? "\r\u001b[K" : `\u001b[${own}`) + printable(part.slice(own.length));
}

function visible(character: string): string {
  if (character === "\n" || character === "\t") return character;
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}

/** Like `printable`, on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

/** At most `width` characters; the last one is an ellipsis when the text is cut. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Breaks lines at spaces. Does not break a word that is longer than a line. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join("\n");
}

/** Pads every column except the last one to its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  const pad = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - [...cell].length));
  return rows
    .map((row) =>
      row.map((cell, at) => (at === row.length - 1 ? cell : pad(cell, widths[at] ?? 0))).join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
