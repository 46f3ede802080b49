/** The bundled embedding model: weights, graph and tokenizer of `@kcs/minilm`, run like the models of the models folder. */
import { mkdir } from "node:fs/promises";
import {
  createTokenizer,
  ensureModel,
  graphInput,
  graphLowerStates,
  graphOutput,
  graphStates,
  MINILM,
  openTokenizer,
  readVocabulary,
  requireId,
  specialTokens,
} from "@kcs/minilm";
import type { Embedder } from "../../ports/embedder.ts";
import { type AroundRun, floatsOf, type OnnxOutputs, openOnnxSession } from "./runtime/onnx-session.ts";

export const MINILM_MODEL = MINILM.name;
export const MINILM_DIMENSIONS = MINILM.dimensions;
/** Limit of the model's input, including special tokens. */
export const MINILM_MAX_TOKENS = MINILM.maxTokens;

/** A text's vector and the states of its tokens, without [CLS] and [SEP]. */
export interface EncodedText {
  readonly vector: Float32Array;
  /** `starts.length` rows of `dimensions` numbers. */
  readonly states: Float32Array;
  readonly dimensions: typeof MINILM.dimensions;
  /** What the lower layers make of it, [CLS] and [SEP] included: where the model that reads facts begins. */
  readonly lower: Float32Array;
  /** For each token the offsets of its word in UTF-16 code units; `ends` are exclusive. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export interface ClosableEmbedder extends Embedder {
  /**
   * The unit vector of a text. On one type of CPU it depends on the text alone. Tokens after the first
   * `MINILM_MAX_TOKENS` have no effect. Computes on the calling thread, 1 ms for a query and 8 ms for 130 tokens.
   */
  embed(text: string): Promise<Float32Array>;
  /** The same vector, bit for bit, with the final state of every token, at the same cost. */
  encode(text: string): Promise<EncodedText>;
  /** Waits for the running texts and frees the model. Embedding afterwards is an error. */
  close(): Promise<void>;
}

/** More than 256 words of 100 characters with spaces. Text after it matters only in input crafted to be expensive. */
const MAX_CHARACTERS = 65_536;
/** [CLS] and [SEP]. */
const SPECIAL_TOKENS = 2;

/** Builds the model's file where it is missing or damaged, which opening would do as well, and the folders. @throws ModelUnavailableError */
export async function prepareMiniLm(cacheDir: string): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  await ensureModel(cacheDir);
}

/**
 * Opens the bundled model in this thread, and first builds its file in `cacheDir` if necessary. About 200 ms and 90 MB.
 * `embed` blocks the thread, so never call it on the main thread. `aroundRun` wraps each call of the model's native code
 * but those that load it.
 * @throws ModelUnavailableError when the weights are missing or are not the expected ones, or the native runtime is missing
 */
export async function openMiniLmEmbedder(cacheDir: string, aroundRun?: AroundRun): Promise<ClosableEmbedder> {
  const { onnxPath } = await ensureModel(cacheDir);
  const session = await openOnnxSession(onnxPath, { name: MINILM.name, aroundRun });
  const vocabulary = await readVocabulary();
  const tokenizer = createTokenizer(vocabulary);
  const start = requireId(vocabulary, specialTokens.start);
  const end = requireId(vocabulary, specialTokens.end);
  const { dimensions } = MINILM;
  const limit = MINILM.maxTokens - SPECIAL_TOKENS;
  const run = (tokens: readonly number[], outputs: readonly string[]) =>
    session.run({ [graphInput]: { type: "int32", values: [start, ...tokens, end] } }, outputs);

  return {
    model: MINILM.name,
    dimensions,
    async embed(text) {
      const tokens = tokenizer.encode(text.slice(0, MAX_CHARACTERS), limit);
      return numbersOf(await run(tokens, [graphOutput]), graphOutput, dimensions).slice();
    },
    async encode(text) {
      const { ids, starts, ends } = tokenizer.encodeWithOffsets(text.slice(0, MAX_CHARACTERS), limit);
      const outputs = await run(ids, [graphOutput, graphStates, graphLowerStates]);
      const states = numbersOf(outputs, graphStates, (ids.length + SPECIAL_TOKENS) * dimensions);
      return {
        vector: numbersOf(outputs, graphOutput, dimensions).slice(),
        // Not copied: half of the memory that the collector would have to find.
        states: states.subarray(dimensions, states.length - dimensions),
        lower: numbersOf(outputs, graphLowerStates, (ids.length + SPECIAL_TOKENS) * dimensions),
        ...{ dimensions, starts, ends },
      };
    },
    countTokens: (text) => tokenizer.countTokens(text),
    close: session.close,
  };
}

function numbersOf(outputs: OnnxOutputs, name: string, length: number): Float32Array {
  const numbers = floatsOf(outputs, name);
  if (numbers.length === length) return numbers;
  throw new Error(`${MINILM.name} returned ${numbers.length} numbers instead of ${length}`);
}

/**
 * Counts tokens like the bundled model, without special tokens and without loading the model (about 50 ms and 10 MB).
 * @throws ModelUnavailableError like `openMiniLmEmbedder`
 */
export async function openMiniLmTokenCounter(): Promise<(text: string) => number> {
  const tokenizer = await openTokenizer();
  return (text) => tokenizer.countTokens(text);
}
