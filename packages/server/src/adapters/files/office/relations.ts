/** Which parts of an Office document another part means, by an id or by their type. */
import { posix } from "node:path";
import { childElements, decodeXml, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";

export interface Relation {
  /** The last word of its type, such as `slide` or `notesSlide`. */
  readonly type: string;
  /** Path in the ZIP file. */
  readonly target: string;
}

export type Relations = ReadonlyMap<string, Relation>;

/** By id; empty when the part has none. @param part empty = the file itself */
export async function readRelations(zip: Zip, part: string): Promise<Relations> {
  const folder = posix.dirname(part);
  const bytes = await zip.find(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  if (bytes === null) return new Map();
  const relations = childElements(readXml(decodeXml(bytes)), "Relationship");
  return new Map(
    relations.map(({ attributes }) => {
      const { Id: id = "", Type: type = "", Target: target = "" } = attributes;
      const path = target.startsWith("/") ? target.slice(1) : posix.join(folder, target);
      return [id, { type: type.slice(type.lastIndexOf("/") + 1), target: path }];
    }),
  );
}

/** The part that is related by the type, else the one of the usual name, which need not exist. */
export function relatedPart(
  zip: Zip,
  {
    relations,
    type,
    usual,
  }: { readonly relations: Relations; readonly type: string; readonly usual: string },
): string {
  const related = [...relations.values()].find((each) => each.type === type && zip.has(each.target));
  return related?.target ?? usual;
}

/** The part in which the document itself is. @param usual its name in most files */
export async function mainPart(zip: Zip, usual: string): Promise<string> {
  return relatedPart(zip, { relations: await readRelations(zip, ""), type: "officeDocument", usual });
}
