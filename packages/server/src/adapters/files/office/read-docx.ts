/** DOCX through mammoth, which knows the styles of headings, the numbering of lists, footnotes and text boxes. */
import mammoth from "mammoth";
import type { Markdown } from "../markdown.ts";
import { parseHtml } from "../web/html-node.ts";
import { writeHtml } from "../web/html-to-markdown.ts";
import type { Zip } from "../zip.ts";

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export async function readDocx(zip: Zip, path: string, markdown: Markdown): Promise<void> {
  // Mammoth unpacks without a limit and without checking sums, so its parts are unpacked here once before.
  for (const name of zip.names) if (/\.(?:xml|rels)$/.test(name)) await zip.read(name);
  const { value } = await mammoth.convertToHtml(
    { path },
    {
      styleMap: STYLES,
      // Linked pictures are never fetched, and embedded ones not unpacked.
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    },
  );
  writeHtml(parseHtml(value), markdown);
}
