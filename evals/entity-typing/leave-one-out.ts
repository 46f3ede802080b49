/**
 * Measures on domains that nothing was learned from: for each domain, learns from the others and from the general sets, chooses the
 * threshold on these, and measures on the domain's own file.
 *
 *   node evals/entity-typing/leave-one-out.ts --domain NAME=DEV.jsonl,TRAIN.jsonl … [--general NAME=FILE.jsonl …]
 *     [--unseen NAME=FILE.jsonl …] [--result RESULT.json] [--weights WEIGHTS.bin]
 *
 * The first file of a domain is measured on. With --weights, learns from all domains and general sets last, writes the weights, and
 * measures them on the unseen sets.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type ClosableEmbedder,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { createTyper } from "../../packages/server/src/engine/ingest/extract/types/typer.ts";
import { decodeWeights } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { LEARNING, learn } from "./learn.ts";
import { type LearningSet, readLearningSet } from "./learning-set.ts";
import { bestLeastShare, type Measured, measure, scoreAll } from "./measure.ts";
import { encodeWeights } from "./parameters.ts";

interface Fold extends Measured {
  readonly set: string;
  readonly learnedFrom: readonly string[];
  readonly leastShare: number;
}

interface Sets {
  readonly domains: readonly LearningSet[];
  readonly general: readonly LearningSet[];
}

/** Domains are small: they are seen twice in an epoch. */
function learnFrom({ domains, general }: Sets): Uint8Array {
  return encodeWeights(learn([...domains, ...domains, ...general], LEARNING));
}

async function scoreWith(set: LearningSet, weights: Uint8Array, model: ClosableEmbedder) {
  const typer = await createTyper(set.types, { embed: model.embed, weights: decodeWeights(weights) });
  return scoreAll(set, typer);
}

async function chooseLeastShare(sets: readonly LearningSet[], weights: Uint8Array, model: ClosableEmbedder) {
  const scored = [];
  for (const set of sets) scored.push([set, await scoreWith(set, weights, model)] as const);
  return bestLeastShare(scored);
}

async function measureSets(measured: readonly LearningSet[], sets: Sets, model: ClosableEmbedder) {
  const weights = learnFrom(sets);
  const leastShare = await chooseLeastShare(sets.domains, weights, model);
  const learnedFrom = [...sets.domains, ...sets.general].map(({ name }) => name);
  const folds: Fold[] = [];
  for (const set of measured) {
    const scored = await scoreWith(set, weights, model);
    folds.push({ set: set.name, learnedFrom, leastShare, ...measure(set, scored, leastShare) });
    process.stdout.write(`${JSON.stringify(folds.at(-1))}\n`);
  }
  return { weights, folds };
}

function readSets(options: readonly string[] | undefined, model: ClosableEmbedder): Promise<LearningSet[]> {
  const read = async () => {
    const sets: LearningSet[] = [];
    for (const option of options ?? []) {
      const at = option.indexOf("=");
      sets.push(await readLearningSet(option.slice(0, at), option.slice(at + 1).split(","), model));
    }
    return sets;
  };
  return read();
}

async function main(model: ClosableEmbedder): Promise<void> {
  const list = { type: "string", multiple: true } as const;
  const { values } = parseArgs({
    options: {
      domain: list,
      general: list,
      unseen: list,
      result: { type: "string" },
      weights: { type: "string" },
    },
  });
  const domains = await readSets(values.domain, model);
  const general = await readSets(values.general, model);
  const unseen = await readSets(values.unseen, model);
  const measuredOn = await readSets(
    values.domain?.map((option) => option.split(",")[0]!),
    model,
  );
  const folds: Fold[] = [];
  for (const [index, set] of measuredOn.entries()) {
    const others = domains.filter((_, other) => other !== index);
    folds.push(...(await measureSets([set], { domains: others, general }, model)).folds);
  }
  const averageF1 = Number(
    (folds.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, folds.length)).toFixed(1),
  );
  process.stdout.write(`average F1 ${averageF1}\n`);
  let shipped: readonly Fold[] = [];
  if (values.weights !== undefined) {
    const all = await measureSets(unseen, { domains, general }, model);
    await writeFile(values.weights, all.weights);
    shipped = all.folds;
  }
  if (values.result === undefined) return;
  const data = [...domains, ...general, ...unseen].map(({ name, hashes }) => ({ name, sha256: hashes }));
  const command = "node evals/entity-typing/leave-one-out.ts (see evals/entity-typing/README.md)";
  const result = { command, learning: LEARNING, data, averageF1, leaveOneOut: folds, shipped };
  await writeFile(values.result, `${JSON.stringify(result, null, 2)}\n`);
}

silenceRuntime();
const cacheDir = await mkdtemp(join(tmpdir(), "entity-typing-"));
const model = await openMiniLmEmbedder(cacheDir);
try {
  await main(model);
} finally {
  await model.close();
  await rm(cacheDir, { recursive: true, force: true });
}
