import type { Terminal } from "../io.ts";

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** Escape sequences on a terminal that shows colours, else the text alone. */
export function styleOf(terminal: Terminal | null): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    terminal?.hasColour === true ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), good: wrap(32, 39), bad: wrap(31, 39) };
}

/**
 * A text as one that a terminal shows and does not obey: control characters, among them escape, become visible. Documents and
 * names come from anywhere.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** As `printable`, on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

/** At most so many characters, the last one an ellipsis where something is left out. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Breaks at spaces; words that are longer than a line stay whole. */
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

/** Columns, padded to their widest cell; the last one is not. */
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
