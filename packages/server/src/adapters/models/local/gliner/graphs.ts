/** The ONNX graphs of a GLiNER model, with the inputs and outputs that they have. */

import { join } from "node:path";
import type { Tokenizer } from "tokenizers";
import { type AroundRun, floatsOf, type OnnxInput, type OnnxOutputs } from "../../runtime/onnx-session.ts";
import type { IdentifiedModel } from "../identify-model.ts";
import { ModelFault } from "../model-fault.ts";
import { openGraph, orClosed } from "../text-model.ts";
import type { Logits } from "./decode.ts";
import type { ReaderDescription } from "./describe-gliner.ts";
import type { WindowInput } from "./prompt.ts";
import {
  isTokenGraph,
  LABELS_INPUT,
  LABELS_OUTPUT,
  RELATION_STATES,
  requireLabelsGraph,
  requireReaderGraph,
  requireRelationsGraph,
  SPAN_STATES,
  WORD_STATES,
} from "./reader-graphs.ts";

export interface Floats {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** What the graph of the text computes for a window. */
export interface TextOutputs {
  readonly logits: Logits;
  /** For relations: of spans [1, words, widths, size] or of words [1, words, size], and of relations [1, relations, size]. */
  readonly states: Floats | null;
  readonly relationStates: Floats | null;
}

export interface TextGraph {
  readonly isTokenModel: boolean;
  /** `labelVectors`: of a bi-encoder, one row for each label. */
  run(input: WindowInput, words: number, labelVectors: Floats | null): Promise<TextOutputs>;
  close(): Promise<void>;
}

/** @throws ModelFault when the file has other inputs or outputs */
export async function openTextGraph(
  model: IdentifiedModel,
  reader: ReaderDescription,
  aroundRun: AroundRun | undefined,
): Promise<TextGraph> {
  const session = await openGraph(model, model.weights, aroundRun);
  const { graph } = session;
  const isTokenModel = isTokenGraph(graph);
  const states = isTokenModel ? WORD_STATES : SPAN_STATES;
  const hasRelations = reader.relationsGraph !== null;
  const path = join(model.folder, model.weights);
  const wanted = await orClosed(session, async () => requireReaderGraph(graph, path, reader));
  const { maxWidth } = reader;
  return {
    isTokenModel,
    async run({ ids, wordsMask }, words, labelVectors) {
      const integers = (values: readonly number[], shape?: readonly number[]): OnnxInput => ({
        type: "int64",
        values,
        ...(shape === undefined ? {} : { shape }),
      });
      const outputs = await session.run(
        {
          input_ids: integers(ids),
          attention_mask: integers(ids.map(() => 1)),
          words_mask: integers(wordsMask),
          text_lengths: integers([words], [1, 1]),
          ...(isTokenModel ? {} : spanInputs(words, maxWidth)),
          ...(labelVectors === null
            ? {}
            : { [LABELS_INPUT]: { type: "float32", values: labelVectors.data, shape: labelVectors.dims } }),
        },
        wanted,
      );
      const logits = valuesOf(outputs, "logits");
      if (logits.dims.length !== 4)
        throw new ModelFault(
          `${path} returned logits of ${logits.dims.length} dimensions instead of 4. Export the model again with scripts/models/export_gliner.py.`,
        );
      return {
        logits,
        states: hasRelations ? valuesOf(outputs, states) : null,
        relationStates: hasRelations ? valuesOf(outputs, RELATION_STATES) : null,
      };
    },
    close: session.close,
  };
}

/** All spans of up to `widths` words that begin in the text; the mask leaves out those that end behind it. */
function spanInputs(words: number, widths: number): Record<string, OnnxInput> {
  const spans = new Int32Array(words * widths * 2);
  const mask = new Int32Array(words * widths);
  for (let at = 0; at < mask.length; at++) {
    const start = Math.floor(at / widths);
    const end = start + (at % widths);
    spans[at * 2] = start;
    spans[at * 2 + 1] = end;
    mask[at] = end < words ? 1 : 0;
  }
  return {
    span_idx: { type: "int64", values: spans, shape: [1, mask.length, 2] },
    span_mask: { type: "bool", values: mask, shape: [1, mask.length] },
  };
}

export interface LabelsGraph {
  /** The vector of a label. */
  run(label: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Tokens of a label with its description. */
const MAX_LABEL_TOKENS = 64;

export async function openLabelsGraph(
  model: IdentifiedModel,
  {
    file,
    tokenizer,
    aroundRun,
  }: {
    readonly file: string;
    readonly tokenizer: Tokenizer;
    readonly aroundRun: AroundRun | undefined;
  },
): Promise<LabelsGraph> {
  const session = await openGraph(model, file, aroundRun);
  await orClosed(session, async () => requireLabelsGraph(session.graph, join(model.folder, file)));
  tokenizer.setTruncation(MAX_LABEL_TOKENS);
  return {
    async run(label) {
      const encoding = await tokenizer.encode(label);
      const inputs = { input_ids: encoding.getIds(), attention_mask: encoding.getAttentionMask() };
      const named = Object.entries(inputs).map(
        ([name, values]) => [name, { type: "int64", values }] as const,
      );
      return valuesOf(await session.run(Object.fromEntries(named), [LABELS_OUTPUT]), LABELS_OUTPUT).data;
    },
    close: session.close,
  };
}

/** Spans of words, both ends inclusive. */
export interface RelationEnds {
  readonly start: number;
  readonly end: number;
}

export interface RelationsGraph {
  /** [1, entities, entities], and logits [1, entities, entities, relations]. */
  run(
    outputs: TextOutputs,
    entities: readonly RelationEnds[],
  ): Promise<{ adjacency: Floats; logits: Floats }>;
  close(): Promise<void>;
}

export async function openRelationsGraph(
  model: IdentifiedModel,
  {
    file,
    isTokenModel,
    aroundRun,
  }: {
    readonly file: string;
    readonly isTokenModel: boolean;
    readonly aroundRun: AroundRun | undefined;
  },
): Promise<RelationsGraph> {
  const session = await openGraph(model, file, aroundRun);
  const path = join(model.folder, file);
  await orClosed(session, async () => requireRelationsGraph(session.graph, path, isTokenModel));
  return {
    async run({ states, relationStates }, entities) {
      if (states === null || relationStates === null) throw new Error("The text was read without relations");
      const outputs = await session.run(
        {
          [RELATION_STATES]: floatInput(relationStates),
          ...(isTokenModel
            ? {
                [WORD_STATES]: floatInput(states),
                span_idx: {
                  type: "int64",
                  values: entities.flatMap(({ start, end }) => [start, end]),
                  shape: [1, entities.length, 2],
                } satisfies OnnxInput,
              }
            : { entity_states: floatInput(statesOf(states, entities)) }),
        },
        ["adjacency", "rel_logits"],
      );
      return { adjacency: valuesOf(outputs, "adjacency"), logits: valuesOf(outputs, "rel_logits") };
    },
    close: session.close,
  };
}

/** The rows of spans among those of all spans. */
function statesOf({ data, dims }: Floats, entities: readonly RelationEnds[]): Floats {
  const [, , widths = 0, size = 0] = dims;
  const rows = new Float32Array(entities.length * size);
  for (const [row, { start, end }] of entities.entries()) {
    const from = (start * widths + (end - start)) * size;
    rows.set(data.subarray(from, from + size), row * size);
  }
  return { data: rows, dims: [1, entities.length, size] };
}

function floatInput({ data, dims }: Floats): OnnxInput {
  return { type: "float32", values: data, shape: dims };
}

function valuesOf(outputs: OnnxOutputs, name: string): Floats {
  return { data: floatsOf(outputs, name), dims: outputs[name]?.dims ?? [] };
}
