import { open } from "node:fs/promises";

import { UnreadableDocument } from "./unreadable.ts";

const PIECE_BYTES = 256 * 1024;
/** Of a file that is sent as it is: no service accepts more. */
export const MAX_FILE_BYTES = 1024 ** 3;

/**
 * As many bytes as the file has when it is opened, so that one to which is always written has an end.
 * @throws UnreadableDocument for a file of more than `maxBytes`
 */
export async function* readPieces(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new UnreadableDocument("is larger than 1 GiB, the maximum that a service accepts");
    for (let at = 0; at < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return; // It was shortened meanwhile.
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Fewer bytes where the file ends before. */
export async function readAt(path: string, start: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
