/** Unsigned LEB128: seven bits per byte, lowest first; the high bit is set on all bytes but the last. */

/** The maximum length of an encoded integer in 0…2³²−1. */
export const MAX_VARINT_BYTES = 5;

/** An append-only byte buffer that grows. */
export interface ByteWriter {
  readonly length: number;
  /** Appends an integer in 0…2³²−1. */
  varint(value: number): void;
  /** Appends `bytes` from `from` up to `to`. */
  raw(bytes: Uint8Array, from: number, to: number): void;
  /**
   * For loops that write directly: returns the buffer with at least `more` free bytes after `length`. Call
   * `advance` afterwards.
   */
  room(more: number): Uint8Array;
  /** Sets the new length after writing into the buffer returned by `room`. */
  advance(length: number): void;
  /** A view of the written bytes, valid until the next write. */
  written(): Uint8Array;
}

export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(1024);
  let length = 0;
  const room = (more: number): Uint8Array => {
    if (length + more > bytes.length) {
      const grown = new Uint8Array(Math.max(bytes.length * 2, length + more));
      grown.set(bytes.subarray(0, length));
      bytes = grown;
    }
    return bytes;
  };
  return {
    get length() {
      return length;
    },
    varint(value) {
      const into = room(MAX_VARINT_BYTES);
      let rest = value;
      while (rest > 0x7f) {
        into[length++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      into[length++] = rest;
    },
    raw(more, from, to) {
      const into = room(to - from);
      // Terms are a few bytes long: a loop is faster than creating a view to copy from.
      for (let at = from; at < to; at++) into[length++] = more[at] ?? 0;
    },
    room,
    advance(to) {
      length = to;
    },
    written: () => bytes.subarray(0, length),
  };
}

/**
 * Reads integers sequentially. Past the end it reads zeros, so the caller must compare `at` with the end
 * after the last read.
 */
export interface VarintReader {
  at: number;
  next(): number;
}

export function createVarintReader(bytes: Uint8Array, at: number): VarintReader {
  return {
    at,
    next() {
      let value = bytes[this.at++] ?? 0;
      if (value < 0x80) return value;
      value &= 0x7f;
      for (let shift = 7; shift < 35; shift += 7) {
        const byte = bytes[this.at++] ?? 0;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      return value >>> 0;
    },
  };
}
