/** A body in chunks of a few bytes, each of which costs the main thread as much as one of 64 KiB. */

/** A body may have so many chunks, and one more for each of these bytes. */
const FREE_CHUNKS = 1000;
const LEAST_BYTES = 16;

export function hasTooManyChunks(chunks: number, bytes: number): boolean {
  return chunks > FREE_CHUNKS + bytes / LEAST_BYTES;
}
