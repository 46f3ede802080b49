/** Finds the data of the languages in which text in pictures is recognised. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OcrLanguage } from "./recogniser.ts";

/** Comes with the service. */
export const BUNDLED_LANGUAGE = "eng";
const BUNDLED_FILE = "4.0.0_best_int/eng.traineddata.gz";
const ENDINGS = [".traineddata", ".traineddata.gz"];

/**
 * @param name as Tesseract names it: `deu`, `chi_sim`
 * @param folder of `NAME.traineddata` files; null = only what comes with the service
 */
export function findOcrLanguage(name: string, folder: string | null): OcrLanguage | null {
  const paths = folder === null ? [] : ENDINGS.map((ending) => join(folder, `${name}${ending}`));
  const found = paths.find((path) => existsSync(path));
  if (found !== undefined) return { name, path: found };
  return name === BUNDLED_LANGUAGE ? { name, path: bundledPath() } : null;
}

function bundledPath(): string {
  const entry = createRequire(import.meta.url).resolve("@tesseract.js-data/eng");
  return join(dirname(entry), BUNDLED_FILE);
}
