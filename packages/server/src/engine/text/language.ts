/** Tells in which language a passage is, by character n-grams. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const load = createRequire(import.meta.url);
const detectorFile = fileURLToPath(import.meta.resolve("eld/extrasmall"));

/** The package parses a megabyte when it is loaded, for which threads that read no graph do not wait. */
function openDetector(): typeof import("eld/extrasmall") {
  return load(detectorFile);
}

/** Fewer tell the names in a text rather than its language. */
const MIN_LETTERS = 40;

/** ISO 639-1; null where the text is too short or too mixed to tell. */
export function languageOf(text: string): string | null {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return null;
  const found = openDetector().eld.detect(text);
  return found.language !== "" && found.isReliable() ? found.language : null;
}
