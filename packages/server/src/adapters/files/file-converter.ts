/** Converts files in processes of their own, so that no file can harm the service. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_ARCHIVE_FILES } from "../../domain/file.ts";
import { createTurns } from "../../domain/turns.ts";
import type { Conversion, FileConverter } from "../../ports/file-converter.ts";
import { convertInProcess, type ProcessLimits } from "./converting-process.ts";
import type { OcrLanguage } from "./ocr/recogniser.ts";
import type { ArchiveLimits } from "./unpack-archive.ts";

export interface ConversionLimits extends ProcessLimits, ArchiveLimits {
  /** Conversions that run at the same time; others wait. */
  readonly processes: number;
  /** In which text in pictures is recognised; none = it is not. */
  readonly ocrLanguages: readonly OcrLanguage[];
}

const MIB = 1024 * 1024;
const PROCESSOR_MS = 5 * 60_000;

const DEFAULT_LIMITS: ConversionLimits = {
  // A PDF takes up to 40 ms a page, so one of 5,000 pages is done in time.
  processorMs: PROCESSOR_MS,
  // Beside other programs a process of low priority may get a small part of a processor. Where its use is not told, the clock is all there is.
  timeMs: process.platform === "linux" ? 6 * PROCESSOR_MS : PROCESSOR_MS,
  // A scanned page takes two to four seconds, so one of 300 pages is done in time.
  recognition: 4,
  heapBytes: 768 * MIB,
  residentBytes: 1_280 * MIB,
  archiveMembers: MAX_ARCHIVE_FILES,
  archiveBytes: 1_024 * MIB,
  processes: 3,
  ocrLanguages: [],
};

/** Limits that are not given have their defaults. */
export function openFileConverter(options: Partial<ConversionLimits> = {}): FileConverter {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const turns = createTurns({ atOnce: limits.processes });
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function convert(input: Parameters<FileConverter["convert"]>[0]): Promise<Conversion> {
    const signal = AbortSignal.any([input.signal, closing.signal]);
    return await turns.run(() => convertOne({ ...input, signal }, limits), { accountId: "", signal });
  }

  return {
    async convert(input) {
      const conversion = convert(input);
      running.add(conversion);
      try {
        return await conversion;
      } finally {
        running.delete(conversion);
      }
    },
    async close() {
      closing.abort(new Error("The file converter is closed."));
      await Promise.allSettled(running);
    },
  };
}

async function convertOne(
  { file, folder, maxTextBytes, signal }: Parameters<FileConverter["convert"]>[0],
  limits: ConversionLimits,
): Promise<Conversion> {
  const membersFolder = join(folder, "members");
  const textPath = join(folder, "text");
  const { archiveMembers, archiveBytes, ocrLanguages } = limits;
  const input = {
    ...file,
    membersFolder,
    ocrLanguages,
    limits: { maxTextBytes, archiveMembers, archiveBytes },
  };
  const outcome = await convertInProcess({ input, textPath, folder }, limits, signal);
  if (outcome.kind === "text") return { ...outcome, text: await readFile(textPath, "utf8") };
  const { kind, mediaType, members } = outcome;
  // The places are not taken from the process, which has read what strangers wrote.
  return {
    kind,
    mediaType,
    members: members.map(({ path, bytes }, index) => ({
      path,
      bytes,
      file: join(membersFolder, String(index)),
    })),
  };
}
