/** Unsigned LEB128: seven bits a byte, the lowest first, the high bit set on all but the last byte. */

/** The most bytes that an integer in 0…2³²−1 takes. */
export const MAX_VARINT_BYTES = 5;

/** Bytes that grow as they are appended to. */
export interface ByteWriter {
  readonly length: number;
  /** Appends an integer in 0…2³²−1. */
  varint(value: number): void;
  /** Appends bytes `from`…`to` of the given ones. */
  raw(bytes: Uint8Array, from: number, to: number): void;
  /** For loops that write by themselves: bytes with room for `more` behind place `length`. Then call `advance`. */
  room(more: number): Uint8Array;
  /** Says up to which place the bytes got by `room` are written. */
  advance(length: number): void;
  /** A view of what has been written, valid until the next write. */
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
      // Terms are a few bytes long: a loop is faster than making a view of them to copy.
      for (let at = from; at < to; at++) into[length++] = more[at] ?? 0;
    },
    room,
    advance(to) {
      length = to;
    },
    written: () => bytes.subarray(0, length),
  };
}

/** Reads one after the other; past the end it reads zeros, so the reader compares `at` with the end at last. */
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
