/** Encodes texts, metadata and vectors as both databases store them. */
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Metadata } from "../../../domain/metadata.ts";
import { shortened } from "../../../domain/shortened.ts";
import type { EncodedText } from "../../../ports/store.ts";

/** Below this many bytes, compression saves less than it costs. */
const minCompressedBytes = 1_024;
const maxReason = 2_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text as bytes, because PostgreSQL's text cannot hold NUL; compressed where that saves at least 10%. */
export function encodeText(text: string): EncodedText {
  const bytes = encoder.encode(text);
  const { byteLength } = bytes;
  const hash = createHash("sha256").update(bytes).digest("base64url");
  if (byteLength >= minCompressedBytes) {
    const compressed = zstdCompressSync(bytes);
    if (compressed.byteLength < byteLength * 0.9) {
      return { encoding: "zstd", bytes: compressed, byteLength, hash };
    }
  }
  return { encoding: "utf8", bytes, byteLength, hash };
}

export function decodeText(encoding: "utf8" | "zstd", bytes: Uint8Array): string {
  return decoder.decode(encoding === "zstd" ? zstdDecompressSync(bytes) : bytes);
}

/** Why something failed. The last bound, whoever wrote it: lists have up to a thousand of them. */
export function encodeReason(reason: string): string {
  return shortened(reason, maxReason);
}

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * A JSON object with its keys sorted by code unit (also keys that look like numbers, which JavaScript objects put first), so that
 * equal metadata has equal text. null for empty metadata.
 */
export function encodeMetadata(metadata: Metadata): string | null {
  const keys = Object.keys(metadata).sort();
  if (keys.length === 0) return null;
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(metadata[key])}`).join(",")}}`;
}

/** Metadata as `encodeMetadata` wrote it. */
export function decodeMetadata(text: string | null): Metadata {
  return text === null ? {} : (JSON.parse(text) as Metadata); // Written only by `encodeMetadata`.
}

/** The stored bytes of a vector: little-endian, like every platform that Node runs on. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/**
 * Stored vectors as views of one new buffer, which is aligned and is copied between threads in one piece. null where the input is
 * null, or where its bytes are not finite numbers: a damaged vector counts as missing.
 */
export function decodeVectors(stored: readonly (Uint8Array | null)[]): (Float32Array | null)[] {
  const total = stored.reduce((sum, bytes) => sum + (bytes?.byteLength ?? 0), 0);
  const packed = new Uint8Array(total);
  let offset = 0;
  return stored.map((bytes) => {
    if (bytes === null || bytes.byteLength % Float32Array.BYTES_PER_ELEMENT !== 0) return null;
    packed.set(bytes, offset);
    const vector = new Float32Array(packed.buffer, offset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
    offset += bytes.byteLength;
    return vector.every(Number.isFinite) ? vector : null;
  });
}
