/** Names in XML are known by their namespace, whatever prefix a program gives it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText } from "./convert.ts";
import { docx, makeDocx, makeEpub, makePptx, makeXlsx, shape } from "./make-documents.ts";
import { makeZip } from "./make-zip.ts";

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STRICT_RELATIONS = "http://purl.oclc.org/ooxml/officeDocument/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const XHTML = "http://www.w3.org/1999/xhtml";

describe("another prefix", () => {
  for (const namespace of [RELATIONS, STRICT_RELATIONS])
    test(`for ${namespace} loses no sheet`, async () => {
      const file = makeXlsx({ A: '<row><c t="inlineStr"><is><t>Quay</t></is></c></row>' }, [], {
        "xl/workbook.xml": `<b:workbook xmlns:b="b" xmlns:ns1="${namespace}"><b:sheets><b:sheet name="A" sheetId="0" ns1:id="r0"/></b:sheets></b:workbook>`,
      });
      assert.equal((await convertText(file)).text, "## A\n\nQuay");
    });

  test("declared where it is used, and another meaning of it elsewhere, loses no slide", async () => {
    const slides = ["first", "second"].map((text) => shape("title", text));
    const file = makePptx(slides, "", {
      "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:n="other"><p:sldIdLst><p:sldId n:id="r1" xmlns:q="${RELATIONS}" q:id="r0"/><p:sldId xmlns:n="${RELATIONS}" n:id="r1"/></p:sldIdLst></p:presentation>`,
    });
    const { text } = await convertText(file);
    assert.ok(text.includes("first") && text.includes("second"), text);
  });

  test("in DOCX hides what styles and properties hide, also with dots and hyphens, and without one for elements", async () => {
    const body = `${docx.paragraph("Seen")}<w:p><w:r><w:rPr><w:vanish w:val="1"/></w:rPr><w:t>Secret</w:t></w:r><w:r><w:rPr><w:rStyle w:val="off"/></w:rPr><w:t>Veiled</w:t></w:r></w:p>`;
    const styles = `<w:styles xmlns:w="${WORD}"><w:style w:type="character" w:styleId="off"><w:name w:val="Off"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`;
    const document = `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`;
    const prefixed = (xml: string) => xml.replaceAll("xmlns:w=", "xmlns:n-1.x=").replaceAll("w:", "n-1.x:");
    const bare = (xml: string) =>
      xml.replaceAll(/(<\/?)w:/g, "$1").replace("xmlns:w", `xmlns="${WORD}" xmlns:w`);
    for (const change of [prefixed, bare]) {
      const others = { "word/document.xml": change(document), "word/styles.xml": change(styles) };
      assert.equal((await convertText(makeDocx("", others))).text, "Seen");
    }
  });

  test("in DOCX raises what a style raises", async () => {
    const styles = `<n:styles xmlns:n="${WORD}"><n:style n:type="character" n:styleId="up"><n:name n:val="Up"/><n:rPr><n:vertAlign n:val="superscript"/></n:rPr></n:style></n:styles>`;
    const document = `<document xmlns="${WORD}" xmlns:n="${WORD}"><body><p><r><t>10</t></r><r><rPr><rStyle n:val="up"/></rPr><t>3</t></r></p></body></document>`;
    const file = makeDocx("", { "word/document.xml": document, "word/styles.xml": styles });
    assert.equal((await convertText(file)).text, "10³");
  });

  test("in OpenDocument keeps names, headings and what is hidden", async () => {
    const uris = (kinds: readonly string[]) =>
      kinds.map((kind, at) => `xmlns:ns${at}="urn:oasis:names:tc:opendocument:xmlns:${kind}:1.0"`).join(" ");
    const content = `<ns0:document-content ${uris(["office", "text", "table", "style", "drawing", "presentation"])}>
      <ns0:automatic-styles><ns3:style ns3:family="table" ns3:name="off"><ns3:table-properties ns2:display="false"/></ns3:style></ns0:automatic-styles>
      <ns0:body><ns0:spreadsheet><ns2:table ns2:name="A"><ns2:table-row ns2:number-rows-repeated="2"><ns2:table-cell><ns1:p>x</ns1:p></ns2:table-cell><ns2:table-cell><ns1:p>y</ns1:p></ns2:table-cell></ns2:table-row></ns2:table>
      <ns2:table ns2:name="B" ns2:style-name="off"><ns2:table-row><ns2:table-cell><ns1:p>Secret</ns1:p></ns2:table-cell></ns2:table-row></ns2:table></ns0:spreadsheet></ns0:body></ns0:document-content>`;
    const file = makeZip({
      mimetype: "application/vnd.oasis.opendocument.spreadsheet",
      "content.xml": content,
    });
    assert.equal((await convertText(file)).text, "## A\n\n| x | y |\n| --- | --- |\n| x | y |");
  });

  test("in the pages of an e-book keeps headings, lines and formulas, and hides scripts", async () => {
    const page = `<?xml version="1.0"?><html:html xmlns:html="${XHTML}" xmlns:m="http://www.w3.org/1998/Math/MathML"><html:head><html:title/><html:style>p{color:red}</html:style></html:head><html:body><html:h2>Tides</html:h2><html:p>One<html:br/>two</html:p><html:p><m:math><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac><m:mspace/><m:mi>c</m:mi></m:math> end</html:p></html:body></html:html>`;
    const file = makeEpub([""], { "book/chapter 0.xhtml": page });
    assert.equal((await convertText(file)).text, "## Tides\n\nOne\ntwo\n\na/b c end");
  });
});

test("elements of XHTML that are closed where they open hold nothing", async () => {
  const page = `<html xmlns="${XHTML}"><body><p>One <del/>two</p><p/><p>three</p></body></html>`;
  const file = makeEpub([""], { "book/chapter 0.xhtml": page });
  assert.equal((await convertText(file)).text, "One two\n\nthree");
});
