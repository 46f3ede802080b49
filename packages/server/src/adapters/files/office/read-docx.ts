/** DOCX through mammoth, which knows the styles of headings, the numbering of lists, footnotes and text boxes. */
import mammoth from "mammoth";
import type { Markdown } from "../markdown.ts";
import { parseHtml } from "../web/html-node.ts";
import { writeHtml } from "../web/html-to-markdown.ts";
import { decodeXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readDocxStyles } from "./docx-styles.ts";
import { shownDocx } from "./shown-docx.ts";

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
  const names = new Set(zip.names);
  const stylesPart = zip.names.find((name) => /^word\/styles\d{0,3}\.xml$/.test(name));
  const styles = readDocxStyles(stylesPart === undefined ? null : decodeXml(await zip.read(stylesPart)));
  const file = {
    exists: (name: string) => names.has(name),
    async read(name: string) {
      const xml = decodeXml(await zip.read(name));
      return /\.rels$|^\[/.test(name) || name === stylesPart ? xml : shownDocx(xml, styles);
    },
  };
  // Its types leave out the input that its own tests use.
  return { file } as unknown as Awaited<ReturnType<typeof openParts>>;
}
