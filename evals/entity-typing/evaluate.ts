/**
 * Entity mentions and their types, exact span and type.
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
import { type MiniLm, openMiniLm, silenceRuntime } from "@kcs/minilm";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { chooseEntities } from "../../packages/server/src/engine/ingest/extract/types/choose-entities.ts";
import { createTyper } from "../../packages/server/src/engine/ingest/extract/types/typer.ts";
import { decodeWeights } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { type Labelled, NO_TYPES, spelledOut } from "./labels.ts";

interface Counts {
  gold: number;
  found: number;
  right: number;
  rightSpans: number;
  reachable: number;
  typedRight: number;
  milliseconds: number;
}

async function evaluate(file: string, model: MiniLm, weights: Uint8Array | null) {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  const sentences = lines.map((line) => JSON.parse(line) as Labelled);
  const labels = new Set(sentences.flatMap(({ entities }) => entities.map(({ label }) => label)));
  const names = [...labels].filter((label) => !NO_TYPES.has(label)).sort();
  const types = names.map((label) => ({
    name: spelledOut(label),
    description: "",
    examples: [],
    aliases: [],
  }));
  const typer = await createTyper(types, {
    embed: (text) => model.embed(text),
    ...(weights === null ? {} : { weights: decodeWeights(weights) }),
  });
  const tag = createTagger();
  const counts: Counts = {
    gold: 0,
    found: 0,
    right: 0,
    rightSpans: 0,
    reachable: 0,
    typedRight: 0,
    milliseconds: 0,
  };
  for (const { text, entities } of sentences) {
    const states = await model.encode(text);
    const start = performance.now();
    const tokens = tag(text, { start: 0, end: text.length });
    const mentions = findEntityMentions(tokens);
    const scores = typer.score({ tokens, mentions, states, offset: 0 });
    const chosen = chooseEntities(mentions, scores);
    counts.milliseconds += performance.now() - start;
    const gold = new Map<string, string>();
    for (const { start: from, end, label } of entities) {
      if (!NO_TYPES.has(label)) gold.set(`${from}:${end}`, label);
    }
    counts.gold += gold.size;
    counts.found += chosen.length;
    for (const { mention, type } of chosen) {
      const label = gold.get(`${mentions[mention]!.start}:${mentions[mention]!.end}`);
      if (label !== undefined) counts.rightSpans++;
      if (label === names[type]) counts.right++;
    }
    for (const [index, mention] of mentions.entries()) {
      const label = gold.get(`${mention.start}:${mention.end}`);
      if (label === undefined) continue;
      counts.reachable++;
      const { types: shares } = scores[index]!;
      if (names[shares.indexOf(Math.max(...shares))] === label) counts.typedRight++;
    }
  }
  return report(basename(file), sentences.length, counts);
}

function report(file: string, sentences: number, counts: Counts) {
  const share = (part: number, whole: number) => Number(((100 * part) / Math.max(1, whole)).toFixed(1));
  return {
    file,
    sentences,
    precision: share(counts.right, counts.found),
    recall: share(counts.right, counts.gold),
    f1: share(2 * counts.right, counts.found + counts.gold),
    spanF1: share(2 * counts.rightSpans, counts.found + counts.gold),
    reachable: share(counts.reachable, counts.gold),
    typeOfRightSpan: share(counts.typedRight, counts.reachable),
    sentencesPerSecond: Math.round((1000 * sentences) / counts.milliseconds),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { weights: { type: "string" } },
  });
  silenceRuntime();
  const cacheDir = await mkdtemp(join(tmpdir(), "entity-typing-"));
  const model = await openMiniLm({ cacheDir });
  try {
    const weights = values.weights === undefined ? null : await readFile(values.weights);
    for (const file of positionals)
      process.stdout.write(`${JSON.stringify(await evaluate(file, model, weights))}\n`);
  } finally {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

await main();
