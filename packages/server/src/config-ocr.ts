/** Settings of the recognition of text in pictures. */
import { resolve } from "node:path";
import { BUNDLED_LANGUAGE, findOcrLanguage } from "./adapters/files/ocr/languages.ts";
import type { OcrLanguage } from "./adapters/files/ocr/recogniser.ts";

export const OCR_NAMES = ["KCS_OCR_LANGUAGES", "KCS_OCR_DATA"] as const;

interface Reader {
  fault(name: string, message: string): void;
  optionalText(name: string): string | null;
}

/** Each takes memory and time with every page. */
const MAX_LANGUAGES = 4;
const OFF = "off";

/** None = text in pictures is not recognised. */
export function readOcr(read: Reader): readonly OcrLanguage[] {
  const folder = read.optionalText("KCS_OCR_DATA");
  const value = read.optionalText("KCS_OCR_LANGUAGES") ?? BUNDLED_LANGUAGE;
  if (value === OFF) return [];
  const names = [...new Set(value.split(",").map((name) => name.trim()))];
  if (names.length > MAX_LANGUAGES || !names.every((name) => /^[A-Za-z][A-Za-z_]{1,31}$/.test(name))) {
    read.fault(
      "KCS_OCR_LANGUAGES",
      `got "${value}", expected "${OFF}" or one to ${MAX_LANGUAGES} languages like eng,deu`,
    );
    return [];
  }
  return names.flatMap((name) => {
    const found = findOcrLanguage(name, folder === null ? null : resolve(folder));
    if (found !== null) return found;
    read.fault("KCS_OCR_LANGUAGES", `there is no ${name}.traineddata in the folder that KCS_OCR_DATA names`);
    return [];
  });
}
