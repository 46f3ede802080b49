import type { Readable } from "node:stream";
import { errorCodes } from "fastify";

export interface ReceiveOptions {
  readonly limitBytes: number;
  /** Value of `Content-Length`; NaN without one. */
  readonly announcedBytes: number;
  /** Called with each chunk of the stream when it arrives. */
  readonly onPiece?: (piece: Uint8Array) => void;
}

/** Short chunks are joined to pieces of this size, because each piece of a message to another thread costs microseconds. */
const PIECE_BYTES = 64 * 1024;

/**
 * Receives a body with the same errors as Fastify, but as a list of pieces, each in its own buffer. Joining
 * 59 MiB into one buffer would block the thread for 50 to 300 ms.
 *
 * @throws Fastify's errors for a body over the limit or with another length than announced; the stream's own
 * error, with status 400.
 */
export function receiveBody(
  stream: Readable,
  { limitBytes, announcedBytes, onPiece }: ReceiveOptions,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  if (announcedBytes > limitBytes) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  const pieces = gatherPieces();
  let totalBytes = 0;
  return new Promise((resolve, reject) => {
    const stop = () => stream.off("data", onData).off("end", onEnd).off("error", onError);
    const onData = (chunk: Buffer) => {
      totalBytes += chunk.length;
      if (totalBytes <= limitBytes) {
        onPiece?.(chunk);
        return pieces.add(chunk);
      }
      stop();
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    };
    const onEnd = () => {
      stop();
      if (Number.isNaN(announcedBytes) || totalBytes === announcedBytes) resolve(pieces.all());
      else reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    };
    const onError = (error: Error) => {
      stop();
      reject(Object.assign(error, { statusCode: 400 }));
    };
    stream.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

/**
 * Long chunks become pieces without a copy. Short ones are copied together as they arrive, because a client may send one byte at
 * a time, and to keep each would cost the garbage collector more than the copy.
 */
function gatherPieces() {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let block = new Uint8Array(0);
  let used = 0;

  function flushBlock(): void {
    if (used > 0) pieces.push(block.slice(0, used));
    used = 0;
  }

  /** Doubles the block, up to the size of a piece. */
  function makeRoom(bytes: number): void {
    if (used + bytes > PIECE_BYTES) flushBlock();
    if (used + bytes <= block.length) return;
    const larger = new Uint8Array(Math.max(bytes, Math.min(PIECE_BYTES, 2 * (used + bytes))));
    larger.set(block.subarray(0, used));
    block = larger;
  }

  return {
    add(chunk: Uint8Array): void {
      if (chunk.length >= PIECE_BYTES / 4 && ownsBuffer(chunk)) {
        flushBlock();
        pieces.push(chunk);
        return;
      }
      makeRoom(chunk.length);
      block.set(chunk, used);
      used += chunk.length;
    },
    all(): readonly Uint8Array<ArrayBuffer>[] {
      flushBlock();
      return pieces;
    },
  };
}

/** Whether the array covers its whole buffer, so that the buffer can be transferred to another thread. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/**
 * Joins the parts in a new buffer of their own. `Buffer.concat` would take a
 * short buffer from Node's shared pool.
 */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(lengthOf(parts));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Total length in bytes. */
export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
