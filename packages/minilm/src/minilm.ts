import type { InferenceSession } from "onnxruntime-node";
import { graphInput, graphOutput, graphStates } from "./bert-graph.ts";
import { multipliesIntegersExactly, type OnnxRuntime } from "./integer-kernels.ts";
import { ensureModel } from "./model-cache.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";
import { requireSilentRuntime } from "./silence-runtime.ts";
import { createTokenizer, requireId, specialTokens, type Tokenizer } from "./tokenizer.ts";
import { readVocabulary } from "./vocabulary.ts";

/**
 * all-MiniLM-L6-v2, English, Apache-2.0: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
 * `maxTokens` includes [CLS] and [SEP]. The model card also truncates at 256; the model was trained with 128.
 */
export const MINILM = { name: "all-MiniLM-L6-v2", dimensions: 384, maxTokens: 256 } as const;

export interface MiniLm {
  readonly dimensions: typeof MINILM.dimensions;
  readonly tokenizer: Tokenizer;
  /**
   * The unit vector of a text. On one type of CPU it depends on the text alone. Tokens after the first
   * `MINILM.maxTokens` have no effect. Computes on the calling thread, 1 ms for a query and 8 ms for 130 tokens, so
   * call it from a worker thread.
   */
  embed(text: string): Promise<Float32Array>;
  /** The same vector, bit for bit, with the final state of every token, at the same cost. */
  encode(text: string): Promise<EncodedText>;
  /** Waits for the running texts and frees the model. Embedding afterwards is an error. */
  close(): Promise<void>;
}

/** A text's vector and the states of its tokens, without [CLS] and [SEP]. */
export interface EncodedText {
  readonly vector: Float32Array;
  /** `starts.length` rows of `dimensions` numbers. */
  readonly states: Float32Array;
  readonly dimensions: typeof MINILM.dimensions;
  /** For each token the offsets of its word in UTF-16 code units; `ends` are exclusive. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** More than 256 words of 100 characters with spaces. Text after it matters only in input crafted to be expensive. */
const maxCharacters = 65_536;

/**
 * Loads the model, and first builds its file in `cacheDir` if necessary (see `ensureModel`). About 200 ms and 90 MB.
 * @throws ModelUnavailableError when the weights or the native runtime of this platform are missing.
 */
export async function openMiniLm(options: {
  readonly cacheDir: string;
  /** Wraps each call of the native runtime; the calls while the model loads are not wrapped. */
  readonly aroundRun?: <T>(run: () => Promise<T>) => Promise<T>;
}): Promise<MiniLm> {
  const { onnxPath } = await ensureModel(options.cacheDir);
  const vocabulary = await readVocabulary();
  const runtime = await loadRuntime();
  const isExact = await multipliesIntegersExactly(runtime);
  const session = await runtime.InferenceSession.create(onnxPath, sessionOptions(isExact));
  const { aroundRun = (run) => run() } = options;
  return createMiniLm({ vocabulary, runtime, session, aroundRun });
}

/** A dynamic import, so that threads that only count tokens do not load the native library. */
async function loadRuntime(): Promise<OnnxRuntime> {
  requireSilentRuntime();
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    throw new ModelUnavailableError(
      `onnxruntime-node has no usable binary for ${process.platform} ${process.arch}. ` +
        "Reinstall the dependencies on this machine, or configure another embedding provider.",
      { cause },
    );
  }
}

function sessionOptions(hasExactIntegers: boolean): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // The runtime would keep a memory pattern for every text length.
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      // The fused operator is slower than the two operators that it replaces; see `addNormalizedSum`.
      optimization: { disable_specified_optimizers: "SkipLayerNormFusion" },
      ...(hasExactIntegers ? {} : { session: { x64quantprecision: "1" } }),
    },
  };
}

interface LoadedModel {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly runtime: OnnxRuntime;
  readonly session: InferenceSession;
  readonly aroundRun: <T>(run: () => Promise<T>) => Promise<T>;
}

function createMiniLm({ vocabulary, runtime, session, aroundRun }: LoadedModel): MiniLm {
  const tokenizer = createTokenizer(vocabulary);
  const start = requireId(vocabulary, specialTokens.start);
  const end = requireId(vocabulary, specialTokens.end);
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const run = async (tokens: readonly number[], outputs: readonly string[]) => {
    const ids = Int32Array.of(start, ...tokens, end);
    const input = new runtime.Tensor("int32", ids, [1, ids.length]);
    return aroundRun(() => session.run({ [graphInput]: input }, outputs));
  };
  const embed = async (text: string): Promise<Float32Array> => {
    const tokens = tokenizer.encode(text.slice(0, maxCharacters), MINILM.maxTokens - 2);
    return vectorOf(await run(tokens, [graphOutput])).slice();
  };
  const encode = async (text: string): Promise<EncodedText> => {
    const tokens = tokenizer.encodeWithOffsets(text.slice(0, maxCharacters), MINILM.maxTokens - 2);
    const outputs = await run(tokens.ids, [graphOutput, graphStates]);
    const { dimensions } = MINILM;
    const states = outputs[graphStates]?.data;
    if (!(states instanceof Float32Array) || states.length !== (tokens.ids.length + 2) * dimensions) {
      throw new Error(`${MINILM.name} did not return states of ${dimensions} numbers`);
    }
    return {
      vector: vectorOf(outputs).slice(),
      states: states.slice(dimensions, states.length - dimensions),
      dimensions,
      starts: tokens.starts,
      ends: tokens.ends,
    };
  };
  const tracked = async <T>(compute: (text: string) => Promise<T>, text: string): Promise<T> => {
    if (closed) throw new Error(`${MINILM.name} is closed`);
    const result = compute(text);
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };
  return {
    dimensions: MINILM.dimensions,
    tokenizer,
    embed: (text) => tracked(embed, text),
    encode: (text) => tracked(encode, text),
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await session.release();
    },
  };
}

function vectorOf(outputs: InferenceSession.OnnxValueMapType): Float32Array {
  const vector = outputs[graphOutput]?.data;
  if (!(vector instanceof Float32Array) || vector.length !== MINILM.dimensions) {
    throw new Error(`${MINILM.name} did not return a vector of ${MINILM.dimensions} numbers`);
  }
  return vector;
}
