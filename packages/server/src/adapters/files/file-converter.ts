/** Reads plain text and Markdown. */
import { readFile } from "node:fs/promises";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { FileConverter } from "../../ports/file-converter.ts";

export function openFileConverter(): FileConverter {
  return {
    async convert({ file, maxTextBytes, signal }) {
      const bytes = await readFile(file.path, { signal });
      if (bytes.length > maxTextBytes) throw new UnreadableFile("The text is too long.");
      const text = decode(bytes);
      if (text.trim() === "") throw new UnreadableFile("The file has no text.");
      const mediaType = /\.(md|markdown)$/i.test(file.name) ? "text/markdown" : "text/plain";
      return { kind: "text", mediaType, title: null, text, pages: pagesOf(text), date: null };
    },
    close: async () => undefined,
  };
}

/** A form feed ends a page. */
function pagesOf(text: string) {
  const parts = text.split("\f");
  if (parts.length === 1) return [];
  let start = 0;
  return parts.map((part, index) => {
    const page = { page: index + 1, start };
    start += part.length + 1;
    return page;
  });
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Told below.
  }
  throw new UnreadableFile("The file is not text in UTF-8.");
}
