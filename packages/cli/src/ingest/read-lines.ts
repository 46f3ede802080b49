export interface Line {
  /** Without the line break; null for a line over the limit. */
  readonly bytes: Uint8Array | null;
  /** Offset of the first byte in the stream. */
  readonly start: number;
  /** From 1. */
  readonly number: number;
}

const LF = 10;
const CR = 13;

/** Yields lines as bytes with their offsets, so that each can be read again. Does not keep the bytes of a line over the limit. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void> {
  let line = createLine(maxBytes);
  let start = 0;
  let number = 0;
  for await (const part of stream) {
    let from = 0;
    for (let end = part.indexOf(LF, from); end >= 0; end = part.indexOf(LF, from)) {
      line.add(part.subarray(from, end));
      yield { bytes: line.bytes(), start, number: ++number };
      start += line.length() + 1;
      line = createLine(maxBytes);
      from = end + 1;
    }
    line.add(part.subarray(from));
  }
  if (line.length() > 0) yield { bytes: line.bytes(), start, number: ++number };
}

function createLine(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    add(part: Uint8Array): void {
      length += part.length;
      if (length > maxBytes) parts = [];
      else parts.push(part);
    },
    length: () => length,
    bytes(): Uint8Array | null {
      if (length > maxBytes) return null;
      const [only = new Uint8Array()] = parts;
      return withoutReturn(parts.length > 1 ? Buffer.concat(parts, length) : only);
    },
  };
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
}
