/** Checks a summary that a language model writes, sentence by sentence, and passes on those that passages support. */
import type { SummaryCheck } from "../../../domain/explanation.ts";
import { endOfSentence, mayEndSentence } from "./cut-sentences.ts";
import { readSentence } from "./read-sentence.ts";
import { createSupportCheck, type SupportingPassage } from "./support.ts";

export interface WrittenSummary {
  /** The supported sentences; "" if there are none. */
  readonly text: string;
  readonly check: SummaryCheck;
}

export interface SummaryWriter {
  /** What the model has written next. */
  write(delta: string): void;
  /** `reply`: the whole text; null = the model failed, and what is not a complete sentence yet is dropped. */
  end(reply: string | null): WrittenSummary;
}

/** A model is asked for 800 tokens, but a server may not hold it to them. */
export const MAX_SUMMARY_UNITS = 16_000;
/** Several times as many as 800 tokens have. All of a reply that comes at once are checked in one turn of the event loop. */
const MAX_SENTENCES = 1_000;
/** Of what is checked, with compatibility forms folded: one character may stand for several words. */
const MAX_FOLDED_UNITS = 4 * MAX_SUMMARY_UNITS;
const MAX_LEFT_OUT = 20;
const LEFT_OUT_UNITS = 300;

/**
 * `onText` gets the summary in parts, each as soon as a sentence is known to be complete and supported; together they are its text,
 * which depends on the reply only, not on the parts in which that was written.
 */
export async function createSummaryWriter(input: {
  readonly query: string;
  readonly passages: readonly SupportingPassage[];
  readonly cites: boolean;
  readonly onText: (text: string) => void;
}): Promise<SummaryWriter> {
  const { passages, cites, onText } = input;
  const findUnsupported = await createSupportCheck(input.query, passages);
  const leftOut: SummaryCheck["leftOut"][number][] = [];
  let [read, from, gap, text] = ["", 0, "", ""];
  let [sentences, unsupported, folded] = [0, 0, 0];
  let [lookAt, searched] = [0, 0];

  function pass(part: string): void {
    text += part;
    onText(part);
  }

  function take(raw: string): void {
    const before = raw.slice(0, raw.length - raw.trimStart().length);
    const after = raw.slice(raw.trimEnd().length);
    gap += before;
    const sentence = readSentence(raw, { passages: passages.length, cites });
    if (sentence === null) {
      if (before !== raw) gap += after;
      return;
    }
    sentences += 1;
    const missing = findUnsupported(sentence.plain, sentence.cited);
    if (missing !== null) {
      unsupported += 1;
      if (leftOut.length < MAX_LEFT_OUT)
        leftOut.push({ text: sentence.plain.slice(0, LEFT_OUT_UNITS).toWellFormed(), missing });
      gap += after;
      return;
    }
    pass((text === "" ? "" : spaceOf(gap)) + sentence.text);
    gap = after;
  }

  function takeAll(isWhole: boolean): void {
    const known = read.slice(0, MAX_SUMMARY_UNITS);
    while (sentences < MAX_SENTENCES) {
      const found = endOfSentence(known, { from, searched: Math.max(from, searched) }, isWhole);
      if (found === null) return;
      if ("lookAt" in found) {
        ({ lookAt, searched } = found);
        return;
      }
      const raw = known.slice(from, found.end);
      folded += raw.normalize("NFKC").length;
      if (folded > MAX_FOLDED_UNITS) return;
      take(raw);
      from = found.end;
    }
  }

  return {
    write(delta) {
      if (read.length > MAX_SUMMARY_UNITS) return;
      const isOpen = searched === read.length;
      read += delta;
      const isDue = read.length >= lookAt || (isOpen && mayEndSentence(delta));
      if (isDue) takeAll(false);
      else if (isOpen) searched = read.length;
    },
    end(reply) {
      if (reply !== null) {
        // What has been passed on stays.
        if (reply.startsWith(read.slice(0, from))) read = reply;
        takeAll(true);
        if (from < read.length && text !== "") pass("…");
      }
      return { text, check: { sentences, unsupported, leftOut } };
    },
  };
}

/** Between two sentences: a paragraph, a line, or a word, as the model wrote it; nothing in scripts without spaces. */
function spaceOf(gap: string): string {
  const lines = gap.split("\n").length - 1;
  if (lines > 0) return lines > 1 ? "\n\n" : "\n";
  return gap === "" ? "" : " ";
}
