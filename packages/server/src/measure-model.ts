/** How fast a model runs on this machine and how much memory it takes: `kcs-server models bench`. */
import { openLocalAnswerFinder } from "./adapters/models/local/answer-finder.ts";
import type { ModelDescription } from "./adapters/models/local/describe-model.ts";
import { requireDevice } from "./adapters/models/local/device.ts";
import { openLocalEmbedder } from "./adapters/models/local/embedder.ts";
import { openLocalReader } from "./adapters/models/local/gliner/reader.ts";
import type { IdentifiedModel } from "./adapters/models/local/identify-model.ts";
import { openLocalReranker } from "./adapters/models/local/reranker.ts";
import { loadLibraries } from "./adapters/models/local/text-model.ts";
import { openMiniLmEmbedder, prepareMiniLm } from "./adapters/models/minilm-embedder.ts";
import { DEFAULT_CHUNKING } from "./engine/ingest/defaults.ts";
import type { ReaderLabels } from "./ports/entity-reader.ts";

/** A model of the models folder, or the bundled one, whose file is in the given folder. Plain data. */
export type MeasuredModel =
  | { readonly kind: "local"; readonly model: IdentifiedModel }
  | { readonly kind: "bundled"; readonly cacheDir: string };

export interface MeasureLimits {
  readonly chunks: number;
  /** No further chunk is begun after this time. */
  readonly seconds: number;
}

export interface Measurement {
  /** Verifying the files is a part of it. */
  readonly loadSeconds: number;
  /** By how much the resident memory of a process has grown that runs nothing else, its libraries not counted. */
  readonly memoryBytes: number;
  readonly chunks: number;
  readonly seconds: number;
  readonly chunksPerSecond: number;
}

/** Works on one chunk. */
interface OpenedModel {
  run(chunk: string): Promise<unknown>;
  close(): Promise<void>;
}

/** What the service does with one chunk, for each task of a local model. */
const TASKS: Readonly<Record<ModelDescription["task"], (model: IdentifiedModel) => Promise<OpenedModel>>> = {
  async embedding(model) {
    const { embed, close } = await openLocalEmbedder(model, { kind: "passage" });
    return { run: embed, close };
  },
  async rerank(model) {
    const { score, close } = await openLocalReranker(model);
    return { run: (chunk) => score(QUESTION, chunk), close };
  },
  async answer(model) {
    const { find, close } = await openLocalAnswerFinder(model);
    return { run: (chunk) => find(QUESTION, chunk), close };
  },
  async extraction(model) {
    const { read, close } = await openLocalReader(model);
    return { run: (chunk) => read(chunk, LABELS), close };
  },
};

const QUESTION = "which of the old houses by the river was built first?";
/** As many as a small ontology has. A model without relations reads no relations. */
const LABELS: ReaderLabels = {
  entities: ["person", "organization", "place", "event", "work", "product"].map((name) => ({
    name,
    description: "",
  })),
  relations: [{ label: "located in", sources: [0, 1, 3], targets: [2] }],
};
/** A token of the vocabularies of most models each. */
const WORDS = (
  "the of and in to was is for on that by with from at his an were are which this be had first one their has two new " +
  "after other time during when city war year world may national only between over later state some made also name part"
).split(" ");
const SENTENCE_WORDS = 15;

/** Measure one model in each process: memory that another has freed would be used again without being seen. */
export async function measureModel(measured: MeasuredModel, limits: MeasureLimits): Promise<Measurement> {
  await loadLibraries();
  if (measured.kind === "bundled") await prepareMiniLm(measured.cacheDir);
  else await requireDevice(measured.model.device);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const opened = await open(measured);
  const loadSeconds = secondsSince(began);
  await opened.run(synthesizeChunk(0)); // The first run allocates.
  const first = performance.now();
  let chunks = 0;
  while (chunks < limits.chunks && (chunks === 0 || secondsSince(first) < limits.seconds)) {
    chunks++;
    await opened.run(synthesizeChunk(chunks));
  }
  const seconds = secondsSince(first);
  const memoryBytes = Math.max(0, process.memoryUsage.rss() - before);
  await opened.close();
  return { loadSeconds, memoryBytes, chunks, seconds, chunksPerSecond: chunks / seconds };
}

async function open(measured: MeasuredModel): Promise<OpenedModel> {
  if (measured.kind === "local") return TASKS[measured.model.task](measured.model);
  const { embed, close } = await openMiniLmEmbedder(measured.cacheDir);
  return { run: embed, close };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000;
}

/** A chunk of as many tokens as the service's chunks have, with words in an order that depends on its number. */
export function synthesizeChunk(number: number): string {
  let state = (number + 1) >>> 0;
  const words: string[] = [];
  for (let tokens = 0; tokens < DEFAULT_CHUNKING.targetTokens; tokens++) {
    // The generator of Numerical Recipes (Press et al.); its upper bits are the better ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const isEnd = tokens % (SENTENCE_WORDS + 1) === SENTENCE_WORDS;
    words.push(isEnd ? "." : (WORDS[Math.floor((state / 2 ** 32) * WORDS.length)] ?? ""));
  }
  return words.join(" ");
}
