/** Formulas of Office documents become text where they stand: without them, a report would state laws and limits without their numbers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { officeMathText } from "../../src/adapters/files/office/office-math.ts";
import { readXml } from "../../src/adapters/files/xml.ts";
import { assertLinear } from "../support/growth.ts";
import { convertText } from "./convert.ts";
import { docx, makeDocx, makePptx } from "./make-documents.ts";

const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const run = (text: string, properties = "") => `<m:r>${properties}<m:t>${text}</m:t></m:r>`;
const of = (name: string, ...children: readonly string[]) => `<m:${name}>${children.join("")}</m:${name}>`;
const base = (text: string) => of("e", run(text));
const power = of("sSup", base("x"), of("sup", run("2")));
const formula = (content: string) => `<m:oMath ${M}>${content}</m:oMath>`;

for (const [expected, content] of [
  ["E = mc²", run("E") + run("=") + run("m") + of("sSup", base("c"), of("sup", run("2")))],
  ["(a+b)/2", of("f", of("fPr"), of("num", run("a+b")), of("den", run("2")))],
  ["1 1/2", run("1") + of("f", of("num", run("1")), of("den", run("2")))],
  ["√(x+1)", of("rad", of("radPr", '<m:degHide m:val="1"/>'), of("deg"), base("x+1"))],
  ["³√x", of("rad", of("deg", run("3")), base("x"))],
  ["H₂O", of("sSub", base("H"), of("sub", run("2"))) + run("O")],
  ["¹⁴C", of("sPre", of("sub"), of("sup", run("14")), base("C"))],
  [
    "∑₁² x",
    of("nary", of("naryPr", '<m:chr m:val="∑"/>'), of("sub", run("1")), of("sup", run("2")), base("x")),
  ],
  [
    "sin (x, y]",
    of(
      "func",
      of("fName", run("sin")),
      of("e", of("d", of("dPr", '<m:sepChr m:val=", "/><m:endChr m:val="]"/>'), base("x"), base("y"))),
    ),
  ],
  [
    "[1, 0; 0, 1]",
    of(
      "d",
      of("dPr", '<m:begChr m:val="["/><m:endChr m:val="]"/>'),
      of("e", of("m", of("mr", base("1"), base("0")), of("mr", base("0"), base("1")))),
    ),
  ],
  ["a < b", run("a") + run("&lt;") + run("b")],
  [
    "x",
    run("x") +
      run("y", '<w:rPr xmlns:w="w"><w:vanish/></w:rPr>') +
      of("phant", of("phantPr", '<m:show m:val="0"/>'), base("z")),
  ],
  ["ab", of("phant", base("a")) + run("b") + run("c", '<a:rPr xmlns:a="a" strike="sngStrike"/>')],
  ["√x", of("rad", of("radPr", '<m:degHide m:val="1"/>'), of("deg", run("2")), base("x"))],
] as const)
  test(`a formula: ${expected}`, () => assert.equal(officeMathText(readXml(formula(content))), expected));

describe("formulas stand in the text", () => {
  test("of DOCX, within a line and alone, with any prefix, and not where the paragraph is hidden", async () => {
    const other = formula(power).replaceAll("m:", "n:").replace("xmlns:m", "xmlns:n");
    const hidden = '<w:pPr><w:pStyle w:val="Hidden"/></w:pPr>';
    const body =
      `<w:p><w:r><w:t xml:space="preserve">The area is </w:t></w:r>${formula(power)}<w:r><w:t>.</w:t></w:r></w:p>` +
      `<w:p><m:oMathPara ${M}>${formula(run("a &lt; b"))}</m:oMathPara></w:p><w:p>${other}</w:p>` +
      `<w:p>${hidden}${formula(run("secret"))}</w:p>` +
      `<w:p>${formula(run("y") + run("secret", '<w:rPr><w:rStyle w:val="Hidden"/></w:rPr>'))}</w:p>${docx.paragraph("End")}`;
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const styles = `<w:styles ${w}><w:style w:type="paragraph" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`;
    const { text } = await convertText(makeDocx(body, { "word/styles.xml": styles }));
    assert.equal(text, "The area is x².\n\na < b\n\nx²\n\ny\n\nEnd");
  });

  test("of PPTX", async () => {
    const line = `<a:r><a:t>It is </a:t></a:r><a14:m xmlns:a14="a14"><m:oMathPara ${M}>${formula(power)}</m:oMathPara></a14:m><a:r><a:t> high</a:t></a:r>`;
    const shape = `<p:sp><p:txBody><a:p>${line}</a:p></p:txBody></p:sp>`;
    assert.equal((await convertText(makePptx([shape]))).text, "It is x² high");
  });
});

test("each part of a formula is read once", async () => {
  const nested = (depth: number) =>
    officeMathText(
      readXml(formula(`${"<m:rad><m:e>".repeat(depth)}${run("x")}${"</m:e></m:rad>".repeat(depth)}`)),
    );
  await assertLinear("roots within roots", 5, nested);
  await assertLinear("parts of a row", 2_000, (count) =>
    officeMathText(readXml(formula(power.repeat(count)))),
  );
});
