/** Recognises text in pictures with Tesseract, which runs as WebAssembly in the process that reads the file. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { PdfLine } from "../pdf/pdf-line.ts";
import { toPageLines } from "./hocr.ts";

/** The data of a language, as Tesseract publishes them: `NAME.traineddata`, also with `.gz`. */
export interface OcrLanguage {
  readonly name: string;
  readonly path: string;
}

/** What recognition needs of who asks for it. */
export interface OcrWork {
  /** At least one. */
  readonly languages: readonly OcrLanguage[];
  /** Called before the first picture is read, which takes seconds for each page. */
  readonly onBegin: () => void;
  /** Milliseconds of the processor that were used. */
  readonly usedMs?: () => number;
}

export interface Recogniser {
  /** Whether recognition has not taken too long for one file. */
  hasTime(): boolean;
  /**
   * Turns the picture where it lies on a side.
   * @param picture a file in PNG, JPEG, GIF, WebP, TIFF (its first page) or PNM
   * @param width of the page, in points. The places of the lines are in points from its left lower corner
   * @returns no lines for a picture without text; null where there may be some that cannot be read
   * @throws UnreadableFile for a picture that is damaged
   */
  recognise(picture: Buffer, width: number): readonly PdfLine[] | null;
}

/** What is used of Tesseract; the package has no types. */
interface Core {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => Tesseract;
}

interface Tesseract {
  /** 0 = done. @param engine 1 = the neural one */
  Init(folder: null, languages: string, engine: number): number;
  /** Reads `/input`. 0 = done. @param orientation as EXIF counts them */
  SetImageFile(orientation: number): number;
  Recognize(monitor: null): number;
  /** Mean of the words, 0 to 100. */
  MeanTextConf(): number;
  GetHOCRText(page: number): string;
  Clear(): void;
}

const CORE = "tesseract.js-core/tesseract-core-simd-lstm.js";
const NEURAL_ENGINE = 1;
/** EXIF's orientations that 0 to 3 turns to the right set upright. */
const ORIENTATIONS = [1, 6, 3, 8] as const;
/** Printed text has 85 to 96, a page on its side 20 to 45, noise and photographs 10 to 30. */
const LEAST_CONFIDENCE = 60;
/** Less than reading a file may take, so that the reason can say how far it came. */
const BUDGET_MS = 15 * 60_000;

export async function openRecogniser({
  languages,
  onBegin,
  usedMs = processorMs,
}: OcrWork): Promise<Recogniser> {
  onBegin();
  const { core, tesseract } = await openTesseract(languages);
  const end = usedMs() + BUDGET_MS;
  let usual = 0;

  function read(turns: number, width: number): readonly PdfLine[] | null {
    if (tesseract.SetImageFile(ORIENTATIONS[turns] ?? 1) !== 0) {
      throw new UnreadableFile("The picture is damaged, or of a kind that cannot be read.");
    }
    tesseract.Recognize(null);
    const lines = toPageLines(tesseract.GetHOCRText(0), width);
    const isRead = lines.length === 0 || tesseract.MeanTextConf() >= LEAST_CONFIDENCE;
    tesseract.Clear();
    return isRead ? lines : null;
  }

  return {
    hasTime: () => usedMs() < end,
    recognise(picture, width) {
      core.FS.writeFile("/input", picture);
      for (const turns of turnsToTry(usual)) {
        const lines = read(turns, width);
        if (lines === null) continue;
        if (lines.length > 0) usual = turns;
        return lines;
      }
      return null;
    },
  };
}

/** As the limit of the process counts. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The pages of a scan mostly lie the same way. */
function turnsToTry(usual: number): readonly number[] {
  return [usual, ...[0, 1, 3, 2].filter((turns) => turns !== usual)];
}

async function openTesseract(languages: readonly OcrLanguage[]) {
  const load = createRequire(import.meta.url)(CORE) as (options: object) => Promise<Core>; // Without types.
  const quiet = () => undefined;
  const core = await load({ print: quiet, printErr: quiet });
  for (const { name, path } of languages) core.FS.writeFile(`${name}.traineddata`, await readData(path));
  const tesseract = new core.TessBaseAPI();
  if (tesseract.Init(null, languages.map(({ name }) => name).join("+"), NEURAL_ENGINE) !== 0)
    throw new Error("Tesseract cannot read the data of its languages.");
  for (const { name } of languages) core.FS.unlink(`${name}.traineddata`);
  return { core, tesseract };
}

async function readData(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  return path.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
}
