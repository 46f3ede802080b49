/** Keeps a body of many short HTTP chunks from holding the event loop. */
import type { Readable } from "node:stream";

const CHUNKS_PER_TURN = 4096;

/**
 * Called for each chunk of a request's body. Node reads a socket up to 32 times before the event loop turns, 64 KiB each: with
 * one byte in each chunk of six, that takes 0.4 s. So after many chunks the socket rests until the next turn. Large chunks are a
 * read each, and never so many.
 */
export function limitChunksPerTurn(request: Readable & { readonly socket?: Readable }): () => void {
  const { socket } = request;
  let chunks = 0;
  return () => {
    if (socket === undefined || ++chunks < CHUNKS_PER_TURN) return;
    chunks = Number.NEGATIVE_INFINITY;
    socket.pause();
    const { resume } = socket;
    // The request resumes its socket after each chunk.
    socket.resume = () => socket;
    setImmediate(() => {
      chunks = 0;
      socket.resume = resume;
      socket.resume();
    });
  };
}
