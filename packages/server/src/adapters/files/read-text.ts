/** Files that are texts themselves. */
import type { Markdown } from "./markdown.ts";
import { type Properties, titleOrNull } from "./office/properties.ts";
import { writeJson } from "./read-json.ts";
import { shownMarkdown } from "./shown-markdown.ts";
import { recogniseText, type TextFormat } from "./text-format.ts";
import { decodeHtml, readHtml } from "./web/read-html.ts";

const MEDIA_TYPES: Readonly<Record<TextFormat["format"], string>> = {
  html: "text/html",
  mail: "message/rfc822",
  markdown: "text/markdown",
  text: "text/plain",
  table: "text/csv",
  json: "application/json",
  jsonl: "application/jsonl",
};

/** @returns null when the bytes are not text */
export async function readText(
  bytes: Buffer,
  name: string,
  markdown: Markdown,
): Promise<(Properties & { readonly mediaType: string }) | null> {
  const text = decodeHtml(bytes);
  if (text === null) return null;
  const recognised = recogniseText(text, name);
  const isTabbed = recognised.format === "table" && recognised.delimiter === "\t";
  const mediaType = isTabbed ? "text/tab-separated-values" : MEDIA_TYPES[recognised.format];
  return { mediaType, ...(await readAs(recognised, { bytes, text }, markdown)) };
}

async function readAs(
  recognised: TextFormat,
  { bytes, text }: { readonly bytes: Buffer; readonly text: string },
  markdown: Markdown,
): Promise<Properties> {
  switch (recognised.format) {
    case "html":
      return readHtml(text, markdown);
    case "mail": {
      const { readMail } = await import("./read-mail.ts");
      // Each part of a message has an encoding of its own.
      return await readMail(bytes, markdown);
    }
    case "table": {
      const { readDelimited } = await import("./read-table.ts");
      readDelimited(text, recognised.delimiter, markdown);
      return NOTHING;
    }
    case "json":
    case "jsonl":
      writeJson(recognised.value, markdown);
      return NOTHING;
    case "markdown":
      markdown.raw(shownMarkdown(text));
      return { title: markdownTitle(text), date: null };
    case "text":
      markdown.raw(text);
      return NOTHING;
  }
}

const NOTHING: Properties = { title: null, date: null };

/** The first heading near the start, or the title among the lines between `---` before it. */
function markdownTitle(text: string): string | null {
  const start = text.slice(0, 4_000);
  const preamble = start.startsWith("---\n") ? start.slice(4).split("\n---", 1)[0] : "";
  const [, declared] = /^title:[ \t]{0,9}([^\n]{1,500})/m.exec(preamble ?? "") ?? [];
  const [, heading] = /^#[ \t]{1,9}([^\n]{1,500})/m.exec(start) ?? [];
  return titleOrNull((declared ?? heading ?? "").replace(/^["']|["']$/g, ""));
}
