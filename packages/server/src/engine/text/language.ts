/** Tells in which language a passage is, by character n-grams. */
import { eld } from "eld/extrasmall";

/** Fewer tell the names in a text rather than its language. */
const MIN_LETTERS = 40;

/** ISO 639-1; null where the text is too short or too mixed to tell. */
export function languageOf(text: string): string | null {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return null;
  const found = eld.detect(text);
  return found.language !== "" && found.isReliable() ? found.language : null;
}
