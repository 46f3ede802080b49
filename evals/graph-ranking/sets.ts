/** Reads evaluation sets in the BEIR layout, with and without the titles of their documents. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readGrades, rowsOf } from "../retrieval-set.ts";

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
