/** Converts bytes, in this process or through the converter. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Converted, convertFile } from "../../src/adapters/files/convert-file.ts";
import { findOcrLanguage } from "../../src/adapters/files/ocr/languages.ts";
import { UnreadableFile } from "../../src/domain/unreadable-file.ts";
import type { ConvertedText } from "../../src/ports/file-converter.ts";

export const LIMITS = { maxTextBytes: 10_000_000, archiveMembers: 100, archiveBytes: 50_000_000 };

/** Runs with the bytes in a file of an empty folder, which is removed afterwards. */
export async function withFile<Result>(
  bytes: Uint8Array | string,
  run: (path: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "kcs-files-"));
  try {
    const path = join(folder, "file");
    await writeFile(path, bytes);
    return await run(path, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function convertBytes(bytes: Uint8Array | string, name = "file", limits = LIMITS): Promise<Converted> {
  return withFile(bytes, (path, folder) =>
    convertFile({ name, path, membersFolder: join(folder, "members"), ocrLanguages: [], limits }),
  );
}

/** With the language that comes with the service. */
export async function recogniseBytes(bytes: Uint8Array): Promise<ConvertedText> {
  const language = findOcrLanguage("eng", null);
  assert.ok(language !== null);
  const converted = await withFile(bytes, (path, folder) =>
    convertFile({
      name: "file",
      path,
      membersFolder: join(folder, "members"),
      ocrLanguages: [language],
      limits: LIMITS,
    }),
  );
  assert.ok(converted.kind === "text");
  return converted;
}

export async function convertText(bytes: Uint8Array | string, name = "file"): Promise<ConvertedText> {
  const converted = await convertBytes(bytes, name);
  assert.equal(converted.kind, "text");
  return converted as ConvertedText; // Just checked.
}

export function isUnreadable(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof UnreadableFile, String(error));
    assert.match(error.reason, pattern);
    return true;
  };
}
