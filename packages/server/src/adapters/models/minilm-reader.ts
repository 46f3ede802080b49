/** The bundled model that reads a question and a passage together, and tells whether and where the passage answers. */
import {
  createTokenizer,
  ensureModel,
  graphInput,
  readerAnswers,
  readerSpans,
  readerTypes,
  readVocabulary,
  requireId,
  specialTokens,
} from "@kcs/minilm";
import type { QuestionReader, QuestionReading } from "../../ports/question-reader.ts";
import { type AroundRun, floatsOf, openOnnxSession } from "./runtime/onnx-session.ts";

export const READER_MODEL = "answer-reader";

/** The lengths that it was taught with, special tokens included. */
const MAX_TOKENS = 144;
const MAX_QUESTION_TOKENS = 40;
const SPECIAL_TOKENS = 3;
/** No answer is longer. */
const MAX_ANSWER_TOKENS = 15;
/** Much more than the tokens that are read can have. */
const MAX_CHARACTERS = 16_384;

export interface ClosableReader extends QuestionReader {
  /** Waits for the running texts and frees the model. */
  close(): Promise<void>;
}

/** Builds the model's file where it is missing. @throws ModelUnavailableError */
export async function prepareMiniLmReader(cacheDir: string): Promise<void> {
  await ensureModel(cacheDir, "reader");
}

/**
 * Opens the model in this thread, and first builds its file in `cacheDir` if necessary. About 200 ms and 90 MB. A passage of 100 tokens takes 6 ms;
 * `read` blocks the thread, so never call it on the main thread.
 * @throws ModelUnavailableError when the weights are missing or are not the expected ones, or the native runtime is missing
 */
export async function openMiniLmReader(cacheDir: string, aroundRun?: AroundRun): Promise<ClosableReader> {
  const { onnxPath } = await ensureModel(cacheDir, "reader");
  const session = await openOnnxSession(onnxPath, { name: READER_MODEL, aroundRun });
  const vocabulary = await readVocabulary();
  const tokenizer = createTokenizer(vocabulary);
  const start = requireId(vocabulary, specialTokens.start);
  const end = requireId(vocabulary, specialTokens.end);

  async function read(question: string, { header, text }: Parameters<QuestionReader["read"]>[1]) {
    const asked = tokenizer.encode(question.slice(0, MAX_CHARACTERS), MAX_QUESTION_TOKENS);
    const lead = header === "" ? "" : `${header}: `;
    const passage = `${lead}${text}`.slice(0, MAX_CHARACTERS);
    const { ids, starts, ends } = tokenizer.encodeWithOffsets(
      passage,
      MAX_TOKENS - SPECIAL_TOKENS - asked.length,
    );
    const before = asked.length + 2;
    const outputs = await session.run(
      {
        [graphInput]: { type: "int32", values: [start, ...asked, end, ...ids, end] },
        [readerTypes]: {
          type: "int32",
          values: [...new Array<number>(before).fill(0), ...new Array<number>(ids.length + 1).fill(1)],
        },
      },
      [readerAnswers, readerSpans],
    );
    const [logit = Number.NaN] = floatsOf(outputs, readerAnswers);
    const spans = floatsOf(outputs, readerSpans).subarray(2 * before, 2 * (before + ids.length));
    const from = starts.findIndex((offset) => offset >= lead.length);
    const span = from < 0 ? null : bestSpan(spans, from);
    if (Number.isNaN(logit)) throw new Error(`${READER_MODEL} returned no number`);
    const place = (at: number, offsets: readonly number[]) => Math.max(0, (offsets[at] ?? 0) - lead.length);
    const reading: QuestionReading = {
      logit,
      span: span === null ? null : { start: place(span.first, starts), end: place(span.last, ends) },
    };
    return reading;
  }

  return { read, close: session.close };
}

/** The first and last token with the highest sum of logits; `from` = the first token of the text. */
function bestSpan(logits: Float32Array, from: number): { readonly first: number; readonly last: number } {
  let best = { first: from, last: from, score: Number.NEGATIVE_INFINITY };
  const tokens = logits.length / 2;
  for (let first = from; first < tokens; first++) {
    const after = Math.min(tokens, first + MAX_ANSWER_TOKENS);
    for (let last = first; last < after; last++) {
      const score = (logits[2 * first] ?? 0) + (logits[2 * last + 1] ?? 0);
      if (score > best.score) best = { first, last, score };
    }
  }
  return best;
}
