/**
 * How much of a GLiNER model's own throughput is left when the service's reader runs it: the same texts through the reader, and
 * their ready-made inputs through ONNX Runtime alone, one at a time and eight at a time. In processor time of one thread.
 *
 *   /tmp/gliner-venv/bin/python bench/local-reader/make_base.py MODEL
 *   node bench/local-reader.ts MODEL [RESULT.json]
 *
 * MODEL is a folder, with random weights in the dimensions of a base model; scripts/models/export_gliner.py says how the Python
 * environment is made.
 */
import { basename, dirname, join, resolve } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describeModel } from "../packages/server/src/adapters/models/local/describe-model.ts";
import { createPrompter } from "../packages/server/src/adapters/models/local/gliner/prompt.ts";
import { openLocalReader } from "../packages/server/src/adapters/models/local/gliner/reader.ts";
import { identifyModel } from "../packages/server/src/adapters/models/local/identify-model.ts";
import { openTokenizer } from "../packages/server/src/adapters/models/local/text-model.ts";
import { describeMachine, publish } from "./report.ts";

const TEXTS = 24;
const ROUNDS = 3;
/** About a chunk of 200 tokens of a usual vocabulary. */
const WORDS_PER_TEXT = 120;
const TOGETHER = 8;
const LABELS = ["person", "organization", "location", "event", "work of art", "product", "date", "law"];
const WORDS =
  "the lighthouse at orrin point was finished in may by engineer maud pell a ferry from varde to skagen sails at noon copper prices fell".split(
    " ",
  );

async function main([folder, file]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("Usage: node bench/local-reader.ts MODEL [RESULT.json]");
  const machine = describeMachine();
  const path = resolve(folder);
  const model = await identifyModel(await describeModel(dirname(path), basename(path)));
  if (model.reader === null) throw new Error(`${folder} is no reader`);
  const texts = Array.from({ length: TEXTS }, (_, at) => textOf(at));
  const labels = { entities: LABELS.map((name) => ({ name, description: "" })), relations: [] };
  const reader = await openLocalReader(model);
  const prompter = await createPrompter(model, model.reader, await openTokenizer(model, "tokenizer.json"));
  const prompt = await prompter.promptOf(LABELS, null);
  const session = await InferenceSession.create(join(path, model.weights), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
  });
  const { maxWidth } = model.reader;
  const inputs = await Promise.all(
    texts.map(async (text) => {
      const words = await prompter.tokenize(text);
      return { ...prompter.inputOf(prompt, words), words: words.length };
    }),
  );
  const [first] = inputs;
  if (first === undefined) throw new Error("There are no texts.");
  const feeds = inputs.map((input) => feedsOf(input, maxWidth, 1));
  const together = feedsOf(first, maxWidth, TOGETHER);
  const measures = {
    reader: async () => {
      for (const text of texts) await reader.read(text, labels);
    },
    runtimeAlone: async () => {
      for (const feed of feeds) await session.run(feed);
    },
    runtimeEightAtATime: async () => {
      for (let at = 0; at < TEXTS; at += TOGETHER) await session.run(together);
    },
  };
  const seconds: Record<string, number[]> = {};
  await reader.read(texts[0] ?? "", labels);
  await session.run(feeds[0] ?? {});
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, measure] of Object.entries(measures)) {
      const before = process.cpuUsage();
      await measure();
      const { user, system } = process.cpuUsage(before);
      const all = seconds[name] ?? [];
      seconds[name] = [...all, (user + system) / 1e6];
    }
  const perText = (name: string) => Math.min(...(seconds[name] ?? [])) / TEXTS;
  const result = {
    tokensPerText: Math.round(inputs.reduce((sum, { ids }) => sum + ids.length, 0) / TEXTS),
    cpuMsPerText: Object.fromEntries(
      Object.keys(measures).map((name) => [name, Math.round(perText(name) * 1e3 * 10) / 10]),
    ),
    shareOfRuntime: Math.round((1e3 * perText("runtimeAlone")) / perText("reader")) / 1e3,
    rounds: seconds,
  };
  await reader.close();
  await session.release();
  const data = { texts: TEXTS, labels: LABELS.length, weightBytes: model.weightBytes };
  await publish({ command: "node bench/local-reader.ts MODEL", data, machine, result }, file);
}

function textOf(seed: number): string {
  return Array.from({ length: WORDS_PER_TEXT }, (_, at) => WORDS[(at * 7 + seed * 13) % WORDS.length]).join(
    " ",
  );
}

/** The same text `times` times, so that no padding is computed. */
function feedsOf(
  {
    ids,
    wordsMask,
    words,
  }: { readonly ids: readonly number[]; readonly wordsMask: readonly number[]; readonly words: number },
  widths: number,
  times: number,
): Record<string, Tensor> {
  const integers = (values: readonly number[], dims: readonly number[]) =>
    new Tensor("int64", BigInt64Array.from(repeat(values), BigInt), [times, ...dims]);
  const repeat = <T>(values: readonly T[]) => Array.from({ length: times }, () => values).flat();
  const spans = Array.from({ length: words * widths }, (_, at) => {
    const start = Math.floor(at / widths);
    return [start, start + (at % widths)] as const;
  });
  const mask = spans.map(([, end]) => (end < words ? 1 : 0));
  return {
    input_ids: integers(ids, [ids.length]),
    attention_mask: integers(
      ids.map(() => 1),
      [ids.length],
    ),
    words_mask: integers(wordsMask, [ids.length]),
    text_lengths: integers([words], [1]),
    span_idx: integers(spans.flat(), [spans.length, 2]),
    span_mask: new Tensor("bool", Uint8Array.from(repeat(mask)), [times, spans.length]),
  };
}

await main(process.argv.slice(2));
