/** A whole file of each type that the service reads, with paragraphs, tables and lists made from a seed. */
import {
  docx,
  makeDocx,
  makeEpub,
  makeOdf,
  makePptx,
  makeXlsx,
  shape,
  slideTable,
} from "../../packages/server/test/files/make-documents.ts";
import { makePdf } from "../../packages/server/test/files/make-pdf.ts";
import { makeZip } from "../../packages/server/test/files/make-zip.ts";
import { writeSentence } from "../soak/prose.ts";
import type { Random } from "../soak/random.ts";

export interface WholeFile {
  /** The ending of its name. */
  readonly type: string;
  readonly bytes: Buffer;
}

const ROWS = 30;

export function makeWholeFiles(random: Random): readonly WholeFile[] {
  const lines = Array.from({ length: ROWS }, () => writeSentence(random));
  const rows = lines.map((line, at) => [`row ${at}`, String(random.integer(0, 99_999)), line]);
  const files: Readonly<Record<string, Buffer | string>> = {
    ...makePackages(lines, rows),
    pdf: makePdf([0, 10, 20].map((from) => pageOf(lines.slice(from, from + 10)))),
    html: pageOfHtml(lines, rows),
    eml: mailOf(lines, rows),
    csv: rows.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\r\n"),
    tsv: rows.map((row) => row.join("\t")).join("\n"),
    json: JSON.stringify({ rows: rows.map(([name, count, text]) => ({ name, count: Number(count), text })) }),
    jsonl: rows.map(([name, count, text]) => JSON.stringify({ name, count: Number(count), text })).join("\n"),
    md: `# Report\n\n${lines.map((line) => `- ${line}`).join("\n")}\n\n| name | count |\n|---|---|\n${rows
      .map(([name, count]) => `| ${name} | ${count} |`)
      .join("\n")}\n`,
    txt: lines.join("\n\n"),
    "utf16.txt": Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le"),
    "latin1.txt": Buffer.from(`Größe, naïve, œuvre.\n${lines.join("\n")}`, "latin1"),
  };
  const whole = Object.entries(files).map(([type, content]) => ({ type, bytes: Buffer.from(content) }));
  const members = whole
    .filter(({ type }) => ["pdf", "docx", "html", "txt"].includes(type))
    .map(({ type, bytes }) => ({ name: `folder/member.${type}`, content: bytes }));
  return [...whole, { type: "zip", bytes: makeZip(members) }];
}

/** Files that are ZIP files of parts. */
function makePackages(lines: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = (row: readonly string[]) =>
    row
      .map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`)
      .map((cell) => cell.replaceAll("&", "&amp;"))
      .join("");
  const table = `<table:table table:name="A">${rows
    .map((row) => `<table:table-row>${cells(row)}</table:table-row>`)
    .join("")}</table:table>`;
  const paragraphs = lines.map((line) => `<text:p>${line}</text:p>`).join("");
  const slide = (line: string) => `<draw:page><draw:frame><text:p>${line}</text:p></draw:frame></draw:page>`;
  return {
    docx: makeDocx(
      docx.heading("Report") + lines.map(docx.paragraph).join("") + docx.item("Item") + docx.table(rows),
    ),
    pptx: makePptx(
      lines
        .slice(0, 6)
        .map((line, at) => shape("title", `Slide ${at}`) + shape("body", line) + slideTable(rows)),
      "Notes",
    ),
    xlsx: makeXlsx(
      {
        A: rows
          .map(
            (_, at) => `<row><c t="s"><v>${at}</v></c><c><v>${at * 7}</v></c><c s="1"><v>44000</v></c></row>`,
          )
          .join(""),
      },
      lines,
    ),
    odt: makeOdf("text", `<text:h>Report</text:h>${paragraphs}${table}`),
    ods: makeOdf("spreadsheet", table),
    odp: makeOdf("presentation", lines.slice(0, 6).map(slide).join("")),
    epub: makeEpub(
      [0, 10, 20].map((from) => `<h1>Part</h1><p>${lines.slice(from, from + 10).join("</p><p>")}</p>`),
    ),
  };
}

function pageOf(lines: readonly string[]) {
  return lines.map((text, at) => ({ text, at: [50, 700 - 20 * at] as const, size: at === 0 ? 20 : 10 }));
}

function pageOfHtml(lines: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = rows.map((row) => `<tr><td>${row.join("</td><td>")}</td></tr>`).join("");
  return `<!DOCTYPE html><html><head><title>Report</title></head><body><nav>Menu</nav><main><h1>Report</h1><p>${lines.join("</p><p>")}</p><ul><li>Item</li></ul><table>${table}</table></main></body></html>`;
}

/** A text, the same as HTML in base64, and a table as an attachment. */
function mailOf(lines: readonly string[], rows: readonly (readonly string[])[]): string {
  const html = Buffer.from(pageOfHtml(lines, rows)).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  return [
    "From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=",
    "Date: Thu, 4 Mar 2021 12:00:00 +0000\r\nContent-Type: multipart/mixed; boundary=outer\r\n",
    "--outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n",
    `--inner\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${lines.join("\r\n")}`,
    `--inner\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${html}`,
    "--inner--\r\n--outer\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n",
    `${rows.map((row) => row.join(",")).join("\r\n")}\r\n--outer--\r\n`,
  ].join("\r\n");
}
