/** What becomes of documents of office programs and e-books. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText, isUnreadable } from "./convert.ts";
import {
  docx,
  makeDocx,
  makeEpub,
  makeOdf,
  makePptx,
  makeXlsx,
  shape,
  slideTable,
} from "./make-documents.ts";

const TABLE = [
  ["Boat", "Seats"],
  ["Nixe", "4"],
  ["Undine | old", "8"],
];
const MARKDOWN_TABLE = "| Boat | Seats |\n| --- | --- |\n| Nixe | 4 |\n| Undine \\| old | 8 |";

describe("DOCX", () => {
  test("headings, paragraphs, lists and tables keep their structure", async () => {
    const body = [
      docx.heading("Boats"),
      docx.paragraph("The club owns two boats."),
      docx.item("Oars"),
      docx.item("Ropes"),
      docx.table(TABLE),
    ];
    const { text, title, date, mediaType } = await convertText(makeDocx(body.join("")));
    assert.equal(text, `## Boats\n\nThe club owns two boats.\n\n- Oars\n- Ropes\n\n${MARKDOWN_TABLE}`);
    assert.equal(title, "The rowing club");
    assert.equal(date, "2021-03-04T12:00:00.000Z");
    assert.match(mediaType, /wordprocessingml\.document$/);
  });
});

describe("PPTX", () => {
  test("slides are pages in the order of the presentation, with title, list, table and notes", async () => {
    const slides = [
      shape("body", "Oars\nRopes") + shape("title", "Boats") + shape("sldNum", "7"),
      shape("title", "Numbers") + slideTable(TABLE),
    ];
    // The notes belong to the part slide1, which is the last slide.
    const { text, pages } = await convertText(makePptx(slides, "Ask for the keys."));
    assert.equal(text, `## Boats\n\n- Oars\n- Ropes\n\n## Numbers\n\n${MARKDOWN_TABLE}\n\nAsk for the keys.`);
    assert.deepEqual(pages, [
      { page: 1, start: 0 },
      { page: 2, start: text.indexOf("## Numbers") },
    ]);
  });
});

describe("XLSX", () => {
  test("sheets become tables under their names, with dates and percentages as people read them", async () => {
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Since</t></is></c><c r="C1" t="str"><v>Share</v></c></row>' +
      '<row><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>44259</v></c><c r="C2" s="2"><v>0.125</v></c></row>' +
      '<row/><row><c r="A4"><v>0.1000000000000000055</v></c><c r="C4" t="b"><v>1</v></c></row>';
    const { text } = await convertText(makeXlsx({ Fleet: rows, Empty: "" }, ["Boat", "Nixe &amp; Co"]));
    assert.equal(
      text,
      "## Fleet\n\n| Boat | Since | Share |\n| --- | --- | --- |\n| Nixe & Co | 2021-03-04 | 12.5% |\n\n| 0.1 | TRUE |\n| --- | --- |",
    );
  });

  test("a cell far to the right makes no empty columns", async () => {
    const row = '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>';
    assert.equal((await convertText(makeXlsx({ A: row }))).text, "## A\n\n| 1 | 2 |\n| --- | --- |");
  });
});

describe("OpenDocument", () => {
  test("a text keeps headings, lists of lists, tables, white space and footnotes", async () => {
    const body =
      '<text:h text:outline-level="2">Boats</text:h><text:p>Two<text:s/>boats<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Both old</text:p></text:note-body></text:note>.</text:p>' +
      "<text:list><text:list-item><text:p>Oars</text:p><text:list><text:list-item><text:p>Spare</text:p></text:list-item></text:list></text:list-item></text:list>" +
      "<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>" +
      `<table:table><table:table-header-rows>${odfRow(TABLE[0] ?? [])}</table:table-header-rows>${TABLE.slice(1).map(odfRow).join("")}</table:table>`;
    const { text, title, date } = await convertText(makeOdf("text", body));
    assert.equal(text, `## Boats\n\nTwo boats (Both old).\n\n- Oars\n  - Spare\n\n${MARKDOWN_TABLE}`);
    assert.equal(title, "The rowing club");
    assert.match(date ?? "", /^2021-03-04/);
  });

  test("rows and columns repeated up to the edge of a sheet do not fill memory", async () => {
    const body = `<table:table table:name="Fleet">${TABLE.map(odfRow).join("")}<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
    assert.equal((await convertText(makeOdf("spreadsheet", body))).text, `## Fleet\n\n${MARKDOWN_TABLE}`);
  });

  test("slides are pages", async () => {
    const page = (text: string) =>
      `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`;
    const { text, pages } = await convertText(makeOdf("presentation", page("Boats") + page("Oars")));
    assert.equal(text, "## Boats\n\n## Oars");
    assert.deepEqual(
      pages.map(({ start }) => start),
      [0, 10],
    );
  });

  test("of slides only those with text are kept, and a presentation of too many is refused", async () => {
    const slides = (count: number) =>
      makeOdf(
        "presentation",
        `${"<draw:page/>".repeat(count - 1)}<draw:page><text:p>Boats</text:p></draw:page>`,
      );
    const { text, pages } = await convertText(slides(20_000));
    assert.deepEqual([text, pages.length, pages[0]], ["Boats", 1, { page: 20_000, start: 0 }]);
    await assert.rejects(convertText(slides(20_001)), isUnreadable(/^The file has more than 20000 pages\.$/));
  });
});

describe("EPUB", () => {
  test("a chapter is one by what the book says of it, whatever its name", async () => {
    const book = `<package><metadata/><manifest><item id="a" href="one#top" media-type="application/xhtml+xml"/><item id="b" href="cover.png" media-type="image/png"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>`;
    const others = {
      "book/content.opf": book,
      "book/one": "<html><body><p>First.</p></body></html>",
      "book/cover.png": "x",
    };
    assert.equal((await convertText(makeEpub([], others))).text, "First.");
  });

  test("chapters follow in reading order", async () => {
    const { text, title, date } = await convertText(makeEpub(["<h1>One</h1><p>First.</p>", "<h1>Two</h1>"]));
    assert.equal(text, "# One\n\nFirst.\n\n# Two");
    assert.deepEqual([title, date], ["The rowing club", "2021-03-04"]);
  });

  test("scrambled fonts do no harm, encrypted chapters are refused", async () => {
    const encryption = (method: string) => ({
      "META-INF/encryption.xml": `<encryption><EncryptedData><EncryptionMethod Algorithm="${method}"/></EncryptedData></encryption>`,
    });
    const fonts = makeEpub(["<p>Text.</p>"], encryption("http://www.idpf.org/2008/embedding"));
    assert.equal((await convertText(fonts)).text, "Text.");
    const chapters = makeEpub(["<p>Text.</p>"], encryption("http://www.w3.org/2001/04/xmlenc#aes256-cbc"));
    await assert.rejects(convertText(chapters), /encrypted \(DRM\)/);
  });
});

function odfRow(cells: readonly string[]): string {
  const shown = cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`);
  return `<table:table-row>${shown.join("")}</table:table-row>`;
}
