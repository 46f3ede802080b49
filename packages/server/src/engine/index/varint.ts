/** Unsigned LEB128: seven bits a byte, the lowest first, the high bit set on all but the last byte. */

/** Bytes that grow as they are appended to. */
export interface ByteWriter {
  readonly length: number;
  /** Appends an integer in 0…2³²−1. */
  varint(value: number): void;
  raw(bytes: Uint8Array): void;
  /** A view of what has been written, valid until the next write. */
  written(): Uint8Array;
}

export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(1024);
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= bytes.length) return;
    const grown = new Uint8Array(Math.max(bytes.length * 2, length + more));
    grown.set(bytes);
    bytes = grown;
  };
  return {
    get length() {
      return length;
    },
    varint(value) {
      reserve(5);
      let rest = value;
      while (rest > 0x7f) {
        bytes[length++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[length++] = rest;
    },
    raw(more) {
      reserve(more.length);
      bytes.set(more, length);
      length += more.length;
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
      let value = 0;
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = bytes[this.at++] ?? 0;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      return value >>> 0;
    },
  };
}
