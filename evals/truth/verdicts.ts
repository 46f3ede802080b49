/** What judges say of relationships that were read: judged/facts-<date>/sample.json and verdicts.json. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { ReadFact } from "./read-facts.ts";

/** "type": true, but the type of an end is wrong. */
export type Verdict = "true" | "type" | "loose" | "false" | "useless";

const folder = new URL("./judged/", import.meta.url);

/** The same for the same claim under the same ontology from the same sentence, whatever reads it. */
export function idOfFact({ reading, claim, quote }: Pick<ReadFact, "reading" | "claim" | "quote">): string {
  const told = [reading.ontology, claim, quote].join("\n");
  return createHash("sha256").update(told).digest("base64url").slice(0, 12);
}

/** By `idOfFact`. */
export async function readVerdicts(): Promise<ReadonlyMap<string, Verdict>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("facts-")).sort();
  const verdicts = new Map<string, Verdict>();
  for (const name of names) {
    const text = await readFile(new URL(`${name}/verdicts.json`, folder), "utf8");
    const own = JSON.parse(text) as Readonly<Record<string, Verdict>>; // Our own file.
    for (const [id, verdict] of Object.entries(own)) verdicts.set(id, verdict);
  }
  return verdicts;
}
