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
/** Of an error that another try, after a repair of the installation, does not meet. */
export const OCR_FAULT = "KCS_OCR_DATA";
const NEURAL_ENGINE = 1;
/** EXIF's orientations that 0 to 3 turns to the right set upright. */
const ORIENTATIONS = [1, 6, 3, 8] as const;
/** Printed text has 85 to 96, a page on its side 20 to 45, noise and photographs 10 to 30. */
const LEAST_CONFIDENCE = 60;
const TURNED_TRIES = 3;
/** Less than reading a file may take, so that the reason can say how far it came. */
const BUDGET_MS = 15 * 60_000;

/** @param budgetMs of the processor, for all pictures together */
export async function openRecogniser(
  { languages, onBegin, usedMs = processorMs }: OcrWork,
  budgetMs = BUDGET_MS,
): Promise<Recogniser> {
  onBegin();
  const { core, tesseract } = await openTesseract(languages);
  const end = usedMs() + budgetMs;
  let usual = 0;
  let unread = 0;

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
      // After some that were read on no side, further ones are photographs rather than scans that lie on a side.
      for (const turns of unread < TURNED_TRIES ? turnsToTry(usual) : [usual]) {
        const lines = read(turns, width);
        if (lines === null) continue;
        if (lines.length > 0) [usual, unread] = [turns, 0];
        return lines;
      }
      unread++;
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

/** A fault of the installation, not of the file. @throws an Error with a code */
async function openTesseract(languages: readonly OcrLanguage[]) {
  const load = createRequire(import.meta.url)(CORE) as (options: object) => Promise<Core>; // Without types.
  const quiet = () => undefined;
  const core = await load({ print: quiet, printErr: quiet });
  for (const { name, path } of languages) core.FS.writeFile(`${name}.traineddata`, await readData(path));
  const tesseract = new core.TessBaseAPI();
  if (tesseract.Init(null, languages.map(({ name }) => name).join("+"), NEURAL_ENGINE) !== 0)
    throw ocrFault("Tesseract cannot read the data of its languages");
  for (const { name } of languages) core.FS.unlink(`${name}.traineddata`);
  return { core, tesseract };
}

async function readData(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw ocrFault(`${path} cannot be read: ${error.code ?? error.message}`);
  });
  if (!path.endsWith(".gz")) return bytes;
  return await promisify(gunzip)(bytes).catch(() => Promise.reject(ocrFault(`${path} cannot be unpacked`)));
}

function ocrFault(message: string): Error {
  return Object.assign(new Error(`${message} (KCS_OCR_LANGUAGES, KCS_OCR_DATA).`), { code: OCR_FAULT });
}
