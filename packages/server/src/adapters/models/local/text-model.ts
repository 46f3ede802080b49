/** A model of the models folder, opened: its tokenizer and its session. */
import { join } from "node:path";
import type { Encoding, Tokenizer } from "tokenizers";
import {
  type AroundRun,
  loadRuntime,
  type OnnxInput,
  type OnnxOutputs,
  type OnnxSession,
  openOnnxSession,
} from "../runtime/onnx-session.ts";
import { type IdentifiedModel, requireIntact } from "./identify-model.ts";
import { readSmallFile } from "./manifest.ts";
import { ModelFault } from "./model-fault.ts";
import { requireTextGraph } from "./text-graph.ts";

export interface TextModel {
  /** Outputs that were asked for, of one text or of a pair. */
  run(text: string, pair?: string): Promise<{ readonly outputs: OnnxOutputs; readonly tokens: number }>;
  /** The same for tokens that were encoded before. */
  runTokens(tokens: {
    readonly ids: readonly number[];
    readonly typeIds: readonly number[];
  }): Promise<OnnxOutputs>;
  encode(text: string, pair?: string): Promise<Encoding>;
  /** For tests: the ids that the model is given. */
  tokenize(text: string, pair?: string): Promise<readonly number[]>;
  /** Names of the outputs that the task needs. */
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

/** A model reads it when it is opened: what its files do not say shows before the first text. */
export const TRIED_TEXT = "one";

/** Tokens have fewer characters on average; text after this many for each matters only in input crafted to be expensive. */
const MAX_CHARACTERS_PER_TOKEN = 256;

/**
 * Verifies the files and loads them: seconds for a large model.
 * @throws ModelFault that names the file
 */
export async function openTextModel(
  model: IdentifiedModel,
  options: {
    readonly aroundRun?: AroundRun | undefined;
    /** Whether `encode` and `run` cut texts at the model's length. Default: true. */
    readonly isTruncated?: boolean;
  },
): Promise<TextModel> {
  await requireIntact(model);
  const tokenizer = await openTokenizer(model, "tokenizer.json");
  if (options.isTruncated ?? true) tokenizer.setTruncation(model.maxTokens);
  const path = join(model.folder, model.weights);
  const session = await openGraph(model, model.weights, options.aroundRun);
  const wanted = await orClosed(session, async () => requireTextGraph(session.graph, path, model));

  const longest = model.maxTokens * MAX_CHARACTERS_PER_TOKEN;
  const encode = (text: string, pair?: string): Promise<Encoding> =>
    tokenizer.encode(text.slice(0, longest), pair?.slice(0, longest) ?? null);

  const runTokens: TextModel["runTokens"] = (tokens) => session.run(toInputs(tokens), wanted);

  function toInputs({ ids, typeIds }: Parameters<TextModel["runTokens"]>[0]): Record<string, OnnxInput> {
    const values: Readonly<Record<string, () => readonly number[]>> = {
      input_ids: () => ids,
      attention_mask: () => ids.map(() => 1), // One text, without padding.
      token_type_ids: () => typeIds,
    };
    return Object.fromEntries(
      session.graph.inputs.map(({ name, type }) => [
        name,
        { type: type as OnnxInput["type"], values: values[name]?.() ?? [] }, // Both were checked above.
      ]),
    );
  }

  return {
    wanted,
    async run(text, pair) {
      const encoding = await encode(text, pair);
      const outputs = await runTokens({ ids: encoding.getIds(), typeIds: encoding.getTypeIds() });
      return { outputs, tokens: encoding.getLength() };
    },
    runTokens,
    encode,
    tokenize: async (text, pair) => (await encode(text, pair)).getIds(),
    close: session.close,
  };
}

/** What `work` returns. If it fails, what was opened for it is closed. */
export async function orClosed<T>(opened: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Runs a model that was just opened. If that fails, the model is closed. @throws ModelFault that names the file */
export async function tryModel(
  { folder, weights }: IdentifiedModel,
  opened: { close(): Promise<void> },
  work: () => Promise<unknown>,
): Promise<void> {
  await orClosed(opened, work).catch((cause: unknown) => {
    if (cause instanceof ModelFault) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ModelFault(
      `${join(folder, weights)} does not work: ${reason}. Add the model again, or take another file.`,
      { cause },
    );
  });
}

/** Loads the native code that all models share, which the first model would do as well. */
export async function loadLibraries(): Promise<void> {
  await Promise.all([loadRuntime(), import("tokenizers")]);
}

/** A session with an ONNX file of the model's folder. @throws ModelFault that names it */
export async function openGraph(
  { id, folder, device, isMapped }: IdentifiedModel,
  file: string,
  aroundRun: AroundRun | undefined,
): Promise<OnnxSession> {
  const path = join(folder, file);
  const load = () => openOnnxSession(path, { name: id, aroundRun, device, isMapped });
  const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
  const session = await (aroundRun === undefined ? load() : aroundRun(load)).catch((cause: unknown) => {
    throw new ModelFault(`${path} cannot be loaded: ${reasonOf(cause)}`, { cause });
  });
  return {
    ...session,
    run: (inputs, outputs) =>
      session.run(inputs, outputs).catch((cause: unknown) => {
        throw new ModelFault(
          `${path} cannot compute a text: ${reasonOf(cause)}. Its tokenizer.json may be that of another model: add the model again.`,
          { cause },
        );
      }),
  };
}

/**
 * The implementation in Rust to which `transformers` delegates, so the tokens are the same. Loaded with the first model.
 * It neither cuts nor pads. @throws ModelFault that names the file
 */
export async function openTokenizer({ folder }: IdentifiedModel, file: string): Promise<Tokenizer> {
  const path = join(folder, file);
  try {
    const library = await import("tokenizers");
    const tokenizer = library.Tokenizer.fromString(await readSmallFile(path));
    tokenizer.disableTruncation();
    tokenizer.disablePadding();
    return tokenizer;
  } catch (cause) {
    if (cause instanceof ModelFault) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ModelFault(`${path} cannot be used: ${reason}. Add the model again.`, { cause });
  }
}
