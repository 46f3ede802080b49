/** Conversions through the converter, that is, in processes. */
import { readFile } from "node:fs/promises";
import type { Conversion, FileConverter, UnpackedArchive } from "../../src/ports/file-converter.ts";
import { withFile } from "./convert.ts";

export function converting(
  converter: FileConverter,
  bytes: Uint8Array | string,
  name = "file",
  signal = new AbortController().signal,
): Promise<Conversion> {
  return withFile(bytes, (path, folder) =>
    converter.convert({ file: { name, path }, folder, maxTextBytes: 100_000_000, signal }),
  );
}

/** Of the first member. */
export async function memberText({ members }: UnpackedArchive): Promise<string> {
  return await readFile(members[0]?.file ?? "", "utf8");
}
