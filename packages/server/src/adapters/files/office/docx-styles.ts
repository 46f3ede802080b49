/** What the styles of a DOCX file say of texts: hidden, struck out, higher or lower than the line. */
import { childElements, findChild, readXml, type XmlElement } from "../xml.ts";

/** undefined = as the style below has it. */
export interface DocxStyle {
  isHidden?: boolean | undefined;
  isStruck?: boolean | undefined;
  /** As in the file: `superscript`, `subscript`, `baseline`. */
  position?: string | undefined;
}

/** Styles that are based on one another in a circle are damaged. */
const MAX_BASES = 20;

/** The styles by id, with those that they are based on. @param xml null = the file has none */
export function readDocxStyles(xml: string | null): ReadonlyMap<string, DocxStyle> {
  const elements = xml === null ? [] : childElements(readXml(xml), "style");
  const byId = new Map(elements.map((element) => [element.attributes["w:styleId"] ?? "", element]));
  return new Map([...byId.keys()].map((id) => [id, resolve(id, byId)]));
}

/** Adds what an element in the properties of a run or a style says. */
export function addProperty(style: DocxStyle, name: string, value: string | undefined): void {
  if (name === "vanish") style.isHidden = isOn(value);
  // One line and two lines can each be off.
  else if (name === "strike" || name === "dstrike") style.isStruck = isOn(value) || style.isStruck === true;
  else if (name === "vertAlign") style.position = value;
}

export function isOn(value: string | undefined): boolean {
  return !/^(?:0|false|off)$/.test(value ?? "");
}

function resolve(id: string, byId: ReadonlyMap<string, XmlElement>): DocxStyle {
  let found: DocxStyle = {};
  let next: string | undefined = id;
  for (let bases = 0; next !== undefined && bases < MAX_BASES; bases++) {
    const element = byId.get(next);
    const own: DocxStyle = {};
    const properties = findChild(element, "rPr");
    for (const { name, attributes } of properties === undefined ? [] : childElements(properties))
      addProperty(own, name, attributes["w:val"]);
    found = above(found, own);
    next = findChild(element, "basedOn")?.attributes["w:val"];
  }
  return found;
}

/** @param lower counts where the other one says nothing */
export function above(style: DocxStyle, lower: DocxStyle | undefined): DocxStyle {
  return {
    isHidden: style.isHidden ?? lower?.isHidden,
    isStruck: style.isStruck ?? lower?.isStruck,
    position: style.position ?? lower?.position,
  };
}
