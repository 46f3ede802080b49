/** DOCX through mammoth, which knows the styles of headings, the numbering of lists, footnotes and text boxes. */
import { posix } from "node:path";
import mammoth from "mammoth";
import type { Markdown } from "../markdown.ts";
import { parseHtml } from "../web/html-node.ts";
import { writeHtml } from "../web/html-to-markdown.ts";
import { decodeXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readDocxStyles } from "./docx-styles.ts";
import { mainPart, readRelations, relatedPart } from "./relations.ts";
import { shownDocx } from "./shown-docx.ts";

/** How the types of relations begin. */
const USUAL_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
const STRICT_TYPES = "http://purl.oclc.org/ooxml/officeDocument/relationships/";
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export async function readDocx(zip: Zip, markdown: Markdown): Promise<void> {
  const { value } = await mammoth.convertToHtml(await openParts(zip), {
    styleMap: STYLES,
    // One in the file could leave out anything.
    includeEmbeddedStyleMap: false,
    // Linked pictures are never fetched, and embedded ones not unpacked.
    externalFileAccess: false,
    convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
  });
  writeHtml(parseHtml(value), markdown);
}

/** The parts as mammoth reads them. It would unpack without a limit and without checking sums. */
async function openParts(zip: Zip): Promise<Parameters<typeof mammoth.convertToHtml>[0]> {
  const relations = await readRelations(zip, await mainPart(zip, "word/document.xml"));
  const stylesPart = relatedPart(zip, { relations, type: "styles", usual: "word/styles.xml" });
  const bytes = await zip.find(stylesPart);
  const styles = readDocxStyles(bytes === null ? null : decodeXml(bytes));
  const file = {
    // Mammoth joins paths without resolving them.
    exists: (name: string) => zip.has(posix.normalize(name)),
    async read(name: string) {
      const part = posix.normalize(name);
      const xml = decodeXml(await zip.read(part));
      // Mammoth finds parts by the usual types alone.
      if (/\.rels$/.test(part)) return xml.replaceAll(STRICT_TYPES, USUAL_TYPES);
      return part.startsWith("[") || part === stylesPart ? xml : shownDocx(xml, styles);
    },
  };
  // Its types leave out the input that its own tests use.
  return { file } as unknown as Awaited<ReturnType<typeof openParts>>;
}
