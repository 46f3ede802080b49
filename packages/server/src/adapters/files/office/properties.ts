/** Title and date that documents of Office programs carry. */
import { decodeXml, findChild, readXml, xmlText } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readRelations, relatedPart } from "./relations.ts";

export interface Properties {
  readonly title: string | null;
  readonly date: string | null;
}

/** Of DOCX, PPTX and XLSX. */
export async function readOfficeProperties(zip: Zip): Promise<Properties> {
  const relations = await readRelations(zip, "");
  const part = relatedPart(zip, { relations, type: "core-properties", usual: "docProps/core.xml" });
  const bytes = await zip.find(part);
  if (bytes === null) return { title: null, date: null };
  const core = readXml(decodeXml(bytes));
  return {
    title: titleOrNull(xmlText(findChild(core, "title"))),
    date: isoDate(xmlText(findChild(core, "created"))),
  };
}

export function titleOrNull(text: string): string | null {
  const title = text.replace(/\s+/g, " ").trim();
  return title === "" ? null : title.slice(0, 500);
}

/** null = it is no date. */
export function isoDate(text: string): string | null {
  const [, date] = /^\s{0,9}(\d{4}-\d\d-\d\d)(?:T|\s|$)/.exec(text) ?? [];
  const time = Date.parse(text.trim());
  if (!Number.isNaN(time) && /T\d\d:\d\d/.test(text)) return new Date(time).toISOString();
  return date !== undefined && !Number.isNaN(Date.parse(date)) ? date : null;
}
