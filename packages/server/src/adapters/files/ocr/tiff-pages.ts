/** The pages of a TIFF, each as the first of the file: Tesseract reads only that. */
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import { requireFewPages } from "../markdown.ts";

/** Place of the offset of the first page's directory. */
const FIRST_DIRECTORY = 4;
const ENTRY_BYTES = 12;

/**
 * One after the other, in the bytes themselves: each is to be read before the next is taken. Of other pictures, the bytes as they are.
 * @throws UnreadableFile for a TIFF of which the list of pages is broken
 */
export function* tiffPages(bytes: Buffer): Generator<Buffer> {
  const order = bytes.toString("latin1", 0, 4);
  if (order !== "II*\0" && order !== "MM\0*") {
    yield bytes;
    return;
  }
  const isLittle = order.startsWith("I");
  const starts = directoriesOf(bytes, isLittle);
  for (const start of starts) {
    if (isLittle) bytes.writeUInt32LE(start, FIRST_DIRECTORY);
    else bytes.writeUInt32BE(start, FIRST_DIRECTORY);
    yield bytes;
  }
}

function directoriesOf(bytes: Buffer, isLittle: boolean): ReadonlySet<number> {
  const starts = new Set<number>();
  let start = readNumber(bytes, FIRST_DIRECTORY, isLittle ? "little4" : "big4");
  while (start !== 0) {
    if (starts.has(start)) throw damaged();
    starts.add(start);
    requireFewPages(starts.size);
    const entries = readNumber(bytes, start, isLittle ? "little2" : "big2");
    start = readNumber(bytes, start + 2 + entries * ENTRY_BYTES, isLittle ? "little4" : "big4");
  }
  if (starts.size === 0) throw damaged();
  return starts;
}

type Kind = "little2" | "big2" | "little4" | "big4";

/** @throws UnreadableFile behind the end of the file */
function readNumber(bytes: Buffer, at: number, kind: Kind): number {
  if (at + 4 > bytes.length || at < 0) throw damaged();
  if (kind === "little2") return bytes.readUInt16LE(at);
  if (kind === "big2") return bytes.readUInt16BE(at);
  return kind === "little4" ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function damaged(): UnreadableFile {
  return new UnreadableFile("The picture is damaged: its list of pages is broken.");
}
