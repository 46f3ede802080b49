/** Reads evaluation sets in the BEIR layout and scores rankings. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ndcg, recall } from "./metrics.ts";

export interface EvaluationSet {
  readonly name: string;
  readonly sha256: string;
  readonly documents: readonly SetDocument[];
  readonly queries: readonly SetQuery[];
  readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface SetQuery {
  readonly id: string;
  readonly text: string;
  /** Any of them is right; none where the set has no answers, or they are "yes" and "no". */
  readonly answers: readonly string[];
}

export interface SetDocument {
  readonly source_doc_id: string;
  readonly title: string;
  readonly body: string;
}

export interface Scores {
  readonly queries: number;
  readonly ndcg10: number;
  readonly recall2: number;
  readonly recall5: number;
}

export async function readSet(folder: string): Promise<EvaluationSet> {
  const [corpus, queries, qrels] = await Promise.all(
    ["corpus.jsonl", "queries.jsonl", "qrels.tsv"].map((file) => readFile(join(folder, file), "utf8")),
  );
  if (corpus === undefined || queries === undefined || qrels === undefined)
    throw new Error(`${folder} is incomplete.`);
  const relevant = readGrades(qrels);
  return {
    name: basename(folder),
    sha256: createHash("sha256").update(corpus).update(queries).update(qrels).digest("hex"),
    documents: rowsOf(corpus)
      .map((row) => ({
        title: row["title"] ?? "",
        body: row["text"] ?? "",
        source_doc_id: row["_id"] ?? "",
      }))
      .filter((document) => textOf(document, true).trim() !== ""),
    queries: rowsOf(queries).map((row) => ({
      id: row["_id"] ?? "",
      text: row["text"] ?? "",
      answers: answersOf(row),
    })),
    relevant,
  };
}

function answersOf(row: Record<string, unknown>): readonly string[] {
  const { answer, answer_aliases: aliases } = row;
  const all = [answer, ...(Array.isArray(aliases) ? aliases : [])].filter((each) => typeof each === "string");
  return all.some((each) => /^(?:yes|no)$/i.test(each)) ? [] : all;
}

/** The body, with the title as the first line if `titled` is true. */
export function textOf({ title, body }: SetDocument, titled: boolean): string {
  return [titled ? title : "", body].filter(Boolean).join("\n");
}

/** Scores of the queries that `chosen` selects by their id or position in the file. */
export function score(
  set: EvaluationSet,
  ranked: ReadonlyMap<string, readonly string[]>,
  chosen: (id: string, at: number) => boolean,
): Scores {
  const ids = set.queries.map(({ id }) => id).filter((id, at) => set.relevant.has(id) && chosen(id, at));
  const mean = (metric: typeof ndcg, depth: number) =>
    round(
      (100 *
        ids.reduce(
          (sum, id) => sum + metric(ranked.get(id) ?? [], set.relevant.get(id) ?? new Map(), depth),
          0,
        )) /
        Math.max(1, ids.length),
    );
  return { queries: ids.length, ndcg10: mean(ndcg, 10), recall2: mean(recall, 2), recall5: mean(recall, 5) };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Parses JSON Lines. */
export function rowsOf(lines: string): readonly Record<string, string>[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>); // The layout's members are strings.
}

/** Grades by query and document. Skips a header line; negative grades become 0. */
export function readGrades(qrels: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const relevant = new Map<string, Map<string, number>>();
  for (const line of qrels.trim().split("\n")) {
    const [query, document, score] = line.split("\t");
    if (query === undefined || document === undefined || !/^-?\d+$/.test(score?.trim() ?? "")) continue;
    const grades = relevant.get(query) ?? new Map<string, number>();
    relevant.set(query, grades.set(document, Math.max(0, Number(score))));
  }
  return relevant;
}
