/** Which part of an Office document another part means by an id. */
import { posix } from "node:path";
import { childElements, decodeXml, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";

export interface Relation {
  /** The last word of its type, such as `slide` or `notesSlide`. */
  readonly type: string;
  /** Path in the ZIP file. */
  readonly target: string;
}

/** By id; empty when the part has none. */
export async function readRelations(zip: Zip, part: string): Promise<ReadonlyMap<string, Relation>> {
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
