/** The ontology of each file of the records, and the facts that the file states. */
import { readdir, readFile } from "node:fs/promises";

export interface NamedFact {
  /** "|" between spellings of the same name. */
  readonly source: string;
  readonly type: string;
  readonly target: string;
}

export interface Gold {
  /** The body of a request that makes it. */
  readonly ontology: { readonly name: string; readonly schema: object };
  readonly facts: readonly NamedFact[];
}

/** @param stem the file's name without its ending */
export async function readGold(stem: string): Promise<Gold> {
  const read = async (kind: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(`${kind}/${stem}.json`, import.meta.url), "utf8"));
  // Written beside this file.
  const ontology = (await read("ontologies")) as Gold["ontology"];
  const { facts } = (await read("gold")) as { readonly facts: readonly [string, string, string][] };
  return { ontology, facts: facts.map(([source, type, target]) => ({ source, type, target })) };
}

/** The names of the files in the folder, in their order. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^\d\d-/.test(name)).sort();
}
