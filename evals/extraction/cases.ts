/** Invented texts with the entities and relationships that they state, as cases.txt writes them down. */
import { readFile } from "node:fs/promises";
import { normalizeName } from "../../packages/server/src/engine/text/names/normal-form.ts";

export interface Case {
  /** What is hard in it. */
  readonly kind: string;
  readonly half: "tune" | "report";
  /** "open" where types come from the data. */
  readonly ontology: string;
  readonly text: string;
  /** By normal form the types that are right. */
  readonly entities: ReadonlyMap<string, readonly string[]>;
  /** "type key" of entities that are neither asked for nor wrong. */
  readonly mayHave: ReadonlySet<string>;
  /** "source | TYPE | target", ends as normal forms. */
  readonly relationships: ReadonlySet<string>;
}

const HEAD = /^## (\w+), (tune|report), (\w+)$/;

/** `## kind, half, ontology`, the text, `+ Type|Type: entity`, `~ Type: may have`, `> source | TYPE | target`. @throws on other lines */
export async function readCases(): Promise<readonly Case[]> {
  const file = await readFile(new URL("./cases.txt", import.meta.url), "utf8");
  return file
    .split(/^(?=## )/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(readCase);
}

function readCase(part: string): Case {
  const [head = "", ...lines] = part.split("\n");
  const [, kind, half, ontology] = HEAD.exec(head) ?? [];
  if (kind === undefined || ontology === undefined || (half !== "tune" && half !== "report"))
    throw new Error(`No case: ${head}`);
  const marked = (mark: string) =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  const named = (line: string) => {
    const colon = line.indexOf(": ");
    return { types: line.slice(0, colon).split("|"), key: normalizeName(line.slice(colon + 2)) };
  };
  return {
    ...{ kind, half, ontology },
    text: lines
      .filter((line) => !/^[+~>] /.test(line))
      .join("\n")
      .trim(),
    entities: new Map(marked("+").map((line) => [named(line).key, named(line).types])),
    mayHave: new Set(
      marked("~").flatMap((line) => named(line).types.map((type) => `${type} ${named(line).key}`)),
    ),
    relationships: new Set(
      marked(">").map((line) => {
        const [source = "", type = "", target = ""] = line.split(" | ");
        return relationshipKey(normalizeName(source), type, normalizeName(target));
      }),
    ),
  };
}

export function relationshipKey(source: string, type: string, target: string): string {
  return `${source} | ${type} | ${target}`;
}
