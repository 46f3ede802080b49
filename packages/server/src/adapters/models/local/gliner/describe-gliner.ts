/** Reads what the folder of a GLiNER model says: `gliner_config.json`, and the graphs that it has. */
import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { z } from "zod";
import type { ConfidenceMap } from "../../../../domain/confidence-map.ts";
import { findJson, type ModelHints } from "../manifest.ts";
import { ModelFault } from "../model-fault.ts";
import { requireFile } from "../models-folder.ts";

export const GLINER_CONFIG = "gliner_config.json";
/** Beside the graph of the text: the encoder of labels of a bi-encoder, and the relations of a relex model. */
export const LABELS_GRAPH = "labels_encoder.onnx";
export const RELATIONS_GRAPH = "relations.onnx";
export const LABELS_TOKENIZER = "labels_encoder/tokenizer.json";

/** Plain data, which is passed to threads. */
export interface ReaderDescription {
  /** Words of a window. */
  readonly maxWords: number;
  /** Words of a span, for span models. */
  readonly maxWidth: number;
  /** Labels of entities, and as many of relations, in one run. */
  readonly maxLabels: number;
  readonly pooling: "first" | "last" | "mean" | "max";
  readonly entityToken: string;
  readonly separatorToken: string;
  readonly relationToken: string;
  /** From which score on entities and relations are read. */
  readonly threshold: number;
  readonly relationThreshold: number;
  /** Whether one name may lie within another. */
  readonly nested: boolean;
  /** What the scores of relations are worth; null where nothing was fitted: then the scores themselves. */
  readonly confidence: ConfidenceMap | null;
  /** Paths of the graphs; null where the model has none. */
  readonly labelsGraph: string | null;
  readonly relationsGraph: string | null;
  /** All files that decide the output, besides the weights and the tokenizer. */
  readonly files: readonly string[];
}

const DEFAULT_THRESHOLD = 0.5;
/** Unless the files say it: what all encoders take. */
const USUAL_TOKENS = 512;
/** The costs grow with the square. */
const MOST_TOKENS = 2_048;
/** A label of a bi-encoder has no place in the prompt. */
const LABELS_APART = 200;

const glinerSchema = z.looseObject({
  max_len: z.int().min(8).max(8_192).default(384),
  max_width: z.int().min(1).max(100).default(12),
  max_types: z.int().min(1).max(1_000).default(25),
  hidden_size: z.int().min(1).max(8_192).default(512),
  subtoken_pooling: z.enum(["first", "last", "mean", "max"]).default("first"),
  words_splitter_type: z.string().default("whitespace"),
  ent_token: z.string().min(1).default("<<ENT>>"),
  sep_token: z.string().min(1).default("<<SEP>>"),
  rel_token: z.string().min(1).default("<<REL>>"),
  labels_encoder: z.string().nullish(),
  relations_layer: z.string().nullish(),
  labels_decoder: z.string().nullish(),
  decoder_config: z.unknown().optional(),
  precomputed_prompts_mode: z.boolean().nullish(),
  encoder_config: z
    .looseObject({
      model_type: z.string().nullish(),
      max_position_embeddings: z.int().min(1).nullish(),
      position_biased_input: z.boolean().nullish(),
      pad_token_id: z.int().nullish(),
    })
    .nullish(),
});
type GlinerConfig = z.output<typeof glinerSchema>;

export interface DescribedGliner {
  readonly architecture: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly reader: ReaderDescription;
}

/** null where the folder has no such file. @throws ModelFault */
export async function describeGliner(
  folder: string,
  {
    weights,
    hints,
    tokenizerTokens,
  }: {
    readonly weights: string;
    readonly hints: ModelHints;
    /** As the tokenizer says; absent where it does not. */
    readonly tokenizerTokens: number | null;
  },
): Promise<DescribedGliner | null> {
  const value = await findJson(folder, GLINER_CONFIG);
  if (value === null) return null;
  const path = join(folder, GLINER_CONFIG);
  const parsed = glinerSchema.safeParse(value);
  if (!parsed.success) throw new ModelFault(`${path} is not as expected: ${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  requireSupported(config, path);
  const inFolder = (name: string) => posix.join(posix.dirname(weights), name);
  const labelsGraph = config.labels_encoder ? inFolder(LABELS_GRAPH) : null;
  const relationsGraph = config.relations_layer ? inFolder(RELATIONS_GRAPH) : null;
  const files = [
    GLINER_CONFIG,
    ...[relationsGraph, labelsGraph].filter((name) => name !== null),
    ...(labelsGraph === null ? [] : [LABELS_TOKENIZER]),
  ];
  for (const file of files) await requireExported(folder, file);
  const kind = relationsGraph !== null ? "relex" : labelsGraph !== null ? "bi-encoder" : "GLiNER";
  return {
    architecture: kind,
    dimensions: config.hidden_size,
    maxTokens: hints.maxTokens ?? tokensOf(config, tokenizerTokens),
    reader: {
      maxWords: config.max_len,
      maxWidth: config.max_width,
      maxLabels: labelsGraph === null ? config.max_types : LABELS_APART,
      pooling: config.subtoken_pooling,
      entityToken: config.ent_token,
      separatorToken: config.sep_token,
      relationToken: config.rel_token,
      threshold: hints.threshold ?? DEFAULT_THRESHOLD,
      relationThreshold: hints.relationThreshold ?? hints.threshold ?? DEFAULT_THRESHOLD,
      nested: hints.nested ?? false,
      confidence: hints.relationConfidence ?? null,
      ...{ labelsGraph, relationsGraph, files },
    },
  };
}

function requireSupported(config: GlinerConfig, path: string): void {
  const { words_splitter_type: splitter, labels_decoder, decoder_config, precomputed_prompts_mode } = config;
  const problem =
    labels_decoder || decoder_config
      ? "generates labels"
      : precomputed_prompts_mode
        ? "has its labels built in"
        : splitter === "whitespace"
          ? null
          : `cuts words by "${splitter}"`;
  if (problem !== null) throw new ModelFault(`${path}: a model that ${problem} is not supported.`);
}

/** Of a graph that the exporter of the library does not write. */
async function requireExported(folder: string, file: string): Promise<void> {
  const isThere = await stat(join(folder, file)).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (isThere) return;
  if (file === GLINER_CONFIG) await requireFile(folder, file);
  throw new ModelFault(
    `${join(folder, file)} is missing. Export the model with scripts/models/export_gliner.py, which writes it.`,
  );
}

function tokensOf({ encoder_config: encoder }: GlinerConfig, tokenizerTokens: number | null): number {
  // Positions of DeBERTa are relative; those of the RoBERTa family are numbered from the padding token on.
  const isRelative = encoder?.model_type === "deberta-v2" && encoder.position_biased_input !== true;
  const isOffset = /roberta|camembert|mpnet/.test(encoder?.model_type ?? "");
  const positions = isRelative ? null : (encoder?.max_position_embeddings ?? null);
  const available =
    positions === null ? MOST_TOKENS : positions - (isOffset ? (encoder?.pad_token_id ?? 1) + 1 : 0);
  const stated = tokenizerTokens !== null && tokenizerTokens < 1e6 ? tokenizerTokens : USUAL_TOKENS;
  return Math.max(16, Math.min(stated, available, MOST_TOKENS));
}
