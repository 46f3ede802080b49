/** Keeps a body of many short HTTP chunks from holding the event loop. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hasTooManyChunks } from "../domain/short-chunks.ts";
import { refuseChunks } from "./refuse-connection.ts";

const CHUNKS_PER_TURN = 4096;
/** A connection that is closed while its client still sends is reset, and the client loses a response that it has not read yet. */
const READ_RESPONSE_MS = 1_000;

/**
 * A listener for `request`, to be called before all others: chunks are counted as Node's parser hands them over, because up to 64 Ki of
 * them are kept until somebody reads the body. A body of too many chunks is refused: its connection gets a raw response, unless it has one already, and is closed a second later.
 *
 * Node reads a socket up to 32 times before the event loop turns, 64 KiB each: with
 * one byte in each chunk of six, that takes 0.4 s. So after many chunks the socket rests until the next turn. Large chunks are a
 * read each, and never so many.
 */
export function limitChunks(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const { socket } = request;
  const push = request.push.bind(request);
  let [chunks, inTurn, total] = [0, 0, 0];
  let isRefused = false;

  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (isRefused) return false;
    if (chunk === null) return push(chunk);
    chunks++;
    total += chunk.length;
    if (hasTooManyChunks(chunks, total)) {
      refuse();
      return false;
    }
    if (++inTurn >= CHUNKS_PER_TURN) restOneTurn();
    return push(chunk, encoding);
  };

  function refuse(): void {
    isRefused = true;
    if (response.headersSent || socket.destroyed) return void request.destroy();
    refuseChunks(socket);
    socket.pause();
    socket.resume = () => socket;
    setTimeout(() => request.destroy(), READ_RESPONSE_MS);
  }

  function restOneTurn(): void {
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
  }
}
