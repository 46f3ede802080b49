/** Limits a reply that is read while it arrives: its length, and how much of it is read in one turn of the event loop. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { ProviderFault } from "./provider-fault.ts";

/** Some hundred tokens with what a provider writes around them: a few milliseconds of parsing. */
export const TURN_BYTES = 16 * 1024;

let last: Promise<void> = Promise.resolve();

/** One turn after the other for all replies together, so that many at once take no more of a turn than one. */
function takeTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}

/** However fast a provider writes, other work of the thread goes on. */
export function readInTurns(maxReplyBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    async transform(part, controller) {
      length += part.byteLength;
      if (length > maxReplyBytes) {
        controller.error(replyTooLong(maxReplyBytes));
        return;
      }
      for (let from = 0; from < part.byteLength; from += TURN_BYTES) {
        await takeTurn();
        controller.enqueue(part.subarray(from, from + TURN_BYTES));
      }
    },
  });
}

export function replyTooLong(maxReplyBytes: number): ProviderFault {
  return new ProviderFault("refused", `its reply is longer than ${maxReplyBytes} bytes`);
}
