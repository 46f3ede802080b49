/** Parts of documents are those that the relations name, whatever they are called. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText } from "./convert.ts";
import { docx, makeDocx, makeEpub, makePptx, makeXlsx, shape } from "./make-documents.ts";

const TRANSITIONAL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships";

function relations(namespace: string, targets: Readonly<Record<string, string>>): string {
  const list = Object.entries(targets).map(
    ([type, target]) => `<Relationship Id="${type}" Type="${namespace}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`;
}

describe("XLSX", () => {
  const row = '<row><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>36526</v></c></row>';
  const texts = "<sst><si><t>Ida Holm</t></si></sst>";
  const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const expected = "## A\n\n| Ida Holm | 2000-01-01 |\n| --- | --- |";
  const targets = {
    worksheet: "worksheets/sheet0.xml",
    sharedStrings: "/xl/parts/texts.xml",
    styles: "looks.xml",
  };
  const workbook = (id: string) =>
    `<workbook xmlns:r="r"><sheets><sheet name="A" r:id="${id}"/></sheets></workbook>`;

  for (const [name, namespace] of Object.entries({ TRANSITIONAL, STRICT }))
    test(`shared strings and styles in parts of other names, ${name.toLowerCase()}`, async () => {
      const file = makeXlsx({ A: row }, ["wrong"], {
        "xl/workbook.xml": workbook("worksheet"),
        "xl/_rels/workbook.xml.rels": relations(namespace, targets),
        "xl/parts/texts.xml": texts,
        "xl/looks.xml": styles,
      });
      assert.equal((await convertText(file)).text, expected);
    });

  test("a workbook of another name, and names that differ in capitals", async () => {
    const file = makeXlsx({ Z: "" }, [], {
      "_rels/.rels": relations(TRANSITIONAL, { officeDocument: "/book/Main.xml" }),
      "book/main.xml": workbook("worksheet"),
      "book/_rels/Main.xml.rels": relations(TRANSITIONAL, { ...targets, worksheet: "one.xml" }),
      "book/one.xml": `<worksheet><sheetData>${row}</sheetData></worksheet>`,
      "xl/parts/Texts.xml": texts,
      "book/looks.xml": styles,
    });
    assert.equal((await convertText(file)).text, expected);
  });
});

test("a presentation of another name, with its properties elsewhere", async () => {
  const core = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
  const file = makePptx([], "", {
    "_rels/.rels": relations(TRANSITIONAL, { officeDocument: "show/talk.xml" }).replace(
      "</Rel",
      `<Relationship Id="c" Type="${core}" Target="core0.xml"/></Rel`,
    ),
    "show/talk.xml":
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="1" r:id="slide"/></p:sldIdLst></p:presentation>',
    "show/_rels/talk.xml.rels": relations(STRICT, { slide: "one.xml" }),
    "show/one.xml": `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape("title", "Tides of Orrin")}</p:spTree></p:cSld></p:sld>`,
    "core0.xml": '<c:coreProperties xmlns:c="c" xmlns:d="d"><d:title>Tides</d:title></c:coreProperties>',
  });
  const { text, title } = await convertText(file);
  assert.deepEqual({ text, title }, { text: "## Tides of Orrin", title: "Tides" });
});

for (const [name, namespace] of Object.entries({ TRANSITIONAL, STRICT }))
  test(`DOCX with styles, numbering and footnotes in parts of other names, ${name.toLowerCase()}`, async () => {
    const w =
      name === "STRICT"
        ? "http://purl.oclc.org/ooxml/wordprocessingml/main"
        : "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const list = `<w:numbering xmlns:w="${w}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
    const body =
      docx.paragraph("Seen").replace("<w:r>", '<w:pPr><w:pStyle w:val="chapter"/></w:pPr><w:r>') +
      docx.paragraph("Secret").replace("<w:t>", '<w:rPr><w:rStyle w:val="off"/></w:rPr><w:t>') +
      docx.item("First").replace('w:numId w:val="1"', 'w:numId w:val="7"') +
      '<w:p><w:r><w:t>Noted</w:t></w:r><w:r><w:footnoteReference w:id="3"/></w:r></w:p>';
    const file = makeDocx("", {
      "_rels/.rels": relations(namespace, { officeDocument: "text/body.xml" }),
      "text/body.xml": `<w:document xmlns:w="${w}"><w:body>${body}</w:body></w:document>`,
      "text/_rels/body.xml.rels": relations(namespace, {
        styles: "looks.xml",
        numbering: "../text/lists.xml",
        footnotes: "notes.xml",
      }),
      "text/looks.xml": `<w:styles xmlns:w="${w}"><w:style w:type="paragraph" w:styleId="chapter"><w:name w:val="heading 1"/></w:style><w:style w:type="character" w:styleId="off"><w:name w:val="Off"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
      "text/lists.xml": list,
      "text/notes.xml": `<w:footnotes xmlns:w="${w}"><w:footnote w:id="3">${docx.paragraph("By hand")}</w:footnote></w:footnotes>`,
    });
    const { text } = await convertText(file);
    assert.match(text, /^# Seen\n\n1\. First\n\nNoted/);
    assert.match(text, /By hand/);
  });

test("a style sheet of an e-book is one by its type, whatever its name", async () => {
  const file = makeEpub(['<p>Seen <span class="old">struck</span></p>'], {
    "book/content.opf":
      '<package><manifest><item id="s" href="looks" media-type="text/css"/><item id="c0" href="chapter%200.xhtml"/></manifest><spine><itemref idref="c0"/></spine></package>',
    "book/looks": ".old{text-decoration:line-through}",
  });
  assert.equal((await convertText(file)).text, "Seen");
});
