/** Reads evaluation sets in the BEIR layout, with and without the titles of their documents. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

export interface EvaluationSet {
  readonly name: string;
  readonly sha256: string;
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  /** Those that have relevant documents, with their place in the file. */
  readonly questions: readonly {
    readonly place: number;
    readonly text: string;
    readonly relevant: ReadonlyMap<string, number>;
  }[];
}

/** `folder` holds corpus.jsonl {_id, title, text}, queries.jsonl {_id, text} and qrels.tsv (query-id, corpus-id, score). */
export async function readSet(folder: string, hasTitles: boolean): Promise<EvaluationSet> {
  const [corpus = "", queries = "", qrels = ""] = await Promise.all(
    ["corpus.jsonl", "queries.jsonl", "qrels.tsv"].map((file) => readFile(join(folder, file), "utf8")),
  );
  const relevant = readGrades(qrels);
  const documents = rowsOf(corpus).map((row) => ({
    id: row["_id"] ?? "",
    text: [hasTitles ? row["title"] : "", row["text"]].filter(Boolean).join("\n"),
  }));
  const questions = rowsOf(queries).flatMap((row, place) => {
    const grades = relevant.get(row["_id"] ?? "");
    return grades === undefined ? [] : [{ place, text: row["text"] ?? "", relevant: grades }];
  });
  return {
    name: hasTitles ? basename(folder) : `${basename(folder)}, no titles`,
    sha256: createHash("sha256").update(corpus).update(queries).update(qrels).digest("hex"),
    documents: documents.filter(({ text }) => text.trim() !== ""),
    questions,
  };
}

function rowsOf(lines: string): readonly Record<string, string>[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>); // The layout's members are strings.
}

function readGrades(qrels: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const relevant = new Map<string, Map<string, number>>();
  for (const line of qrels.trim().split("\n")) {
    const [query, document, score] = line.split("\t");
    if (query === undefined || document === undefined || !/^-?\d+$/.test(score?.trim() ?? "")) continue;
    const grades = relevant.get(query) ?? new Map<string, number>();
    relevant.set(query, grades.set(document, Math.max(0, Number(score))));
  }
  return relevant;
}
