/** XLSX: each sheet is a heading, and its rows are tables with the first row as header. Hidden sheets are left out. */
import type { Markdown } from "../markdown.ts";
import { childElements, decodeXml, findChild, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readCellFormats } from "./cell-format.ts";
import { mainPart, readRelations, relatedPart } from "./relations.ts";
import { writeSheet } from "./sheet.ts";
import { isTrue, readRows, sharedString } from "./xlsx-rows.ts";

export async function readXlsx(zip: Zip, markdown: Markdown): Promise<void> {
  const part = await mainPart(zip, "xl/workbook.xml");
  const workbook = readXml(decodeXml(await zip.read(part)));
  const relations = await readRelations(zip, part);
  const findPart = (type: string) => zip.find(relatedPart(zip, { relations, type, usual: `xl/${type}.xml` }));
  const book = {
    strings: readSharedStrings(await findPart("sharedStrings")),
    formats: readCellFormats(await findPart("styles")),
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

function readSharedStrings(bytes: Uint8Array | null): readonly string[] {
  if (bytes === null) return [];
  return childElements(readXml(decodeXml(bytes)), "si").map(sharedString);
}
