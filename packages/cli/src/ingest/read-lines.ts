export interface Line {
  /** Without its end. */
  readonly bytes: Uint8Array;
  /** Offset of its first byte. */
  readonly start: number;
  /** From 1. */
  readonly number: number;
}

const LF = 10;
const CR = 13;

/** Lines as bytes with their places, so that each can be read again. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  let rest: Uint8Array = new Uint8Array();
  let start = 0;
  let number = 0;
  for await (const part of stream) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let from = 0;
    for (let end = rest.indexOf(LF, from); end >= 0; end = rest.indexOf(LF, from)) {
      yield { bytes: withoutReturn(rest.subarray(from, end)), start: start + from, number: ++number };
      from = end + 1;
    }
    start += from;
    rest = rest.subarray(from);
  }
  if (rest.length > 0) yield { bytes: withoutReturn(rest), start, number: ++number };
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
}
