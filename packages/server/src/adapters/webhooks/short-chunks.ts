/** Keeps an answer of many short HTTP chunks from holding the event loop. */
import type { IncomingMessage } from "node:http";
import { hasTooManyChunks } from "../../domain/short-chunks.ts";

/**
 * Counts the chunks before anything of the body is read: Node's parser hands over all those of what it has received in one turn. Too
 * many destroy the answer with the error of `refusal`; further ones cost next to nothing.
 */
export function refuseShortChunks(incoming: IncomingMessage, refusal: () => Error): void {
  const push = incoming.push.bind(incoming);
  let [chunks, bytes] = [0, 0];
  let isRefused = false;
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (isRefused) return false;
    chunks++;
    bytes += chunk?.length ?? 0;
    if (!hasTooManyChunks(chunks, bytes)) return push(chunk, encoding);
    isRefused = true;
    incoming.socket.pause();
    incoming.destroy(refusal());
    return false;
  };
}
