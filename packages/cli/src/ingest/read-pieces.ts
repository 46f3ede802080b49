import { open } from "node:fs/promises";

const PIECE_BYTES = 256 * 1024;

/** As many bytes as the file has when it is opened, so that one to which is always written has an end. */
export async function* readPieces(path: string): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
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
