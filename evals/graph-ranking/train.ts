/**
 * Learns the weights of the graph ranking and says what they are worth.
 *
 *   node evals/graph-ranking/train.ts FOLDER SET,SET,… SINGLE,SINGLE,… [WEIGHTS.ts]
 *
 * FOLDER holds one folder per set in the BEIR layout. The first sets are multi-hop; each is taken with and without its
 * titles. The others are single-hop. Learned is from questions with an even place in their file. The report has, for each set, plain hybrid, the hand
 * formula, the weights learned without that set at all, and the weights learned from the even halves, on the odd halves.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  type ClosableEmbedder,
  MINILM_MAX_TOKENS,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { FEATURES } from "../../packages/server/src/engine/query/graph/features.ts";
import { rankByGraph } from "../../packages/server/src/engine/query/graph/rank.ts";
import { ndcg, recall } from "../metrics.ts";
import { ingest } from "./corpus.ts";
import { dot, type Example, type LinearModel, learn } from "./learn.ts";
import { type EvaluationSet, readSet } from "./sets.ts";

interface Answered {
  readonly place: number;
  readonly relevant: ReadonlyMap<string, number>;
  readonly hybrid: readonly string[];
  /** Documents with the features of their first chunk; empty where the question links no name. */
  readonly rows: readonly { readonly document: string; readonly features: readonly number[] }[];
}

interface AnsweredSet {
  /** Without what says that titles are left out: such sets are held out together. */
  readonly family: string;
  readonly set: EvaluationSet;
  readonly answered: readonly Answered[];
}

type Score = (features: readonly number[]) => number;

const LEARNED_ROWS = 60;
const feature = (row: readonly number[], name: (typeof FEATURES)[number]) => row[FEATURES.indexOf(name)] ?? 0;
/** The hand formula: share of the best hybrid score, links, the best path. */
const byHand: Score = (row) =>
  feature(row, "fusedShare") + feature(row, "linked") + 0.5 * feature(row, "bridge");

/** The formula again, at the sharpness that a softmax over passages wants. */
const PRIOR = FEATURES.map((name) =>
  name === "fusedShare" || name === "linked" ? 6 : name === "bridge" ? 3 : 0,
);

async function answerSet(
  set: EvaluationSet,
  family: string,
  embedder: ClosableEmbedder,
): Promise<AnsweredSet> {
  const corpus = await ingest(set, embedder, MINILM_MAX_TOKENS);
  const answered: Answered[] = [];
  for (const { place, text, relevant } of set.questions) {
    const vector = (await embedder.embed(text)).slice();
    const scores = await corpus.search(text, vector);
    const embed = async (rest: string) => (await embedder.embed(rest)).slice();
    const { ranked } = await rankByGraph({ text, vector, reader: corpus.reader, scores, embed });
    const rows = ranked.flatMap(({ sourceDocId, features }) =>
      features === null ? [] : [{ document: sourceDocId, features: [...features] }],
    );
    answered.push({
      place,
      relevant,
      hybrid: distinct(scores.best.map(({ sourceDocId }) => sourceDocId)),
      rows,
    });
  }
  return { family, set, answered };
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

function examplesOf(sets: readonly AnsweredSet[], half: number | null): readonly Example[] {
  const chosen = sets.flatMap(({ answered }) =>
    answered.filter(({ place }) => half === null || place % 2 === half),
  );
  return chosen.map(({ rows, relevant }) => {
    const seen = new Set<string>();
    const ordered = rows.toSorted((one, other) => byHand(other.features) - byHand(one.features));
    const first = ordered
      .filter(({ document }) => !seen.has(document) && seen.add(document))
      .slice(0, LEARNED_ROWS);
    return {
      rows: first.map(({ features }) => features),
      labels: first.map(({ document }) => ((relevant.get(document) ?? 0) > 0 ? 1 : 0)),
    };
  });
}

function measure({ answered }: AnsweredSet, score: Score | null, half: number | null): string {
  const chosen = answered.filter(({ place }) => half === null || place % 2 === half);
  const sums = [0, 0, 0];
  for (const { rows, relevant, hybrid } of chosen) {
    const ranked =
      score === null || rows.length === 0
        ? hybrid
        : distinct(
            rows
              .toSorted((one, other) => score(other.features) - score(one.features))
              .map(({ document }) => document),
          );
    const values = [recall(ranked, relevant, 2), recall(ranked, relevant, 5), ndcg(ranked, relevant, 10)];
    for (const [at, value] of values.entries()) sums[at] = (sums[at] ?? 0) + (100 * value) / chosen.length;
  }
  return sums.map((sum) => sum.toFixed(1)).join("/");
}

function scoreOf({ weights }: LinearModel): Score {
  return (row) => dot(weights, row);
}

function report(multi: readonly AnsweredSet[], single: readonly AnsweredSet[], model: LinearModel): void {
  const all = [...multi, ...single];
  for (const each of all) {
    const others = all.filter(({ family }) => family !== each.family);
    const without = scoreOf(learn(examplesOf(others, null), PRIOR));
    const line = {
      set: each.set.name,
      sha256: each.set.sha256,
      metrics: "R@2/R@5/nDCG@10",
      hybrid: measure(each, null, null),
      formula: measure(each, byHand, null),
      withoutThisSet: measure(each, without, null),
      oddHalf: {
        hybrid: measure(each, null, 1),
        formula: measure(each, byHand, 1),
        learned: measure(each, scoreOf(model), 1),
      },
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

function weightsSource({ weights, bias }: LinearModel, sets: readonly AnsweredSet[]): string {
  const hashes = [
    ...new Map(sets.map(({ set, family }) => [family, ` * - ${family} ${set.sha256}`])).values(),
  ];
  return `/**
 * Learned by evals/graph-ranking/train.ts from the questions with an even place of these sets (sha256 of corpus, questions and judgements):
${hashes.join("\n")}
 */

/** In the order of the features. */
export const WEIGHTS: readonly number[] = [
${weights.map((weight, at) => `  ${weight.toFixed(3)}, // ${FEATURES[at]}`).join("\n")}
];

export const BIAS = ${bias.toFixed(3)};
`;
}

async function main([folder, multiNames, singleNames, weightsFile]: readonly string[]): Promise<void> {
  if (folder === undefined || multiNames === undefined || singleNames === undefined) {
    throw new Error("Usage: node evals/graph-ranking/train.ts FOLDER SET,… SINGLE,… [WEIGHTS.ts]");
  }
  silenceRuntime();
  const embedder = await openMiniLmEmbedder(join(tmpdir(), "kcs-model"));
  try {
    const answer = async (name: string, hasTitles: boolean) =>
      answerSet(await readSet(join(folder, name), hasTitles), basename(name), embedder);
    const multi: AnsweredSet[] = [];
    for (const name of multiNames.split(",")) multi.push(await answer(name, true), await answer(name, false));
    const single: AnsweredSet[] = [];
    for (const name of singleNames.split(",")) single.push(await answer(name, true));
    const model = learn(examplesOf([...multi, ...single], 0), PRIOR);
    report(multi, single, model);
    if (weightsFile !== undefined) await writeFile(weightsFile, weightsSource(model, [...multi, ...single]));
  } finally {
    await embedder.close();
  }
}

await main(process.argv.slice(2));
