/** XLSX: each sheet is a heading, and its rows are tables with the first row as header. Hidden sheets are left out. */
import type { Markdown } from "../markdown.ts";
import { childElements, decodeXml, findChild, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readCellFormats } from "./cell-format.ts";
import { readRelations } from "./relations.ts";
import { writeSheet } from "./sheet.ts";
import { isTrue, readRows, sharedString } from "./xlsx-rows.ts";

const WORKBOOK = "xl/workbook.xml";

export async function readXlsx(zip: Zip, markdown: Markdown): Promise<void> {
  const workbook = readXml(decodeXml(await zip.read(WORKBOOK)));
  const relations = await readRelations(zip, WORKBOOK);
  const book = {
    strings: await readSharedStrings(zip),
    formats: await readCellFormats(zip),
    countsFrom1904: isTrue(findChild(workbook, "workbookPr")?.attributes["date1904"]),
  };
  const sheets = childElements(findChild(workbook, "sheets") ?? workbook, "sheet");
  for (const { attributes } of sheets) {
    const relation = relations.get(attributes["r:id"] ?? "");
    if (relation?.type !== "worksheet" || /hidden/i.test(attributes["state"] ?? "")) continue;
    const rows = readRows(decodeXml(await zip.read(relation.target)), book);
    writeSheet(attributes["name"] ?? "", rows, markdown);
  }
}

async function readSharedStrings(zip: Zip): Promise<readonly string[]> {
  const bytes = await zip.find("xl/sharedStrings.xml");
  if (bytes === null) return [];
  return childElements(readXml(decodeXml(bytes)), "si").map(sharedString);
}
