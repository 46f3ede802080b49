/** Cuts what a language model writes into sentences, while it is being written. */
import { isSentenceEnd } from "../../text/sentences.ts";

/** Numbers of passages in brackets. */
export const CITATION = /\[\d{1,4}(?:\s{0,2}[,;]\s{0,2}\d{1,4}){0,15}\]/;

const STOP = /[.!?…‽。！？｡।॥؟۔։።\n]/g;
/** A stop, with the further stops, closing quotes and citations after it. */
const TAIL =
  /^([.!?…‽。！？｡।॥؟۔։።]{1,24}["'”’»›)\]}*_`」』）】〉》]{0,4})((?:[ \t]{0,4}\[\d{1,4}(?:\s{0,2}[,;]\s{0,2}\d{1,4}){0,15}\]){0,4})/u;
/** What is read after a stop to decide whether it ends its sentence. */
const AHEAD = 96;
const BEFORE = 48;
/** A longer sentence is cut. */
const MAX_SENTENCE_UNITS = 2_000;

/** Where a sentence begins, and up to where it is known not to end. */
export interface OpenSentence {
  readonly from: number;
  readonly searched: number;
}

/** Whether a sentence may end in it. */
export function mayEndSentence(text: string): boolean {
  return new RegExp(STOP).test(text);
}

/**
 * The offset where a sentence ends, or when to look again: at which length of the text, from where on. Where the whole text was searched, also when
 * more text has a stop.
 */
export type SentenceEnd = { readonly end: number } | { readonly lookAt: number; readonly searched: number };

/**
 * Where the sentence that begins at `from` ends, its citations included, or when to look again while too little of the text is known to
 * tell. A line break ends a sentence. The result for a text that grows is that for the whole text: only what is at most 96 code units
 * behind a stop decides.
 */
export function endOfSentence(
  text: string,
  { from, searched }: OpenSentence,
  isWhole: boolean,
): SentenceEnd | null {
  const cut = from + MAX_SENTENCE_UNITS;
  const stop = new RegExp(STOP);
  stop.lastIndex = searched;
  for (let found = stop.exec(text); found !== null && found.index < cut; found = stop.exec(text)) {
    const at = found.index;
    if (found[0] === "\n") return { end: at + 1 };
    if (!isWhole && at + AHEAD > text.length) return { lookAt: at + AHEAD, searched: at };
    const ahead = text.slice(at, at + AHEAD);
    const [tail = found[0], stops = found[0]] = TAIL.exec(ahead) ?? [];
    const before = text.slice(Math.max(from, at - BEFORE), at);
    const isEnd = isSentenceEnd({
      body: before + stops + ahead.slice(tail.length),
      from: 0,
      stop: before.length,
      end: before.length + stops.length,
      isCaseless: false,
    });
    if (isEnd) return { end: at + tail.length };
    stop.lastIndex = at + tail.length;
  }
  if (text.length > cut) return { end: isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut };
  if (!isWhole) return { lookAt: cut + 1, searched: text.length };
  return from < text.length ? { end: text.length } : null;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
