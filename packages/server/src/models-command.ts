/** `kcs-server models …`: the folder of local models. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { addModel } from "./adapters/models/hub/add-model.ts";
import { createHubClient } from "./adapters/models/hub/hub-client.ts";
import { CATALOGUE } from "./adapters/models/local/catalogue.ts";
import { describeModel, type ModelDescription } from "./adapters/models/local/describe-model.ts";
import { requireDevice } from "./adapters/models/local/device.ts";
import { calibrateReader, hintsOf, parseJudgedTexts } from "./adapters/models/local/gliner/calibrate.ts";
import { identifyModel } from "./adapters/models/local/identify-model.ts";
import { type ModelHints, updateManifest } from "./adapters/models/local/manifest.ts";
import { bytesInMemory } from "./adapters/models/local/memory.ts";
import { ModelFault } from "./adapters/models/local/model-fault.ts";
import {
  folderOf,
  isModelFolder,
  listModels,
  removeModel,
  verifyModel,
} from "./adapters/models/local/models-folder.ts";
import { requireGraphs } from "./adapters/models/local/require-graphs.ts";
import { MINILM_DIMENSIONS, MINILM_MAX_TOKENS, MINILM_MODEL } from "./adapters/models/minilm-embedder.ts";
import { benchModels, DEFAULT_LIMITS, presentTable } from "./bench-models.ts";
import type { Config } from "./config.ts";

export const MODELS_USAGE = `Usage: kcs-server models list
       kcs-server models add OWNER/NAME | FOLDER [--file PATH] [--revision NAME] [--pooling cls|mean|last]
                             [--query-prefix TEXT] [--passage-prefix TEXT] [--map]
       kcs-server models verify [MODEL]
       kcs-server models remove MODEL
       kcs-server models calibrate FILE [--model MODEL]
       kcs-server models bench [MODEL] [--json] [--seconds NUMBER]
`;

interface Terminal {
  print(text: string): void;
  /** Replaces the last line of progress. */
  progress(text: string): void;
}

const OPTIONS = {
  file: { type: "string" },
  revision: { type: "string" },
  pooling: { type: "string" },
  "query-prefix": { type: "string" },
  "passage-prefix": { type: "string" },
  map: { type: "boolean" },
  json: { type: "boolean" },
  seconds: { type: "string" },
  model: { type: "string" },
} as const;
/** The options of each action; the others have none. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  add: ["file", "revision", "pooling", "query-prefix", "passage-prefix", "map"],
  calibrate: ["model"],
  bench: ["json", "seconds"],
};

interface Settings extends Pick<Config, "modelsDir" | "modelsDevice" | "hub" | "extraction"> {
  /** Of the bundled model's file. */
  readonly bundledDir: string;
}

/** Returns the exit code. @throws ModelFault */
export async function runModelsCommand(
  args: readonly string[],
  settings: Settings,
  terminal: Terminal,
): Promise<number> {
  const { modelsDir } = settings;
  const parsed = parse(args);
  const [action, ...names] = parsed?.positionals ?? [];
  const [name] = names;
  const allowed = OPTIONS_OF[action ?? ""] ?? [];
  const isKnown = Object.keys(parsed?.values ?? {}).every((option) => allowed.includes(option));
  if (parsed === null || names.length > 1 || !isKnown) return usage(terminal);
  if (action === "list" && name === undefined) return list(modelsDir, terminal);
  if (action === "verify") return verify(modelsDir, name ?? null, terminal);
  if (action === "bench") return bench(name ?? null, parsed.values, { settings, terminal });
  if (name === undefined) return usage(terminal);
  if (action === "add") return add(name, parsed.values, { settings, terminal });
  if (action === "calibrate") return calibrate(name, parsed.values, { settings, terminal });
  if (action !== "remove") return usage(terminal);
  await removeModel(modelsDir, name);
  terminal.print(`Removed ${name}.\n`);
  return 0;
}

async function add(name: string, values: Values, { settings, terminal }: Context): Promise<number> {
  const { modelsDir, hub } = settings;
  const { revision = "main", map: isMapped = false } = values;
  const hints = readHints(values);
  if (hints === null) return usage(terminal);
  const model = await addModel(
    name,
    { modelsDir, hints, revision, isMapped, onProgress: showProgress(terminal) },
    createHubClient(hub),
  );
  terminal.print(`Added ${model.id}: ${summaryOf(model)}\n${adviceFor(model)}\n`);
  return 0;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    return null;
  }
}

function usage(terminal: Terminal): number {
  terminal.print(MODELS_USAGE);
  return 2;
}

type Values = NonNullable<ReturnType<typeof parse>>["values"];
interface Context {
  readonly settings: Settings;
  readonly terminal: Terminal;
}

async function bench(name: string | null, values: Values, { settings, terminal }: Context): Promise<number> {
  const { seconds = String(DEFAULT_LIMITS.seconds), json = false } = values;
  if (!/^[1-9]\d{0,3}$/.test(seconds)) return usage(terminal);
  const { modelsDir, bundledDir, modelsDevice: device } = settings;
  const rows = await benchModels({
    ...{ modelsDir, bundledDir, name, device },
    limits: { ...DEFAULT_LIMITS, seconds: Number(seconds) },
    onModel: (model) => terminal.progress(`Measuring ${model}`),
  });
  terminal.progress("");
  terminal.print(json ? `${JSON.stringify(rows, null, 2)}\n` : presentTable(rows));
  return rows.some((row) => "fault" in row) ? 1 : 0;
}

/** null for an unknown pooling. */
function readHints(values: Values): ModelHints | null {
  const pooling = (["cls", "mean", "last"] as const).find((each) => each === values.pooling);
  if (pooling === undefined && values.pooling !== undefined) return null;
  const { file, "query-prefix": queryPrefix, "passage-prefix": passagePrefix } = values;
  return {
    ...(file === undefined ? {} : { weights: file }),
    ...(pooling === undefined ? {} : { pooling }),
    ...(queryPrefix === undefined ? {} : { queryPrefix }),
    ...(passagePrefix === undefined ? {} : { passagePrefix }),
  };
}

async function list(modelsDir: string, terminal: Terminal): Promise<number> {
  const ids = await listModels(modelsDir);
  const size = `${MINILM_DIMENSIONS} dimensions, ${MINILM_MAX_TOKENS} tokens`;
  terminal.print(`Bundled:\n  ${MINILM_MODEL}: embedding model of ${size}\n\nIn ${modelsDir}:\n`);
  if (ids.length === 0) terminal.print("  none\n");
  for (const id of ids)
    terminal.print(`  ${id}: ${await describeModel(modelsDir, id).then(summaryOf, faultText)}\n`);
  terminal.print("\nCan be added from the hub (size, licence, languages):\n");
  for (const entry of CATALOGUE.filter(({ id }) => !ids.includes(id))) {
    const { id, task, megabytes, licence, languages, dimensions } = entry;
    const size = dimensions === null ? task : `${task}, ${dimensions} dimensions`;
    terminal.print(`  ${id}: ${size}, ${megabytes} MB, ${licence}, ${languages}\n`);
  }
  return 0;
}

async function verify(modelsDir: string, name: string | null, terminal: Terminal): Promise<number> {
  const ids = name === null ? await listModels(modelsDir) : [name];
  let faults = 0;
  for (const id of ids) {
    const folder = folderOf(modelsDir, id);
    if (!(await isModelFolder(folder))) throw new ModelFault(`There is no model ${id} in ${modelsDir}.`);
    const checks = await verifyModel(folder);
    const bad = checks.filter(({ state }) => state === "missing" || state === "damaged");
    const intact = checks.filter(({ state }) => state === "intact").length;
    const unrecorded = checks.filter(({ state }) => state === "unrecorded").length;
    faults += bad.length;
    for (const { path, state } of bad) terminal.print(`${id}: ${path} is ${state}.\n`);
    // Of files without a recorded hash, what they say of themselves is all that can be checked.
    const unfit = bad.length > 0 ? null : await findFault(modelsDir, id);
    if (unfit !== null) terminal.print(`${id} cannot be used: ${unfit}\n`);
    faults += unfit === null ? 0 : 1;
    const rest = unrecorded === 0 ? "" : `, ${unrecorded} without a recorded hash`;
    terminal.print(`${id}: ${intact} of ${checks.length - unrecorded} files are intact${rest}.\n`);
    if (bad.length > 0) terminal.print(`Remove ${id} and add it again.\n`);
  }
  return faults === 0 ? 0 : 1;
}

/** null for a model whose files can be used, as far as they tell. */
async function findFault(modelsDir: string, id: string): Promise<string | null> {
  try {
    requireGraphs(await describeModel(modelsDir, id));
    return null;
  } catch (error) {
    if (error instanceof ModelFault) return error.message;
    throw error;
  }
}

/** Keeps what it fits in the model's kcs-model.json. */
async function calibrate(file: string, values: Values, { settings, terminal }: Context): Promise<number> {
  const { modelsDir, modelsDevice, extraction } = settings;
  const id = values.model ?? extraction?.model;
  if (id === undefined)
    throw new ModelFault("Name the model with --model MODEL, or set KCS_EXTRACTION_MODEL.");
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ModelFault(`${file} cannot be read: ${reason}`, { cause });
  });
  const texts = parseJudgedTexts(content);
  const model = await identifyModel(await describeModel(modelsDir, id), modelsDevice);
  await requireDevice(modelsDevice);
  terminal.progress(`Reading ${texts.length} texts`);
  const fitted = await calibrateReader(model, texts);
  await updateManifest(model.folder, hintsOf(fitted));
  for (const [what, found] of Object.entries(fitted)) {
    if (found === null) continue;
    const { threshold, precision, recall, f1, expected } = found;
    const shares = [precision, recall, f1].map((share) => share.toFixed(3));
    terminal.print(
      `${id}: ${what} from a score of ${threshold} on: precision ${shares[0]}, recall ${shares[1]}, F1 ${shares[2]}, of ${expected}.\n`,
    );
  }
  terminal.print("The next start of the service uses it, unless KCS_EXTRACTION_THRESHOLD is set.\n");
  return 0;
}

function showProgress(terminal: Terminal) {
  let last = "";
  return ({ path, bytes, of }: { path: string; bytes: number; of: number }) => {
    const text = `${of === 0 ? 100 : Math.floor((100 * bytes) / of)} % of ${megabytes(of)}, ${path}`;
    if (text !== last) terminal.progress(text);
    last = text;
  };
}

function summaryOf(model: ModelDescription): string {
  const { task, architecture, dimensions, maxTokens, pooling, weights, weightBytes } = model;
  const kinds: Readonly<Record<ModelDescription["task"], string>> = {
    embedding: `embedding model of ${dimensions} dimensions, ${pooling} pooling`,
    rerank: "reranker",
    answer: "model that answers questions",
    extraction: model.reader?.relationsGraph ? "reader of entities and relations" : "reader of entities",
  };
  const size = `${megabytes(weightBytes)}, about ${megabytes(bytesInMemory(model))} of memory in each thread${model.isMapped ? " and once that of the file" : ""}`;
  return `${kinds[task]} (${architecture}), ${maxTokens} tokens, ${weights}, ${size}`;
}

function adviceFor({ id, task, queryPrefix, passagePrefix }: ModelDescription): string {
  const groups: Readonly<Record<ModelDescription["task"], string>> = {
    embedding: "KCS_EMBEDDING",
    rerank: "KCS_RERANK",
    answer: "KCS_ANSWER",
    extraction: "KCS_EXTRACTION",
  };
  const group = groups[task];
  const prefixes =
    task === "embedding"
      ? `\nPrefix of questions: ${JSON.stringify(queryPrefix)}, of passages: ${JSON.stringify(passagePrefix)}`
      : "";
  return `Use it: ${group}_PROVIDER=local ${group}_MODEL=${id}${prefixes}`;
}

function faultText(error: unknown): string {
  if (error instanceof ModelFault) return `cannot be used: ${error.message}`;
  throw error;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
