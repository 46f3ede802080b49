/** Cells of spreadsheets and values of JSON keep their digits, and merged cells count in each row. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText } from "./convert.ts";
import { makeOdf, makePptx, makeXlsx } from "./make-documents.ts";

const FORMATS = ["", "00000", "[h]:mm", "yyyy-mm-dd", "[$-407]d. mmmm yyyy", "mm:ss", "0.0%", "[h]:mm:ss"];
const STYLES = {
  "xl/styles.xml":
    `<styleSheet><numFmts>${FORMATS.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join("")}</numFmts>` +
    `<fonts><font/><font><strike/></font></fonts><cellXfs>${FORMATS.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join("")}<xf numFmtId="200" fontId="1"/></cellXfs></styleSheet>`,
};
const STRUCK = FORMATS.length;
const words = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
const number = (ref: string, value: string, style = 0) => `<c r="${ref}" s="${style}"><v>${value}</v></c>`;

async function xlsx(rows: string, strings: readonly string[] = [], others = {}): Promise<string> {
  return (await convertText(makeXlsx({ A: rows }, strings, { ...STYLES, ...others }))).text;
}

describe("numbers of XLSX", () => {
  for (const [value, format, expected] of [
    ["1234567890123456", "", "1234567890123456"],
    ["12345678901234567890", "", "12345678901234567890"],
    ["1.2345678901234567E+19", "", "1.2345678901234567E+19"],
    ["0.30000000000000004", "", "0.3"],
    ["1234", "00000", "01234"],
    ["1.5", "[h]:mm", "36:00"],
    ["-1.25", "[h]:mm", "-30:00"],
    ["0.000011574074074", "[h]:mm:ss", "0:00:01"],
    ["59", "yyyy-mm-dd", "1900-02-28"],
    ["60", "yyyy-mm-dd", "1900-02-29"],
    ["61", "yyyy-mm-dd", "1900-03-01"],
    ["44927", "[$-407]d. mmmm yyyy", "2023-01-01"],
    ["0.5", "mm:ss", "12:00:00"],
    ["0.155", "0.0%", "15.5%"],
  ] as const)
    test(`${value} as ${format || "it is"}`, async () => {
      const row = `<row>${words("A1", "x")}${number("B1", value, FORMATS.indexOf(format))}</row>`;
      assert.equal(await xlsx(row), `## A\n\n| x | ${expected} |\n| --- | --- |`);
    });
});

describe("sheets of XLSX", () => {
  test("texts with superscripts and struck-out pieces, in the cell and in the shared strings", async () => {
    const rich =
      '<r><t>Area 10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>3</t></r><r><rPr><strike/></rPr><t> old</t></r><r><rPr><strike val="0"/></rPr><t> new</t></r>';
    const row = `<row><c r="A1" t="inlineStr"><is>${rich}<rPh><t>reading</t></rPh></is></c><c r="B1" t="s"><v>0</v></c>${number("C1", "7", STRUCK)}${number("D1", "8")}</row>`;
    const strings = { "xl/sharedStrings.xml": `<sst><si>${rich}</si></sst>` };
    assert.equal(
      await xlsx(row, [], strings),
      "## A\n\n| Area 10³ new | Area 10³ new | 8 |\n| --- | --- | --- |",
    );
  });

  test("characters that are escaped in the file are shown as they are meant", async () => {
    const escaped = "Cap_x000D_\ntain _x0041_ _x005F_x0041_ _xD83D__xDE00_ _x00_ a_x0008_b";
    const row = `<row><c r="A1" t="s"><v>0</v></c>${words("B1", "x_x0042_")}<c r="C1" t="str"><v>_x0043_</v></c></row>`;
    assert.equal(
      await xlsx(row, [escaped]),
      "## A\n\n| Cap tain A _x0041_ 😀 _x00_ ab | xB | C |\n| --- | --- | --- |",
    );
  });

  test("a merged cell is in each of its rows that has more text", async () => {
    const rows =
      `<row r="1">${words("A1", "Hotel")}${words("B1", "Room")}</row><row r="2">${words("A2", "Alder")}${words("B2", "Single")}</row>` +
      `<row r="3">${words("B3", "Double")}</row><row r="4"/></sheetData><mergeCells><mergeCell ref="A2:A4"/></mergeCells><sheetData>`;
    assert.equal(
      await xlsx(rows),
      "## A\n\n| Hotel | Room |\n| --- | --- |\n| Alder | Single |\n| Alder | Double |",
    );
  });

  test("hidden rows, columns and sheets are left out", async () => {
    const rows =
      `<row r="1">${words("A1", "Boat")}${words("B1", "Price")}${words("C1", "Seats")}</row>` +
      `<row r="2" hidden="1">${words("A2", "Secret")}${words("B2", "Secret")}</row><row r="3">${words("A3", "Nixe")}${words("B3", "Secret")}${words("C3", "4")}</row>`;
    const sheet = (content: string) =>
      `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${content}</sheetData></worksheet>`;
    const file = makeXlsx({ A: "", B: rows }, [], {
      "xl/worksheets/sheet0.xml": sheet(rows),
      "xl/workbook.xml":
        '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r0"/><sheet name="B" state="hidden" r:id="r1"/></sheets></workbook>',
    });
    assert.equal((await convertText(file)).text, "## A\n\n| Boat | Seats |\n| --- | --- |\n| Nixe | 4 |");
  });
});

describe("sheets of OpenDocument", () => {
  const cell = (text: string, more = "") =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: string, more = "") => `<table:table-row ${more}>${cells}</table:table-row>`;
  const ods = async (content: string, styles = "") =>
    (
      await convertText(
        makeOdf("spreadsheet", `<table:table table:name="A">${content}</table:table>`, styles),
      )
    ).text;

  test("a cell that spans rows and columns is in each row", async () => {
    const rows =
      row(cell("Hotel") + cell("Room") + cell("Price")) +
      row(cell("Alder", 'table:number-rows-spanned="2"') + cell("Single") + cell("50")) +
      row(`<table:covered-table-cell/>${cell("Double")}${cell("80")}`) +
      row(`${cell("Birch")}${cell("closed", 'table:number-columns-spanned="2"')}<table:covered-table-cell/>`);
    assert.equal(
      await ods(rows),
      "## A\n\n| Hotel | Room | Price |\n| --- | --- | --- |\n| Alder | Single | 50 |\n| Alder | Double | 80 |\n| Birch | closed |  |",
    );
  });

  test("what follows a long run of equal or blank cells stands in its own column, and all equal rows are there", async () => {
    const run = (count: number, text: string) => cell(text, `table:number-columns-repeated="${count}"`);
    const text = await ods(
      row(Array.from({ length: 160 }, (_, at) => cell(`H${at}`)).join("")) +
        row(`${cell("first")}${run(130, "")}${cell("at 131")}${run(16_000, "")}`) +
        row(`${run(120, "x")}${cell("at 120")}`) +
        row(cell("same"), 'table:number-rows-repeated="250"'),
    );
    const lines = text.split("\n").filter((line) => line.startsWith("|"));
    const cellsOf = (line = "") => line.split("|").map((part) => part.trim());
    assert.equal(cellsOf(lines[2]).indexOf("at 131"), cellsOf(lines[0]).indexOf("H131"));
    assert.equal(cellsOf(lines[3]).indexOf("at 120"), cellsOf(lines[0]).indexOf("H120"));
    assert.equal(lines.filter((line) => line.includes("same")).length, 250);
  });

  test("a cell that has a value and no text shows the value, unless it is struck out", async () => {
    const style =
      '<style:style style:family="table-cell" style:name="old"><style:text-properties style:text-line-through-style="solid"/></style:style>';
    const value = (attributes: string) => `<table:table-cell ${attributes}/>`;
    const rows =
      row(cell("Boat") + cell("Seats") + cell("Built") + cell("Note") + cell("Was")) +
      row(
        value('office:value-type="string" office:string-value="Nixe"') +
          value('office:value-type="float" office:value="4"') +
          value('office:value-type="date" office:date-value="1994-05-02"') +
          value('office:value-type="boolean" office:boolean-value="true"') +
          value('office:value-type="float" office:value="5" table:style-name="old"'),
      );
    assert.equal(
      await ods(rows, style),
      "## A\n\n| Boat | Seats | Built | Note | Was |\n| --- | --- | --- | --- | --- |\n| Nixe | 4 | 1994-05-02 | true |  |",
    );
  });

  test("hidden rows, columns and sheets, and struck-out cells are left out", async () => {
    const styles =
      '<style:style style:family="table-cell" style:name="old"><style:text-properties style:text-line-through-style="solid"/></style:style>' +
      '<style:style style:family="table" style:name="off"><style:table-properties table:display="false"/></style:style>';
    const rows =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:default-cell-style-name="old"/><table:table-column/>' +
      row(cell("Boat") + cell("Secret") + cell("100") + cell("Seats")) +
      row(cell("Secret") + cell("Secret"), 'table:visibility="collapse"') +
      row(
        cell("Nixe") +
          cell("Secret") +
          cell("80", 'table:style-name="Default"') +
          cell("4", 'table:style-name="old"'),
      );
    assert.equal(
      await ods(rows, styles),
      "## A\n\n| Boat |  | Seats |\n| --- | --- | --- |\n| Nixe | 80 |  |",
    );
    const hidden = `<table:table table:name="B" table:style-name="off">${row(cell("Secret"))}</table:table>`;
    const shown = `<table:table table:name="C">${row(cell("Shown"))}</table:table>`;
    assert.equal((await convertText(makeOdf("spreadsheet", hidden + shown, styles))).text, "## C\n\nShown");
  });

  test("long whole numbers keep the digits that the cell does not show", async () => {
    const rows = row(cell("Card") + cell("1.23456789012346E+15", 'office:value="1234567890123456"'));
    assert.equal(await ods(rows), "## A\n\n| Card | 1234567890123456 |\n| --- | --- |");
  });
});

test("cells of a slide's table that span rows are in each of them", async () => {
  const cell = (text: string, more = "") =>
    `<a:tc ${more}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const rows = [
    cell("Hotel") + cell("Room"),
    cell("Alder", 'rowSpan="2"') + cell("Single"),
    cell("", 'vMerge="1"') + cell("Double"),
  ];
  const table = `<p:graphicFrame><a:graphic><a:tbl>${rows.map((row) => `<a:tr>${row}</a:tr>`).join("")}</a:tbl></a:graphic></p:graphicFrame>`;
  assert.equal(
    (await convertText(makePptx([table]))).text,
    "| Hotel | Room |\n| --- | --- |\n| Alder | Single |\n| Alder | Double |",
  );
});

describe("values of JSON", () => {
  test("are as they are written, in their order, and both of a name that occurs twice", async () => {
    const json =
      '{"account": 12345678901234567890, "version": 1.10, "limit": 1e400, "minus": -0, "10": "a", "2": "b",' +
      ' "dup": "first", "dup": "second \\"x\\", {", "none": null, "rates": [1.0, 2.50]}';
    assert.equal(
      (await convertText(json)).text,
      '- account: 12345678901234567890\n- version: 1.10\n- limit: 1e400\n- minus: -0\n- 10: a\n- 2: b\n- dup: first\n- dup: second "x", {\n- none:\n- rates: 1.0, 2.50',
    );
  });

  test("in tables, of lines, too", async () => {
    const lines =
      '{"city":"Orrin","phone":4915112345678901234}\n{"city":"Visby","phone":1,"phone":4915112345678901235}\n';
    assert.equal(
      (await convertText(lines)).text,
      "| city | phone |\n| --- | --- |\n| Orrin | 4915112345678901234 |\n| Visby | 1, 4915112345678901235 |",
    );
  });

  test("below six levels are on one line", async () => {
    const json = '{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h": 1.10, "i": ["x", 2.0]}}}}}}}}';
    assert.match((await convertText(json)).text, /- g: \{h: 1\.10, i: \[x, 2\.0\]\}$/);
  });

  test("long texts and long lists do not exhaust the stack", async () => {
    const json = JSON.stringify({
      text: '"'.repeat(2_000_000),
      list: Array.from({ length: 100_000 }, () => []),
    });
    assert.equal((await convertText(json)).text.length, "- text: ".length + 2_000_000 + "\n- list:".length);
  });
});
