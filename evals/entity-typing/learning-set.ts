/** Labelled sentences with everything that the network learns from. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ClosableEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { createCueReader } from "../../packages/server/src/engine/ingest/extract/types/lexical-cues.ts";
import {
  describeTypes,
  type TypeProfile,
  termPrior,
} from "../../packages/server/src/engine/ingest/extract/types/type-profile.ts";
import type {
  TypeDescription,
  TypedSentence,
} from "../../packages/server/src/engine/ingest/extract/types/type-scores.ts";
import { kindRowOf } from "../../packages/server/src/engine/ingest/extract/types/typing-network.ts";
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { shapeOf } from "../../packages/server/src/engine/ingest/extract/types/word-shape.ts";
import { centredWordStates } from "../../packages/server/src/engine/ingest/extract/types/word-states.ts";
import { type Labelled, NO_TYPES, spelledOut } from "./labels.ts";

export interface LearningMention {
  readonly from: number;
  readonly to: number;
  readonly kind: number;
  /** Index of its type; −1 none, −2 an entity of no known type. */
  readonly label: number;
  /** What its kind takes from the logit of none: `termPrior`. */
  readonly prior: number;
  /** Cues as `CueReader.hits` gives them. */
  readonly hits: readonly number[];
}

export interface LearningSentence {
  /** Rows of `NETWORK.input`, not centred. */
  readonly states: Float32Array;
  /** Rows of `NETWORK.shape`. */
  readonly shapes: Float32Array;
  readonly count: number;
  readonly mentions: readonly LearningMention[];
  /** Entities with a type. */
  readonly gold: number;
  /** What the product's typer reads. */
  readonly typed: TypedSentence;
}

export interface LearningSet {
  readonly name: string;
  /** SHA-256 of each file. */
  readonly hashes: readonly string[];
  readonly labels: readonly string[];
  readonly types: readonly TypeDescription[];
  readonly profiles: readonly TypeProfile[];
  readonly sentences: readonly LearningSentence[];
}

const uncentred = new Float32Array(NETWORK.input);

/** Reads the files of a set: lines of `Labelled`. Its labels are its node types, by name alone. */
export async function readLearningSet(
  name: string,
  files: readonly string[],
  model: ClosableEmbedder,
): Promise<LearningSet> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const lines = texts.flatMap((text) => text.trim().split("\n"));
  const labelled = lines.map((line) => JSON.parse(line) as Labelled);
  const labels = [...new Set(labelled.flatMap(({ entities }) => entities.map(({ label }) => label)))]
    .filter((label) => !NO_TYPES.has(label))
    .sort();
  const types = labels.map((label) => ({
    name: spelledOut(label),
    description: "",
    examples: [],
    aliases: [],
  }));
  const profiles = await describeTypes(types, { embed: (text) => model.embed(text) });
  const read = createReader(labels, profiles, model);
  const sentences: LearningSentence[] = [];
  for (const line of labelled) sentences.push(await read(line));
  const hashes = texts.map((text) => createHash("sha256").update(text).digest("hex"));
  return { name, hashes, labels, types, profiles, sentences };
}

function createReader(
  labels: readonly string[],
  profiles: readonly TypeProfile[],
  model: ClosableEmbedder,
): (line: Labelled) => Promise<LearningSentence> {
  const cues = createCueReader(profiles);
  const tag = createTagger();
  const prior = termPrior(profiles);
  return async ({ text, entities }) => {
    const tokens = tag(text, { start: 0, end: text.length });
    const mentions = findEntityMentions(tokens);
    const states = await model.encode(text);
    const shapes = new Float32Array(tokens.length * NETWORK.shape);
    for (const [at, token] of tokens.entries()) shapes.set(shapeOf(token, NETWORK.shape), at * NETWORK.shape);
    const labelAt = new Map(entities.map(({ start, end, label }) => [`${start}:${end}`, label]));
    const labelOf = (label: string | undefined) =>
      label === undefined ? -1 : NO_TYPES.has(label) ? -2 : labels.indexOf(label);
    return {
      states: centredWordStates(tokens, { states, offset: 0, mean: uncentred }),
      shapes,
      count: tokens.length,
      gold: entities.filter(({ label }) => !NO_TYPES.has(label)).length,
      mentions: mentions.map((mention) => ({
        from: mention.from,
        to: mention.to,
        kind: kindRowOf(mention),
        prior: mention.kind === "noun" ? prior : 0,
        label: labelOf(labelAt.get(`${mention.start}:${mention.end}`)),
        hits: cues.hits(tokens, mention),
      })),
      typed: { tokens, mentions, states, offset: 0 },
    };
  };
}
