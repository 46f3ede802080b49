/**
 * What the typing network learns from, written for train.py.
 *
 *   node evals/entity-typing/write-features.ts OUT_FOLDER NAME=FILE.jsonl …
 *
 * Files as for evaluate.ts; several with one NAME make one set, whose labels are its node types. Labels "misc", "unknown" are
 * entities of no known type: they are written as −2, mentions without a label as −1.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MiniLm, openMiniLm, silenceRuntime } from "@kcs/minilm";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { createCueReader } from "../../packages/server/src/engine/ingest/extract/types/lexical-cues.ts";
import { describeTypes } from "../../packages/server/src/engine/ingest/extract/types/type-profile.ts";
import { kindRows } from "../../packages/server/src/engine/ingest/extract/types/typing-network.ts";
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { shapeOf } from "../../packages/server/src/engine/ingest/extract/types/word-shape.ts";
import { centredWordStates } from "../../packages/server/src/engine/ingest/extract/types/word-states.ts";
import { type Labelled, NO_TYPES, spelledOut } from "./labels.ts";

const uncentred = new Float32Array(NETWORK.input);

async function writeSet(
  folder: string,
  name: string,
  files: readonly string[],
  model: MiniLm,
): Promise<void> {
  const sentences: Labelled[] = [];
  for (const file of files) {
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    sentences.push(...lines.map((line) => JSON.parse(line) as Labelled));
  }
  const labels = new Set(sentences.flatMap(({ entities }) => entities.map(({ label }) => label)));
  const names = [...labels].filter((label) => !NO_TYPES.has(label)).sort();
  const types = names.map((label) => ({
    name: spelledOut(label),
    description: "",
    examples: [],
    aliases: [],
  }));
  const profiles = await describeTypes(types, (text) => model.embed(text));
  const cues = createCueReader(profiles);
  const tag = createTagger();
  const states: Uint8Array[] = [];
  const rows = [];
  for (const { text, entities } of sentences) {
    const tokens = tag(text, { start: 0, end: text.length });
    const mentions = findEntityMentions(tokens);
    const encoded = await model.encode(text);
    const words = centredWordStates(tokens, { states: encoded, offset: 0, mean: uncentred });
    states.push(new Uint8Array(Float16Array.from(words).buffer));
    const gold = new Map(entities.map(({ start, end, label }) => [`${start}:${end}`, label]));
    rows.push({
      tokens: tokens.length,
      gold: entities.filter(({ label }) => !NO_TYPES.has(label)).length,
      shapes: tokens.map((token) =>
        [...shapeOf(token, NETWORK.shape).keys()].filter((k) => shapeOf(token, NETWORK.shape)[k] === 1),
      ),
      mentions: mentions.map((mention) => {
        const label = gold.get(`${mention.start}:${mention.end}`);
        const type = label === undefined ? -1 : NO_TYPES.has(label) ? -2 : names.indexOf(label);
        const features = cues.features(tokens, mention);
        const set = [...features.keys()].filter((k) => features[k] === 1);
        return [mention.from, mention.to, kindRows[mention.kind], type, ...set];
      }),
    });
  }
  await writeFile(join(folder, `${name}.f16`), Buffer.concat(states));
  const directions = profiles.map(({ direction }) => [...direction]);
  const anchors = profiles.map((profile) => [...profile.anchors]);
  await writeFile(
    join(folder, `${name}.json`),
    JSON.stringify({ names, directions, anchors, sentences: rows }),
  );
}

async function main(): Promise<void> {
  const [folder, ...sets] = process.argv.slice(2);
  if (folder === undefined || sets.length === 0)
    throw new Error("write-features.ts OUT_FOLDER NAME=FILE.jsonl …");
  silenceRuntime();
  await mkdir(folder, { recursive: true });
  const cacheDir = await mkdtemp(join(tmpdir(), "entity-typing-"));
  const model = await openMiniLm({ cacheDir });
  try {
    const files = Map.groupBy(sets, (set) => set.slice(0, set.indexOf("=")));
    for (const [name, group] of files) {
      const paths = group.map((set) => set.slice(set.indexOf("=") + 1));
      await writeSet(folder, name, paths, model);
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

await main();
