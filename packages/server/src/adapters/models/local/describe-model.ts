/** Reads what a model's folder says about it: files as `transformers` and `sentence-transformers` write them. */
import { stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { z } from "zod";
import { findInCatalogue } from "./catalogue.ts";
import { describeGliner, type ReaderDescription } from "./gliner/describe-gliner.ts";
import { findJson, type ModelHints, readManifest } from "./manifest.ts";
import { ModelFault } from "./model-fault.ts";
import { filesIn, folderOf, isModelFolder, requireFile, requireInnerPath } from "./models-folder.ts";

export type Pooling = "cls" | "mean" | "last";

/** Plain data, which is passed to threads. */
export interface ModelDescription {
  readonly id: string;
  readonly folder: string;
  /**
   * "embedding": token states or a sentence's vector. "rerank": one score for a pair of texts. "answer": for each token of a
   * question and a passage, scores for the beginning and the end of the answer. "extraction": entities, and relations, of
   * labels.
   */
  readonly task: "embedding" | "rerank" | "answer" | "extraction";
  /** The family in `config.json`, such as "bert". */
  readonly architecture: string;
  /** Path of the ONNX file in the folder. */
  readonly weights: string;
  /** What a session needs at least: the bytes of the weights. */
  readonly weightBytes: number;
  /** The weights of each graph are in a file of their own, which is mapped: all threads have them in memory once. */
  readonly isMapped: boolean;
  /** Of a vector; 1 for other tasks. */
  readonly dimensions: number;
  /** With special tokens. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** null for models of other tasks. */
  readonly reader: ReaderDescription | null;
}

const LONGEST_INPUT = 8_192;
/** Such a graph's weights are not worth being mapped. */
const SMALL_GRAPH_BYTES = 4e6;
/** Full precision first. Others are used where a folder has only them, or its manifest names one. */
const WEIGHTS = ["onnx/model.onnx", "model.onnx"];
const HIDDEN_SIZES = ["hidden_size", "n_embd", "d_model", "dim"];
const POSITIONS = ["max_position_embeddings", "n_positions"];
/** These number positions from the id of the padding token + 1. */
const OFFSET_POSITIONS: ReadonlySet<string> = new Set(["roberta", "xlm-roberta", "camembert", "mpnet"]);

const configSchema = z.looseObject({
  model_type: z.string().regex(/^[\w.-]{1,60}$/),
  architectures: z.array(z.string()).nullish(),
  pad_token_id: z.int().nullish(),
  id2label: z.record(z.string(), z.unknown()).nullish(),
});
const limitsSchema = z.looseObject({ max_seq_length: z.number().nullish() });
const tokenizerSchema = z.looseObject({ model_max_length: z.number().nullish() });
const promptsSchema = z.looseObject({
  prompts: z.record(z.string(), z.string()).nullish(),
  default_prompt_name: z.string().nullish(),
});
const modulesSchema = z.array(z.looseObject({ type: z.string(), path: z.string() }));
const poolingSchema = z.looseObject({});
type Config = z.output<typeof configSchema>;

/** @throws ModelFault that names the folder or the file */
export async function describeModel(modelsDir: string, id: string): Promise<ModelDescription> {
  const folder = folderOf(modelsDir, id);
  if (await isModelFolder(folder)) return describeFolder(folder, id);
  throw new ModelFault(
    `There is no model ${id} in ${modelsDir}. Add it: kcs-server models add ${id}. ` +
      "A folder that is copied there by hand needs config.json, tokenizer.json and an ONNX file.",
  );
}

/** The same for a folder in any place. */
export async function describeFolder(folder: string, id: string): Promise<ModelDescription> {
  await requireFile(folder, "tokenizer.json");
  const hints: ModelHints = { ...findInCatalogue(id)?.hints, ...withoutEmpty(await readManifest(folder)) };
  const weights = await findWeights(folder, hints);
  const reader = await describeReader(folder, { id, weights, hints });
  if (reader !== null) return reader;
  const config = await readAs(folder, "config.json", configSchema);
  if (config === null) throw new ModelFault(`${join(folder, "config.json")} is missing.`);
  const task = taskOf(config, folder);
  const prompts = await readPrompts(folder, hints);
  return {
    ...{ id, folder, task, architecture: config.model_type, weights },
    weightBytes: await bytesOf(folder, weights),
    isMapped: await areMapped(folder, [weights]),
    dimensions: task === "embedding" ? requireNumber(config, HIDDEN_SIZES, folder) : 1,
    maxTokens: await readMaxTokens(folder, config, hints),
    pooling: task === "embedding" ? await readPooling(folder, hints) : "cls",
    queryPrefix: prompts.query,
    passagePrefix: prompts.passage,
    reader: null,
  };
}

async function describeReader(
  folder: string,
  { id, weights, hints }: { readonly id: string; readonly weights: string; readonly hints: ModelHints },
): Promise<ModelDescription | null> {
  const tokenizer = await readAs(folder, "tokenizer_config.json", tokenizerSchema);
  const tokenizerTokens = tokenizer?.model_max_length ?? null;
  const described = await describeGliner(folder, { weights, hints, tokenizerTokens });
  if (described === null) return null;
  const graphs = graphsOf({ weights, reader: described.reader });
  const sizes = await Promise.all(graphs.map((graph) => bytesOf(folder, graph)));
  return {
    ...{ id, folder, task: "extraction", weights, pooling: "mean", queryPrefix: "", passagePrefix: "" },
    weightBytes: sizes.reduce((sum, size) => sum + size, 0),
    isMapped: await areMapped(folder, graphs),
    ...described,
  };
}

/** The ONNX files of a model, of which a reader can have several. */
export function graphsOf({
  weights,
  reader,
}: Pick<ModelDescription, "weights" | "reader">): readonly string[] {
  const further = [reader?.relationsGraph ?? null, reader?.labelsGraph ?? null];
  return [weights, ...further.filter((graph) => graph !== null)];
}

async function readAs<T>(folder: string, path: string, schema: z.ZodType<T>): Promise<T | null> {
  const value = await findJson(folder, path);
  if (value === null) return null;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ModelFault(`${join(folder, path)} is not as expected: ${z.prettifyError(parsed.error)}`);
}

function withoutEmpty<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T; // The same fields.
}

async function findWeights(folder: string, { weights }: ModelHints): Promise<string> {
  if (weights !== undefined) {
    await requireFile(folder, requireInnerPath(weights));
    return weights;
  }
  const found = (await filesIn(folder)).filter((path) => path.endsWith(".onnx"));
  const chosen = WEIGHTS.find((path) => found.includes(path)) ?? (found.length === 1 ? found[0] : undefined);
  if (chosen !== undefined) return chosen;
  if (found.length === 0) throw new ModelFault(`${folder} has no ONNX file, such as onnx/model.onnx.`);
  throw new ModelFault(
    `${folder} has several ONNX files (${found.join(", ")}): name one as "weights" in kcs-model.json.`,
  );
}

/** The ONNX file and the files with its data, which have its name and a suffix. */
export async function weightFiles(folder: string, weights: string): Promise<readonly string[]> {
  return (await filesIn(folder)).filter((path) => isWeightFile(path, weights));
}

/**
 * Whether a path is the ONNX file or holds its external data, as `model.onnx_data` or `model.onnx.data`. PyTorch names the
 * data of single constants `Constant_7_attr__value`.
 */
export function isWeightFile(path: string, weights: string): boolean {
  if (path === weights) return true;
  const isConstant = /^Constant_\d{1,6}_attr__value$/.test(posix.basename(path));
  if (isConstant) return posix.dirname(path) === posix.dirname(weights);
  return path.startsWith(weights) && /^[._]data(_\d{1,3})?$/.test(path.slice(weights.length));
}

/** Whether no ONNX file has its weights in itself; of a reader's small graph all stay there. */
async function areMapped(folder: string, [weights = "", ...further]: readonly string[]): Promise<boolean> {
  const isApart = async (graph: string) => (await weightFiles(folder, graph)).length > 1;
  if (!(await isApart(weights))) return false;
  for (const graph of further)
    if (!(await isApart(graph)) && (await bytesOf(folder, graph)) > SMALL_GRAPH_BYTES) return false;
  return true;
}

async function bytesOf(folder: string, weights: string): Promise<number> {
  const sizes = (await weightFiles(folder, weights)).map(
    async (path) => (await stat(join(folder, path))).size,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function taskOf({ architectures, id2label }: Config, folder: string): ModelDescription["task"] {
  const [name = ""] = architectures ?? [];
  if (name.endsWith("ForSequenceClassification")) {
    const labels = Object.keys(id2label ?? {}).length;
    // Without the field, `transformers` assumes two labels.
    if (labels === 1) return "rerank";
    throw new ModelFault(`${folder} is a classifier of ${labels || 2} labels. A reranker has one.`);
  }
  if (name.endsWith("ForQuestionAnswering")) return "answer";
  if (/For(TokenClassification|CausalLM|ConditionalGeneration)$/.test(name))
    throw new ModelFault(
      `${folder} is a ${name}. Only embedding models, rerankers, models that answer questions and GLiNER readers are supported.`,
    );
  return "embedding";
}

function requireNumber(config: Config, names: readonly string[], folder: string): number {
  const value = names.map((name) => config[name]).find((each) => Number.isSafeInteger(each));
  if (typeof value === "number" && value > 0 && value <= 8_192) return value;
  throw new ModelFault(`${join(folder, "config.json")} has no usable ${names[0]}.`);
}

async function readMaxTokens(folder: string, config: Config, hints: ModelHints): Promise<number> {
  const limits = await readAs(folder, "sentence_bert_config.json", limitsSchema);
  const tokenizer = await readAs(folder, "tokenizer_config.json", tokenizerSchema);
  const offset = OFFSET_POSITIONS.has(config.model_type) ? (config.pad_token_id ?? 1) + 1 : 0;
  const positions = POSITIONS.map((name) => config[name]).find((value) => typeof value === "number");
  const stated = hints.maxTokens ?? limits?.max_seq_length ?? tokenizer?.model_max_length ?? LONGEST_INPUT;
  const available = typeof positions === "number" && positions > 0 ? positions - offset : LONGEST_INPUT;
  return Math.max(8, Math.min(stated, available, LONGEST_INPUT));
}

async function readPooling(folder: string, hints: ModelHints): Promise<Pooling> {
  if (hints.pooling !== undefined) return hints.pooling;
  const modules = (await readAs(folder, "modules.json", modulesSchema)) ?? [];
  const unknown = modules.find(({ type }) => !/\.(Transformer|Pooling|Normalize)$/.test(type));
  if (unknown !== undefined)
    throw new ModelFault(`${folder} has the module ${basename(unknown.type)}, which is not supported.`);
  const path = modules.find(({ type }) => type.endsWith(".Pooling"))?.path ?? "1_Pooling";
  const file = `${requireInnerPath(path)}/config.json`;
  const pooling = await readAs(folder, file, poolingSchema);
  const found = pooling === null ? null : poolingOf(pooling);
  if (found !== null) return found;
  throw new ModelFault(
    pooling === null
      ? `The files in ${folder} do not say how token states become one vector: add the model with --pooling cls, mean or last, as its card says.`
      : `${join(folder, file)} asks for a pooling that is not supported: expected cls, mean or last.`,
  );
}

/** Both spellings of `sentence-transformers`. null = not supported. */
function poolingOf(config: Readonly<Record<string, unknown>>): Pooling | null {
  if (config["include_prompt"] === false) return null;
  const names = { cls: "cls_token", mean: "mean_tokens", last: "lasttoken" } as const;
  const old = Object.keys(config).filter((name) => name.startsWith("pooling_mode_") && config[name] === true);
  const mode = config["pooling_mode"] ?? (old.length === 1 ? old[0]?.slice("pooling_mode_".length) : null);
  const known = Object.entries(names).find(
    ([name, long]) => mode === name || mode === long || mode === `${name}token`,
  );
  return (known?.[0] as Pooling | undefined) ?? null; // A key of `names`.
}

async function readPrompts(folder: string, hints: ModelHints): Promise<{ query: string; passage: string }> {
  const stated = await readAs(folder, "config_sentence_transformers.json", promptsSchema);
  const prompts = stated?.prompts ?? {};
  const fallback = prompts[stated?.default_prompt_name ?? ""] ?? "";
  return {
    query: hints.queryPrefix ?? prompts["query"] ?? fallback,
    passage: hints.passagePrefix ?? prompts["passage"] ?? prompts["document"] ?? fallback,
  };
}
