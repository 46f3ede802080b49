/** The texts of this evaluation, which no rule of the service was made on. */
import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

export interface TruthText {
  readonly id: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

const folder = new URL("./texts/", import.meta.url);

/** By kind of text, which is the name of its file; in the order of the names. */
export async function readTexts(): Promise<ReadonlyMap<string, readonly TruthText[]>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(new URL(name, folder), "utf8")).split("\n").filter((line) => line !== "");
      return [basename(name, ".jsonl"), lines.map((line) => JSON.parse(line) as TruthText)] as const; // Our own files.
    }),
  );
  return new Map(texts);
}

/** What is ingested: the title, then the text. */
export function wholeText({ title, text }: TruthText): string {
  return `${title}\n\n${text}`;
}
