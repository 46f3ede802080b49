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

/**
 * The offset at which the sentence that begins at `from` ends, its citations included; null while too little of the text is known to
 * tell. A line break ends a sentence. The result for a text that grows is that for the whole text: only what is at most 96 code units
 * behind a stop decides.
 */
export function endOfSentence(text: string, from: number, isWhole: boolean): number | null {
  const cut = from + MAX_SENTENCE_UNITS;
  const stop = new RegExp(STOP);
  stop.lastIndex = from;
  for (let found = stop.exec(text); found !== null && found.index < cut; found = stop.exec(text)) {
    const at = found.index;
    if (found[0] === "\n") return at + 1;
    if (!isWhole && at + AHEAD > text.length) return null;
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
    if (isEnd) return at + tail.length;
    stop.lastIndex = at + tail.length;
  }
  if (text.length > cut) return isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut;
  return isWhole && from < text.length ? text.length : null;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
