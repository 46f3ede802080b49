/** What the styles of an OpenDocument file say of texts: hidden, struck out, higher or lower than the line. */
import type { Position } from "../inline-text.ts";
import { childElements, decodeXml, findChild, readXml, type XmlElement } from "../xml.ts";
import type { Zip } from "../zip.ts";

/** undefined = as what is around it. */
export interface OdfStyle {
  /** Hidden or struck out. */
  readonly isHidden?: boolean | undefined;
  /** null = on the line. */
  readonly position?: Position | null | undefined;
}

type Family = "paragraph" | "text" | "table-cell" | "table" | "drawing-page";

export interface OdfStyles {
  find(family: Family, name: string | undefined): OdfStyle;
}

/** Styles that inherit from one another in a circle are damaged. */
const MAX_PARENTS = 20;

/** @param content the root of content.xml, which has styles of its own */
export async function readOdfStyles(zip: Zip, content: XmlElement): Promise<OdfStyles> {
  const bytes = await zip.find("styles.xml");
  const common = bytes === null ? [] : [findChild(readXml(decodeXml(bytes)), "styles")];
  const styles = new Map<string, XmlElement>();
  for (const group of [...common, findChild(content, "automatic-styles")]) {
    for (const style of group === undefined ? [] : childElements(group, "style")) {
      styles.set(`${style.attributes["style:family"]} ${style.attributes["style:name"]}`, style);
    }
  }
  const known = new Map<string, OdfStyle>();

  function find(family: Family, name: string | undefined): OdfStyle {
    if (name === undefined) return {};
    const key = `${family} ${name}`;
    const found = known.get(key) ?? resolve(family, name);
    known.set(key, found);
    return found;
  }

  function resolve(family: Family, name: string): OdfStyle {
    let found: OdfStyle = {};
    let next: string | undefined = name;
    for (let parents = 0; next !== undefined && parents < MAX_PARENTS; parents++) {
      const style = styles.get(`${family} ${next}`);
      const own: OdfStyle = style === undefined ? {} : styleOf(style);
      // Null is a position, too.
      const position = found.position === undefined ? own.position : found.position;
      found = { isHidden: found.isHidden ?? own.isHidden, position };
      next = style?.attributes["style:parent-style-name"];
    }
    return found;
  }

  return { find };
}

function styleOf(style: XmlElement): OdfStyle {
  const text = findChild(style, "text-properties")?.attributes ?? {};
  if (findChild(style, "table-properties")?.attributes["table:display"] === "false")
    return { isHidden: true };
  const page = findChild(style, "drawing-page-properties")?.attributes["presentation:visibility"];
  if (page === "hidden" || text["text:display"] === "none") return { isHidden: true };
  return {
    isHidden: isStruck(text["style:text-line-through-style"] ?? text["style:text-line-through-type"]),
    position: positionOf(text["style:text-position"]),
  };
}

function isStruck(line: string | undefined): boolean | undefined {
  return line === undefined ? undefined : line !== "none";
}

/** `super 58%`, or the distance from the line first. */
function positionOf(value: string | undefined): Position | null | undefined {
  if (value === undefined) return undefined;
  const [place = ""] = value.trim().split(/\s/, 1);
  const height = Number.parseFloat(place) || 0;
  if (place === "super" || height > 0) return "raised";
  return place === "sub" || height < 0 ? "lowered" : null;
}
