/** Small documents of office programs, with the parts that their readers look at. */
import { makeZip } from "./make-zip.ts";

const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The part of a file that says its title, as XML, and its day of creation. */
export function core(title: string, day: string): Readonly<Record<string, string>> {
  return {
    "docProps/core.xml":
      `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>${title}</dc:title>` +
      `<dcterms:created>${day}T12:00:00Z</dcterms:created></cp:coreProperties>`,
  };
}

const CORE = core("The rowing club", "2021-03-04");

function contentTypes(main: string): string {
  return `<Types xmlns="t"><Override PartName="/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${main}+xml"/></Types>`;
}

function relations(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const list = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONS}">${list.join("")}</Relationships>`;
}

/** @param body XML of paragraphs and tables. @param others further parts */
export function makeDocx(body: string, others: Readonly<Record<string, string>> = {}): Buffer {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  return makeZip({
    "[Content_Types].xml": contentTypes("wordprocessingml.document.main"),
    "_rels/.rels": relations({ a: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": `<w:document ${w}><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${w}><w:style w:type="paragraph" w:styleId="h2"><w:name w:val="heading 2"/></w:style></w:styles>`,
    "word/numbering.xml": `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/_rels/document.xml.rels": relations({
      s: ["styles", "styles.xml"],
      n: ["numbering", "numbering.xml"],
    }),
    ...CORE,
    ...others,
  });
}

export const docx = {
  heading: (text: string) => `<w:p><w:pPr><w:pStyle w:val="h2"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
  paragraph: (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`,
  item: (text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
  table: (rows: readonly (readonly string[])[]) =>
    `<w:tbl>${rows
      .map((row) => `<w:tr>${row.map((cell) => `<w:tc>${docx.paragraph(cell)}</w:tc>`).join("")}</w:tr>`)
      .join("")}</w:tbl>`,
};

/** @param slides XML of shapes @param others further parts */
export function makePptx(
  slides: readonly string[],
  notes = "",
  others: Readonly<Record<string, string>> = {},
): Buffer {
  const files: Record<string, string> = {
    "[Content_Types].xml": contentTypes("presentationml.presentation.main"),
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_, n) => `<p:sldId id="${n}" r:id="r${n}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      // The order of files is not that of slides.
      Object.fromEntries(slides.map((_, n) => [`r${n}`, ["slide", `slides/slide${slides.length - n}.xml`]])),
    ),
    "ppt/slides/_rels/slide1.xml.rels": relations({ n: ["notesSlide", "../notesSlides/notes1.xml"] }),
    "ppt/notesSlides/notes1.xml": `<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape("body", notes)}</p:spTree></p:cSld></p:notes>`,
    ...CORE,
  };
  for (const [n, slide] of slides.entries()) {
    files[`ppt/slides/slide${slides.length - n}.xml`] =
      `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`;
  }
  return makeZip({ ...files, ...others });
}

/** A shape of paragraphs, which are divided by line ends. */
export function shape(type: string, text: string): string {
  const paragraphs = text.split("\n").map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`);
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join("")}</p:txBody></p:sp>`;
}

export function slideTable(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  return `<p:graphicFrame><a:graphic><a:tbl>${rows.map((row) => `<a:tr>${row.map(cell).join("")}</a:tr>`).join("")}</a:tbl></a:graphic></p:graphicFrame>`;
}

/** @param sheets by name, XML of rows @param others further parts */
export function makeXlsx(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  others: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(sheets);
  return makeZip({
    "[Content_Types].xml": contentTypes("spreadsheetml.sheet.main"),
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${names.map((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="r${n}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      Object.fromEntries(names.map((_, n) => [`r${n}`, ["worksheet", `worksheets/sheet${n}.xml`]])),
    ),
    "xl/sharedStrings.xml": `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      names.map((name, n) => [
        `xl/worksheets/sheet${n}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...CORE,
    ...others,
  });
}

/** @param body XML inside of `office:text`, `office:spreadsheet` or `office:presentation` @param styles XML of styles */
export function makeOdf(kind: "text" | "spreadsheet" | "presentation", body: string, styles = ""): Buffer {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p" xmlns:style="s"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "meta.xml":
      '<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>The rowing club</dc:title><meta:creation-date>2021-03-04T12:00:00</meta:creation-date></office:meta></office:document-meta>',
    "META-INF/manifest.xml": "<manifest:manifest/>",
  });
}

/** @param chapters XHTML bodies in reading order */
export function makeEpub(chapters: readonly string[], others: Readonly<Record<string, string>> = {}): Buffer {
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>',
    "book/content.opf": `<package xmlns:dc="d"><metadata><dc:title>The rowing club</dc:title><dc:date>2021-03-04</dc:date></metadata><manifest>${chapters.map((_, n) => `<item id="c${n}" href="chapter%20${n}.xhtml"/>`).join("")}</manifest><spine>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join("")}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, n) => [`book/chapter ${n}.xhtml`, `<html xmlns="x"><body>${body}</body></html>`]),
    ),
    ...others,
  });
}
