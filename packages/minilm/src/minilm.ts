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
 * `maxTokens` counts [CLS] and [SEP]; the model card truncates at 256, too (it was trained on 128).
 */
export const MINILM = { name: "all-MiniLM-L6-v2", dimensions: 384, maxTokens: 256 } as const;

export interface MiniLm {
  readonly dimensions: typeof MINILM.dimensions;
  readonly tokenizer: Tokenizer;
  /**
   * Unit vector of a text, a function of that text alone on one type of CPU. A text behind `MINILM.maxTokens`
   * tokens has no effect. The work happens on the calling thread, 1 ms for a query and 8 ms for 130 tokens: call it
   * from a worker thread.
   */
  embed(text: string): Promise<Float32Array>;
  /** The same vector, bit for bit, with the model's last state of every token that it read; for the same cost. */
  encode(text: string): Promise<EncodedText>;
  /** Frees the model once the texts under way are done. Embedding afterwards is an error. */
  close(): Promise<void>;
}

/** A text's vector and the states of its tokens, [CLS] and [SEP] left out. */
export interface EncodedText {
  readonly vector: Float32Array;
  /** `starts.length` rows of `dimensions` numbers. */
  readonly states: Float32Array;
  readonly dimensions: typeof MINILM.dimensions;
  /** UTF-16 code units of the word that each token is part of; `ends` are exclusive. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** More than 256 words of 100 characters with spaces: what lies behind cannot matter except in texts made to cost. */
const maxCharacters = 65_536;

/**
 * Loads the model, building its file in `cacheDir` first if need be (see `ensureModel`). About 200 ms and 90 MB.
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
  const exact = await multipliesIntegersExactly(runtime);
  const session = await runtime.InferenceSession.create(onnxPath, sessionOptions(exact));
  const { aroundRun = (run) => run() } = options;
  return createMiniLm({ vocabulary, runtime, session, aroundRun });
}

/** Imported on use: the native library must not load into threads that only count tokens. */
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

function sessionOptions(exactIntegers: boolean): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // Every text has a length of its own, and a pattern would be kept for each.
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      // The fused operator is slower than the two that it replaces; see addNormalizedSum.
      optimization: { disable_specified_optimizers: "SkipLayerNormFusion" },
      ...(exactIntegers ? {} : { session: { x64quantprecision: "1" } }),
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
  const underWay = new Set<Promise<unknown>>();
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
    const placed = tokenizer.encodeInPlace(text.slice(0, maxCharacters), MINILM.maxTokens - 2);
    const outputs = await run(placed.ids, [graphOutput, graphStates]);
    const { dimensions } = MINILM;
    const states = outputs[graphStates]?.data;
    if (!(states instanceof Float32Array) || states.length !== (placed.ids.length + 2) * dimensions) {
      throw new Error(`${MINILM.name} returned no states of ${dimensions} numbers`);
    }
    return {
      vector: vectorOf(outputs).slice(),
      states: states.slice(dimensions, states.length - dimensions),
      dimensions,
      starts: placed.starts,
      ends: placed.ends,
    };
  };
  const tracked = async <T>(compute: (text: string) => Promise<T>, text: string): Promise<T> => {
    if (closed) throw new Error(`${MINILM.name} is closed`);
    const result = compute(text);
    underWay.add(result);
    try {
      return await result;
    } finally {
      underWay.delete(result);
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
      await Promise.allSettled(underWay);
      await session.release();
    },
  };
}

function vectorOf(outputs: InferenceSession.OnnxValueMapType): Float32Array {
  const vector = outputs[graphOutput]?.data;
  if (!(vector instanceof Float32Array) || vector.length !== MINILM.dimensions) {
    throw new Error(`${MINILM.name} returned no vector of ${MINILM.dimensions} numbers`);
  }
  return vector;
}
