/** Files become texts that say what a reader of the file sees: powers, struck-out and hidden text, numbers of lists. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText } from "./convert.ts";
import { docx, makeDocx, makeEpub, makeOdf, makePptx } from "./make-documents.ts";

const html = async (body: string) => (await convertText(`<html><body>${body}</body></html>`)).text;
const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

describe("superscripts and subscripts of HTML", () => {
  for (const [written, expected] of [
    ["10<sup>6</sup> cells, 10<sup>-3</sup> m", "10⁶ cells, 10⁻³ m"],
    ["10<sup><b>1</b>2</sup>", "10¹²"],
    ["CO<sub>2</sub> and H<sub>2</sub>O", "CO₂ and H₂O"],
    ["2<sup>n+1</sup>, x<sub>i</sub>, (a+b)<sup>2</sup>", "2^(n+1), x_(i), (a+b)²"],
    ['5 cm<span style="vertical-align: super">3</span>', "5 cm³"],
    ["a square metre<sup>2</sup>", "a square metre²"],
    [
      "the 1<sup>st</sup> of May, M<sup>me</sup> Vell, Kestrel<sup>TM</sup>",
      "the 1st of May, Mme Vell, Kestrel™",
    ],
    ["<sup>14</sup>C and e<sup>constructor</sup>", "¹⁴C and e^(constructor)"],
    ["<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>", "(a+1)/2"],
    ["1<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cups", "1 1/2 cups"],
    [
      "<math><msup><mn>10</mn><mn>6</mn></msup></math> and <math><msub><mi>x</mi><mi>i</mi></msub></math>",
      "10⁶ and x_(i)",
    ],
    ["<math><msqrt><mi>x</mi><mo>−</mo><mn>1</mn></msqrt></math>", "√(x−1)"],
  ] as const)
    test(expected, async () => assert.equal(await html(`<p>${written}</p>`), expected));

  test("in headings, tables and code", async () => {
    const cell = "10<sup>6</sup>";
    const body = `<h2>${cell}</h2><table><tr><td>A</td><td>${cell}</td></tr></table><pre>${cell}</pre>`;
    assert.equal(await html(body), "## 10⁶\n\n| A | 10⁶ |\n| --- | --- |\n\n```\n10⁶\n```");
  });

  for (const [written, expected] of [
    ['The tower<sup><a href="#1">1</a></sup> was', "The tower [1] was"],
    ['45<a href="#n"><sup>3</sup></a> metres', "45 [3] metres"],
    ['1990<sup class="reference"><a href="#c"><span>[</span>2<span>]</span></a></sup>.', "1990 [2]."],
    ["note<sup>12</sup>s and end.<sup>3</sup> Next", "note [12] s and end. [3] Next"],
    ["a mast<sup>†</sup>", "a mast [†]"],
  ] as const)
    test(`a mark of a note: ${expected}`, async () =>
      assert.equal(await html(`<p>${written}</p>`), expected));
});

describe("superscripts of other files", () => {
  test("of EPUB, with references to notes", async () => {
    const chapter = '<p>10<sup>5</sup> ants<a epub:type="noteref" href="n.xhtml#a">7</a>.</p>';
    assert.equal((await convertText(makeEpub([chapter]))).text, "10⁵ ants [7].");
  });

  test("of DOCX: in the text, by a style, and footnotes", async () => {
    const high = '<w:vertAlign w:val="superscript"/>';
    const body =
      `<w:p>${run("10")}${run("6", high)}${run(" and 10")}${run("3", '<w:rStyle w:val="Upper"/>')}${run(" boats")}` +
      `<w:r><w:rPr>${high}</w:rPr><w:footnoteReference w:id="2"/></w:r>${run(" sail.")}</w:p>`;
    const parts = {
      "word/styles.xml": `<w:styles ${W}><w:style w:type="character" w:styleId="High"><w:rPr>${high}</w:rPr></w:style><w:style w:type="character" w:styleId="Upper"><w:basedOn w:val="High"/></w:style></w:styles>`,
      "word/footnotes.xml": `<w:footnotes ${W}><w:footnote w:id="2">${docx.paragraph("Old ones.")}</w:footnote></w:footnotes>`,
    };
    const { text } = await convertText(makeDocx(body, parts));
    assert.match(text, /^10⁶ and 10³ boats \[1\] sail\.\n\n1\. Old ones\./);
  });

  test("of ODT, also by a style of a style", async () => {
    const style = (name: string, more: string) =>
      `<style:style style:family="text" style:name="${name}" ${more}</style:style>`;
    const styles =
      style("up", '><style:text-properties style:text-position="super 58%"/>') +
      style("upper", 'style:parent-style-name="up">') +
      style("flat", 'style:parent-style-name="up"><style:text-properties style:text-position="0% 100%"/>') +
      style("down", '><style:text-properties style:text-position="-33% 58%"/>');
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
    const body = `<text:p>10${span("up", "6")}, 10${span("upper", "3")}, CO${span("down", "2")}, 10${span("flat", "3")}</text:p>`;
    assert.equal((await convertText(makeOdf("text", body, styles))).text, "10⁶, 10³, CO₂, 103");
  });

  test("of PPTX, with struck-out text and hidden slides and shapes", async () => {
    const piece = (text: string, properties: string) => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
    const shape = (text: string, hidden = "") =>
      `<p:sp><p:nvSpPr><p:cNvPr ${hidden}/></p:nvSpPr><p:txBody><a:p>${text}</a:p></p:txBody></p:sp>`;
    const shown = shape(
      `${piece("10", "")}${piece("6", 'baseline="30000"')}${piece(" old", 'strike="sngStrike"')}${piece(" new", 'strike="noStrike"')}`,
    );
    const secret = shape(piece("Secret", ""));
    const file = makePptx(
      [shown + shape(piece("Secret", ""), 'hidden="1"'), secret, shape(piece("End", ""))],
      "",
      {
        "ppt/slides/slide2.xml": `<p:sld xmlns:p="p" xmlns:a="a" show="0"><p:cSld><p:spTree>${secret}</p:spTree></p:cSld></p:sld>`,
      },
    );
    const { text, pages } = await convertText(file);
    assert.equal(text, "10⁶ new\n\nEnd");
    assert.deepEqual(pages.at(-1), { page: 3, start: text.indexOf("End") });
  });
});

describe("struck-out and hidden text", () => {
  test("of HTML is left out, in rows, items and cells, too", async () => {
    const body =
      "<p>Dogs are <del>not</del> <ins>now</ins> allowed, for <s>12</s> <strike>13</strike> 15 crowns" +
      '<span style="color:red; text-decoration: underline line-through"> or 99</span>.</p>' +
      '<ul><li>Oars<li hidden>Secret<li style="display:none">Secret</ul>' +
      '<table><tr><td>A</td><td>B</td></tr><tr style="display: none"><td>Secret</td><td>row</td></tr><tr><td><s>1</s> 2</td><td>3</td></tr></table>';
    assert.equal(
      await html(body),
      "Dogs are now allowed, for 15 crowns.\n\n- Oars\n\n| A | B |\n| --- | --- |\n| 2 | 3 |",
    );
  });

  test("of HTML by a class is left out, unless the rule is for print or a pointer", async () => {
    const css =
      "/* .c{} */ @import 'x'; .old, p.gone { color: red; text-decoration: line-through } .up{vertical-align:super}" +
      "@media print { .kept { text-decoration: line-through } } .kept:hover { text-decoration: line-through }";
    const body =
      '<p>for <span class="a old">12</span> 15 crowns, 10<span class="up">6</span> <b class="kept">left</b></p><p class="gone">Secret</p>';
    assert.equal(await html(`<style>${css}</style>${body}`), "for 15 crowns, 10⁶ left");
  });

  for (const [css, mark, isShown] of [
    [".secret{display:none}", 'class="a secret"', false],
    [".secret{ color:red; VISIBILITY : hidden !important }", 'class="secret"', false],
    ["#aside, p { display:none }", 'id="aside"', false],
    ["section{display:none}", "", false],
    ["section.a.b{display:none}", 'class="b a"', false],
    ["section.a.b{display:none}", 'class="b"', true],
    [".a{display:block}.a{display:none}", 'class="a"', false],
    [".a{display:none}.a.open{display:block}", 'class="a open"', true],
    [".a{display:none !important}.a.open{display:block}", 'class="a open"', false],
    [".a{display:none}.page .a{display:block}", 'class="a"', true],
    [".a{display:none}body section{display:block}", 'class="a"', false],
    [".a{display:none}.a:hover,.a::after{display:block}", 'class="a"', false],
    [".a{display:none}@media (min-width: 9em){.a{display:flex}}", 'class="a"', true],
    [".a{display:none}@media print{.a{display:block}}", 'class="a"', false],
    ["@media print{.a{display:none}}", 'class="a"', true],
    [".x .a{display:none}", 'class="a"', true],
    [".a{display:none}", 'class="a" style="display: block"', true],
    ["body{display:none}", "", true],
    ["</style></head><style media='print'>.a{display:none}", 'class="a"', true],
    ["</style><noscript><style>.a{display:none}</style></noscript><style>", 'class="a"', true],
  ] as const)
    test(`of HTML: ${css} ${isShown ? "shows" : "hides"} ${mark}`, async () => {
      const page = `<style>${css}</style><div>Seen</div><section ${mark}>Veiled</section>`;
      assert.equal(await html(page), isShown ? "Seen\n\nVeiled" : "Seen");
    });

  test("of HTML in dialogs that are closed, popovers and lists of proposals is left out", async () => {
    const body =
      "<p>Seen</p><dialog>Veiled</dialog><dialog open>Open</dialog><div popover>Veiled</div><datalist><option>Veiled</option></datalist>";
    assert.equal(await html(body), "Seen\n\nOpen");
  });

  test("of EPUB by a class of its style sheet is left out", async () => {
    const chapter = '<p>for <span class="old">12</span> 15 crowns</p>';
    const book = makeEpub([chapter], {
      "book/content.opf":
        '<package><manifest><item id="c0" href="chapter%200.xhtml"/><item id="s" href="s.css"/></manifest><spine><itemref idref="c0"/></spine></package>',
      "book/s.css": ".old { text-decoration: line-through }",
    });
    assert.equal((await convertText(book)).text, "for 15 crowns");
  });

  test("of DOCX is left out: struck out once or twice, hidden, by a style, and hidden rows", async () => {
    const body =
      `<w:p>${run("The rent is ")}${run("300 ", "<w:strike/>")}${run("350 ", '<w:dstrike w:val="true"/>')}${run("380 ", '<w:rStyle w:val="Old"/>')}` +
      `${run("400", '<w:rStyle w:val="Old"/><w:strike w:val="0"/>')}${run(" or 999", "<w:vanish/>")}${run(" crowns.")}</w:p>` +
      `<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>${docx.paragraph("Secret")}</w:tc><w:tc>${docx.paragraph("1")}</w:tc></w:tr>` +
      `<w:tr><w:tc>${docx.paragraph("A")}</w:tc><w:tc>${docx.paragraph("B")}</w:tc></w:tr></w:tbl>`;
    const styles = `<w:styles ${W}><w:style w:type="character" w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style></w:styles>`;
    const { text } = await convertText(makeDocx(body, { "word/styles.xml": styles }));
    assert.equal(text, "The rent is 400 crowns.\n\n| A | B |\n| --- | --- |");
  });

  test("of DOCX that mammoth would leave out is kept: simple fields, text with a direction, and what has readings above it", async () => {
    const field = `<w:fldSimple w:instr="DOCPROPERTY n">${run("4711-")}<w:fldSimple w:instr="x">${run("A")}</w:fldSimple></w:fldSimple>`;
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run("reading")}</w:rt><w:rubyBase>${run("Base")}</w:rubyBase></w:ruby></w:r>`;
    const body = `<w:p>${run("No. ")}${field}${run(" of ")}<w:dir w:val="rtl">${run("Ada ")}<w:bdo w:val="ltr">${run("Holt")}</w:bdo></w:dir><w:fldSimple w:instr="empty"/>${run(", ")}${ruby}</w:p>`;
    assert.equal((await convertText(makeDocx(body))).text, "No. 4711-A of Ada Holt, Base");
  });

  test("of a DOCX file with other prefixes is left out", async () => {
    const body = `<w:p>${run("now ")}${run("then", "<w:strike/>")}</w:p>`;
    const document = `<w:document ${W}><w:body>${body}</w:body></w:document>`.replaceAll(
      /xmlns:w=|w:/g,
      (name) => (name === "w:" ? "x:" : "xmlns:x="),
    );
    assert.equal((await convertText(makeDocx("", { "word/document.xml": document }))).text, "now");
  });

  test("of OpenDocument is left out, with hidden parts and slides", async () => {
    const styles =
      '<style:style style:family="text" style:name="old"><style:text-properties style:text-line-through-style="solid"/></style:style>' +
      '<style:style style:family="paragraph" style:name="gone"><style:text-properties text:display="none"/></style:style>' +
      '<style:style style:family="drawing-page" style:name="off"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const body =
      '<text:p>The rent is <text:span text:style-name="old">300 </text:span>400 crowns.</text:p><text:p text:style-name="gone">Secret</text:p>' +
      '<text:section text:display="none"><text:p>Secret</text:p></text:section>';
    assert.equal((await convertText(makeOdf("text", body, styles))).text, "The rent is 400 crowns.");
    const pages = `<draw:page draw:style-name="off"><text:p>Secret</text:p></draw:page><draw:page><text:p>Shown</text:p></draw:page>`;
    const slides = await convertText(makeOdf("presentation", pages, styles));
    assert.deepEqual([slides.text, slides.pages], ["Shown", [{ page: 2, start: 0 }]]);
  });

  test("of OpenDocument by a condition is left out: paragraphs, sections and texts", async () => {
    const hidden = (kind: string, is: boolean, content = "") =>
      `<text:${kind} text:condition="ooow:x" text:is-hidden="${is}">${content}</text:${kind}>`;
    const body =
      `<text:p>Veiled${hidden("hidden-paragraph", true)}</text:p><text:p>Seen${hidden("hidden-paragraph", false)}${hidden("hidden-text", true, "veiled")}</text:p>` +
      `<text:section text:display="condition" text:is-hidden="true"><text:p>Veiled</text:p></text:section>` +
      `<text:section text:display="condition" text:is-hidden="false"><text:p>End</text:p></text:section>`;
    assert.equal((await convertText(makeOdf("text", body))).text, "Seen\n\nEnd");
    // A hidden paragraph of a note hides nothing of the text that refers to it.
    const note = `<text:note><text:note-body><text:p>Veiled${hidden("hidden-paragraph", true)}</text:p><text:p>open</text:p></text:note-body></text:note>`;
    assert.equal((await convertText(makeOdf("text", `<text:p>Seen${note}</text:p>`))).text, "Seen (open)");
    const box = `<draw:frame><draw:text-box><text:p>Veiled${hidden("hidden-paragraph", true)}</text:p></draw:text-box></draw:frame>`;
    assert.match((await convertText(makeOdf("text", `<text:p>Seen${box}</text:p>`))).text, /^Seen/);
  });

  test("of an e-mail is left out, although its plain text has it", async () => {
    const part = (type: string, text: string) =>
      `--X\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${text}\r\n`;
    const mail = (rich: string) =>
      `From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=X\r\n\r\n${part("plain", "The price is 100 80.")}${part("html", rich)}--X--\r\n`;
    assert.match((await convertText(mail("<p>The price is <s>100</s> 80.</p>"))).text, /The price is 80\.$/);
    assert.match((await convertText(mail("<p>Rich</p>"))).text, /The price is 100 80\.$/);
  });
});

describe("Markdown", () => {
  test("has its superscripts in plain characters, and nothing that is struck out or a comment", async () => {
    const text =
      "# Tea\n\nIt costs ~~12~~ 15 crowns, <del><b>not</b></del> <s>never</s>10<sup>6</sup> leaves<sup><a href='#n'>1</a></sup>, H<sub>2</sub>O.<!-- <b>secret</b> -->";
    const shown = "# Tea\n\nIt costs  15 crowns,  10⁶ leaves [1], H₂O.";
    assert.equal((await convertText(text, "tea.md")).text, shown);
  });

  test("keeps code, and tildes that strike nothing out", async () => {
    const text =
      "`~~a~~ <s>b</s>`\n\n```html\n10<sup>6</sup> ~~c~~\n```\n\nabout ~5 ~~ or ~6 ~~, ~~open\n\nclosed~~ <s>\n\n~~~\n<s>d</s>";
    assert.equal((await convertText(text, "tea.md")).text, text);
  });
});

describe("numbers of list items", () => {
  test("begin, jump and fall as HTML says", async () => {
    const body =
      '<ol start="5"><li>a<li value="9">b<li>c</ol><p>-</p><ol reversed><li>d<li>e</ol><p>-</p><ol start=""><li>f</ol>';
    assert.equal(await html(body), "5. a\n9. b\n10. c\n\n-\n\n2. d\n1. e\n\n-\n\n1. f");
  });
});
