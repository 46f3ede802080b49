/** Answers in passages, found by a question-answering model of the models folder. */
import { join } from "node:path";
import type { Encoding } from "tokenizers";
import type { FoundAnswers } from "../../../ports/answer-finder.ts";
import { type AroundRun, floatsOf } from "../runtime/onnx-session.ts";
import { chooseSpans, type PassageToken, type ReadWindow } from "./choose-spans.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { ModelFault } from "./model-fault.ts";
import { END_LOGITS, START_LOGITS } from "./text-graph.ts";
import { openTextModel, TRIED_TEXT, tryModel } from "./text-model.ts";

export interface LocalAnswerFinder {
  find(question: string, passage: string): Promise<FoundAnswers>;
  /** For tests: the ids that the model is given for each window of the passage. */
  tokenize(question: string, passage: string): Promise<readonly (readonly number[])[]>;
  close(): Promise<void>;
}

/** As in the reference: a longer passage is read in windows of this many tokens at most, which overlap by a third. */
const MAX_WINDOW_TOKENS = 384;
const MAX_OVERLAP_TOKENS = 128;
/** More than any chunk has; what follows them is not read. */
const MAX_WINDOWS = 256;

/** `find` blocks the thread. @throws ModelFault */
export async function openLocalAnswerFinder(
  model: IdentifiedModel,
  options: { readonly aroundRun?: AroundRun } = {},
): Promise<LocalAnswerFinder> {
  const opened = await openTextModel(model, {
    aroundRun: options.aroundRun,
    isTruncated: false,
  });
  const maxTokens = Math.min(model.maxTokens, MAX_WINDOW_TOKENS);

  async function read(input: WindowInput): Promise<ReadWindow> {
    const outputs = await opened.runTokens(input);
    const [starts, ends] = [floatsOf(outputs, START_LOGITS), floatsOf(outputs, END_LOGITS)];
    const { ids, passageAt, tokens } = input;
    const isUsable = (logits: Float32Array) => logits.length === ids.length && logits.every(Number.isFinite);
    if (!isUsable(starts) || !isUsable(ends))
      throw new ModelFault(
        `${join(model.folder, model.weights)} returned no number for each of ${ids.length} tokens. Export the model again, as optimum does it.`,
      );
    const after = passageAt + tokens.length;
    return {
      tokens,
      starts: starts.subarray(passageAt, after),
      ends: ends.subarray(passageAt, after),
      none: { start: starts[0] ?? 0, end: ends[0] ?? 0 },
    };
  }

  const windowsOf = async (question: string, passage: string) =>
    cutWindows(await opened.encode(question, passage), { passage, maxTokens });

  async function find(question: string, passage: string): Promise<FoundAnswers> {
    const windows: ReadWindow[] = [];
    for (const window of await windowsOf(question, passage)) windows.push(await read(window));
    return chooseSpans(passage, windows);
  }

  await tryModel(model, opened, () => find(TRIED_TEXT, TRIED_TEXT));
  return {
    find,
    tokenize: async (question, passage) => (await windowsOf(question, passage)).map(({ ids }) => ids),
    close: opened.close,
  };
}

/** What the model is given in one run. */
interface WindowInput {
  readonly ids: readonly number[];
  readonly typeIds: readonly number[];
  /** Place of the first token of the passage. */
  readonly passageAt: number;
  readonly tokens: readonly PassageToken[];
}

/**
 * Each window has the special tokens, the question and a part of the passage. The question is cut where the passage would
 * have less than one and a half overlaps; the reference refuses such questions later, and the others give the same windows.
 */
function cutWindows(
  encoding: Encoding,
  { passage, maxTokens }: { readonly passage: string; readonly maxTokens: number },
): readonly WindowInput[] {
  const ids = encoding.getIds();
  const typeIds = encoding.getTypeIds();
  const sequences = encoding.getSequenceIds();
  const overlap = Math.min(Math.floor(maxTokens / 2), MAX_OVERLAP_TOKENS);
  const begin = sequences.indexOf(1);
  if (begin < 0) return [];
  const end = sequences.lastIndexOf(1) + 1;
  const special = sequences.filter((sequence) => sequence !== 0 && sequence !== 1).length;
  const questionRoom = maxTokens - special - Math.ceil(overlap * 1.5);
  const questionEnd = sequences.indexOf(0) + Math.max(questionRoom, 1);
  const before = range(0, begin).filter((at) => sequences[at] !== 0 || at < questionEnd);
  const after = range(end, ids.length);
  const size = maxTokens - before.length - after.length;
  const step = Math.max(1, size - overlap);

  const tokens = passageTokens(encoding, { passage, begin, end });
  const windows: WindowInput[] = [];
  for (let from = begin; windows.length < MAX_WINDOWS; from += step) {
    const to = Math.min(from + size, end);
    const taken = [...before, ...range(from, to), ...after];
    const pick = (values: readonly number[]) => taken.map((at) => values[at] ?? 0);
    windows.push({
      ids: pick(ids),
      typeIds: pick(typeIds),
      passageAt: before.length,
      tokens: tokens.slice(from - begin, to - begin),
    });
    if (to === end) break;
  }
  return windows;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

function passageTokens(
  encoding: Encoding,
  { passage, begin, end }: { readonly passage: string; readonly begin: number; readonly end: number },
): readonly PassageToken[] {
  const words = encoding.getWordIds();
  const unitOf = unitOffsets(passage);
  return encoding
    .getOffsets()
    .slice(begin, end)
    .map(([from = 0, to = 0], at) => ({
      start: unitOf(from),
      end: unitOf(to),
      word: words[begin + at] ?? null,
    }));
}

/** From offsets in code points, which the tokenizer counts, to those in UTF-16 code units. */
function unitOffsets(text: string): (codePoint: number) => number {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (codePoint) => codePoint;
  const offsets: number[] = [0];
  let units = 0;
  for (const character of text) {
    units += character.length;
    offsets.push(units);
  }
  return (codePoint) => offsets[codePoint] ?? text.length;
}
