/**
 * Measures weights on labelled sentences: exact span and type, and the time of a sentence beyond its embedding.
 *
 *   node evals/entity-typing/evaluate.ts FILE.jsonl … [--weights WEIGHTS.bin]
 *
 * A line of a file is a sentence: {"text", "entities": [{"start", "end", "label"}]}, offsets in UTF-16 code units. The node
 * types are the labels that a file has, by name alone; "misc" is no type. Prints a line of JSON for each file.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import {
  type ClosableEmbedder,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { createTyper } from "../../packages/server/src/engine/ingest/extract/types/typer.ts";
import { decodeWeights, readWeights } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { readLearningSet } from "./learning-set.ts";
import { measure, scoreAll } from "./measure.ts";

async function evaluate(file: string, model: ClosableEmbedder, weightsFile: string | undefined) {
  const set = await readLearningSet(basename(file), [file], model);
  const weights = weightsFile === undefined ? readWeights() : decodeWeights(await readFile(weightsFile));
  const typer = await createTyper(set.types, { embed: model.embed, weights });
  const scored = scoreAll(set, typer);
  const before = process.cpuUsage();
  for (const { typed } of set.sentences) {
    const mentions = findEntityMentions(typed.tokens);
    typer.score({ ...typed, mentions });
  }
  const { user, system } = process.cpuUsage(before);
  return {
    file: set.name,
    types: set.types.length,
    ...measure(set, scored),
    cpuMsPerSentence: Number(((user + system) / 1000 / Math.max(1, set.sentences.length)).toFixed(2)),
  };
}

silenceRuntime();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { weights: { type: "string" } },
});
const cacheDir = await mkdtemp(join(tmpdir(), "entity-typing-"));
const model = await openMiniLmEmbedder(cacheDir);
try {
  for (const file of positionals)
    process.stdout.write(`${JSON.stringify(await evaluate(file, model, values.weights))}\n`);
} finally {
  await model.close();
  await rm(cacheDir, { recursive: true, force: true });
}
