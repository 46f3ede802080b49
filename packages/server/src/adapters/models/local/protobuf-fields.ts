/** The fields of messages of Protocol Buffers, in memory or in a file of which only the headers are read. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Bytes that can be read at any place. */
export interface ByteSource {
  readonly length: number;
  /** undefined behind the end. */
  byteAt(at: number): number | undefined;
}

export interface Field {
  readonly number: number;
  readonly begin: number;
  /** Where its value begins, after a length. */
  readonly value: number;
  readonly end: number;
}

/** A file that is not as the format says. */
export class MalformedMessage extends Error {}

const PIECE_BYTES = 64 * 1024;
/** More than the largest model has operators and tensors. */
const MAX_FIELDS = 1_000_000;

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, byteAt: (at) => bytes[at] };
}

/** Reads pieces of the file where they are needed; what is skipped is not read. Blocks the thread, for milliseconds. */
export function withFile<T>(path: string, read: (source: ByteSource) => T): T {
  const file = openSync(path, "r");
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    let from = 0;
    let filled = 0;
    return read({
      length: fstatSync(file).size,
      byteAt(at) {
        if (at < from || at >= from + filled) {
          from = at;
          filled = readSync(file, piece, 0, PIECE_BYTES, at);
        }
        return at < from + filled ? piece[at - from] : undefined;
      },
    });
  } finally {
    closeSync(file);
  }
}

/** @throws MalformedMessage where a field would end behind its message */
export function* fieldsOf(
  source: ByteSource,
  { from = 0, to = source.length }: { readonly from?: number; readonly to?: number } = {},
): Generator<Field> {
  let at = from;
  for (let count = 0; at < to; count++) {
    const begin = at;
    const tag = readVarint(source, at);
    const wireType = tag.value % 8;
    const length = wireType === 2 ? readVarint(source, tag.end) : null;
    const value = length?.end ?? tag.end;
    const end = value + (length?.value ?? lengthOf(wireType, () => readVarint(source, value).end - value));
    if (!(end <= to) || count === MAX_FIELDS) throw new MalformedMessage(`No field ends at ${end}`);
    yield { number: Math.floor(tag.value / 8), begin, value, end };
    at = end;
  }
}

/** NaN for what ONNX does not use. */
function lengthOf(wireType: number, ofVarint: () => number): number {
  const lengths: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
  return wireType === 0 ? ofVarint() : (lengths[wireType] ?? Number.NaN);
}

/** Without shifts, because a length can exceed 31 bits. Beyond the last byte, `end` is beyond it, too. */
export function readVarint(source: ByteSource, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let length = 0; length < 10; length++) {
    const byte = source.byteAt(at + length);
    if (byte === undefined) break;
    value += (byte % 128) * 128 ** length;
    if (byte < 128) return { value, end: at + length + 1 };
  }
  return { value: Number.NaN, end: Number.NaN };
}

/** Of a field that is a text. At most `maxBytes` of it. */
export function textOf(source: ByteSource, { value, end }: Field, maxBytes = 1_000): string {
  const bytes = Buffer.alloc(Math.min(end - value, maxBytes));
  for (let at = 0; at < bytes.length; at++) bytes[at] = source.byteAt(value + at) ?? 0;
  return bytes.toString("utf8");
}
