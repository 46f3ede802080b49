/**
 * Scores open statements against CaRB (S. Bhardwaj, S. Aggarwal, Mausam, 2019) by its own rule: tokens of relation
 * and arguments matched leniently, the relation in at least one word; arguments after the second joined to the second;
 * recall is the best match of each gold tuple, precision that of a greedy assignment one to one.
 *
 *   node evals/relations/carb.ts dev.jsonl
 */

import { readFileSync } from "node:fs";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { findStatements } from "../../packages/server/src/engine/ingest/extract/statements/find-statements.ts";

interface Row {
  readonly text: string;
  readonly extractions: readonly { readonly rel: string; readonly args: readonly string[] }[];
}

type Tuple = readonly [relation: string, first: string, second: string];

interface Match {
  readonly precision: number;
  readonly recall: number;
}

const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

function shared(gold: readonly string[], predicted: readonly string[]): number {
  const left = [...predicted];
  let count = 0;
  for (const word of gold) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    count++;
  }
  return count;
}

function match(gold: Tuple, predicted: Tuple): Match {
  const sums = { matched: 0, gold: 0, predicted: 0 };
  for (const [index, part] of gold.entries()) {
    const goldWords = words(part);
    const predictedWords = words(predicted[index] ?? "");
    const matched = shared(goldWords, predictedWords);
    if (index === 0 && matched === 0) return { precision: 0, recall: 0 };
    sums.matched += matched;
    sums.gold += goldWords.length;
    sums.predicted += predictedWords.length;
  }
  return { precision: sums.matched / (sums.predicted || 1), recall: sums.matched / (sums.gold || 1) };
}

function greedyPrecision(matches: readonly (readonly Match[])[], predicted: number): number {
  const rows = new Set(matches.keys());
  const columns = new Set(Array.from({ length: predicted }, (_, index) => index));
  let sum = 0;
  while (rows.size > 0 && columns.size > 0) {
    let best = { value: -1, row: -1, column: -1 };
    for (const row of rows)
      for (const column of columns) {
        const value = matches[row]?.[column]?.precision ?? 0;
        if (value > best.value) best = { value, row, column };
      }
    rows.delete(best.row);
    columns.delete(best.column);
    sum += best.value;
  }
  return sum;
}

function main(path: string): void {
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const tag = createTagger();
  const slice = (text: string, span: { start: number; end: number }) => text.slice(span.start, span.end);
  const totals = { precision: 0, predicted: 0, recall: 0, gold: 0 };
  for (const row of rows) {
    const tokens = tag(row.text, { start: 0, end: row.text.length });
    const predicted = findStatements(tokens, 0).map((found): Tuple => {
      const relation = slice(row.text, found.verb);
      return [
        relation === "," ? "is" : relation,
        slice(row.text, found.subject),
        slice(row.text, found.object),
      ];
    });
    const gold = row.extractions.map(({ rel, args }): Tuple => [rel, args[0] ?? "", args.slice(1).join(" ")]);
    const matches = gold.map((tuple) => predicted.map((other) => match(tuple, other)));
    totals.recall += matches.reduce((sum, of) => sum + Math.max(0, ...of.map((one) => one.recall)), 0);
    totals.precision += greedyPrecision(matches, predicted.length);
    totals.gold += gold.length;
    totals.predicted += predicted.length;
  }
  const precision = totals.precision / totals.predicted;
  const recall = totals.recall / totals.gold;
  const f1 = (2 * precision * recall) / (precision + recall);
  process.stdout.write(
    `${JSON.stringify({ sentences: rows.length, precision, recall, f1, perSentence: totals.predicted / rows.length })}\n`,
  );
}

main(process.argv[2] ?? "");
