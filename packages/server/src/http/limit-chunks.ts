/** Keeps a body of many short HTTP chunks from holding the event loop. */
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { refuseChunks } from "./refuse-connection.ts";

const CHUNKS_PER_TURN = 4096;
/** A body may have so many chunks, and one more for each of these bytes. */
const FREE_CHUNKS = 1000;
const LEAST_BYTES = 16;

/**
 * Returns what must be called with the length of each chunk of a request's body. A body of chunks of a few bytes, each of which
 * costs as much as one of 64 KiB, is refused: its connection gets a raw response, unless it has one already, and is closed.
 *
 * Node reads a socket up to 32 times before the event loop turns, 64 KiB each: with
 * one byte in each chunk of six, that takes 0.4 s. So after many chunks the socket rests until the next turn. Large chunks are a
 * read each, and never so many.
 */
export function limitChunks(
  request: Readable & { readonly socket?: Socket },
  hasResponse = false,
): (bytes: number) => void {
  const { socket } = request;
  let [chunks, inTurn, total] = [0, 0, 0];
  return (bytes) => {
    chunks++;
    total += bytes;
    if (socket === undefined) return;
    if (chunks > FREE_CHUNKS + total / LEAST_BYTES) {
      if (!hasResponse && !socket.destroyed) refuseChunks(socket);
      request.destroy();
      return;
    }
    if (++inTurn < CHUNKS_PER_TURN) return;
    inTurn = Number.NEGATIVE_INFINITY;
    socket.pause();
    const { resume } = socket;
    // The request resumes its socket after each chunk.
    socket.resume = () => socket;
    setImmediate(() => {
      inTurn = 0;
      socket.resume = resume;
      socket.resume();
    });
  };
}
