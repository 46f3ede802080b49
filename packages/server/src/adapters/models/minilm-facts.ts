/** The bundled model that reads facts: the upper layers of the embedding model, taught to read names and relations. */
import {
  ensureModel,
  factKinds,
  factLabels,
  factOutputs,
  graphLowerStates,
  readFactTables,
} from "@kcs/minilm";
import type { FactLabels, FactModel, LowerStates } from "../../ports/fact-model.ts";
import { type AroundRun, floatsOf, openOnnxSession } from "./runtime/onnx-session.ts";

export const FACT_MODEL = "fact-reader";

export interface ClosableFactModel extends FactModel {
  /** Waits for the running texts and frees the model. */
  close(): Promise<void>;
}

/**
 * Opens the model in this thread, and first builds its file in `cacheDir` if necessary. `read` blocks the thread, so never call it on the main thread.
 * @throws ModelUnavailableError when the weights are missing or are not the expected ones, or the native runtime is missing
 */
export async function openMiniLmFacts(cacheDir: string, aroundRun?: AroundRun): Promise<ClosableFactModel> {
  const { onnxPath } = await ensureModel(cacheDir, "facts");
  const session = await openOnnxSession(onnxPath, { name: FACT_MODEL, aroundRun });
  const tables = await readFactTables();

  async function read({ rows, tokens }: LowerStates, { vectors, types, relations }: FactLabels) {
    const count = types + relations;
    const width = rows.length / tokens;
    const outputs = await session.run(
      {
        [graphLowerStates]: { type: "float32", values: rows, shape: [1, tokens, width] },
        [factLabels]: { type: "float32", values: vectors, shape: [1, count, width] },
        [factKinds]: {
          type: "int32",
          values: Int32Array.from({ length: count }, (_, at) => Number(at >= types)),
        },
      },
      Object.values(factOutputs),
    );
    return {
      ...{ tokens, types, relations },
      tokenProducts: floatsOf(outputs, factOutputs.tokens),
      tokenBiases: floatsOf(outputs, factOutputs.tokenBiases),
      spanParts: floatsOf(outputs, factOutputs.spanParts),
      typeTokens: floatsOf(outputs, factOutputs.typeTokens),
      typeLabels: floatsOf(outputs, factOutputs.typeLabels),
      pairParts: floatsOf(outputs, factOutputs.pairParts),
      edgeTokens: floatsOf(outputs, factOutputs.edgeTokens),
      edgeLabels: floatsOf(outputs, factOutputs.edgeLabels),
      edgeBias: floatsOf(outputs, factOutputs.edgeBias),
      ...tables,
    };
  }

  return { read, close: session.close };
}

/** Opened at the first text: only projects with an ontology need it. A start that failed is tried again with the next text. */
export function createLazyFactModel(cacheDir: string, aroundRun: AroundRun): FactModel {
  let opening: Promise<FactModel> | null = null;
  return {
    async read(states, labels) {
      opening ??= openMiniLmFacts(cacheDir, aroundRun);
      try {
        return await (await opening).read(states, labels);
      } catch (error) {
        opening = null;
        throw error;
      }
    },
  };
}
