/** Limits a reply that is read while it arrives: its length, and how much of it is read in one turn of the event loop. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasTooManyChunks } from "../../../domain/short-chunks.ts";
import { ProviderFault } from "./provider-fault.ts";

/** Some hundred tokens with what a provider writes around them: a few milliseconds of parsing. */
export const TURN_BYTES = 16 * 1024;

/** One turn after the other for all replies of a provider together, so that many at once take no more of a turn than one. */
export function createReadTurns(maxReplyBytes: number): () => TransformStream<Uint8Array, Uint8Array> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    let [length, parts] = [0, 0];
    return new TransformStream({
      async transform(part, controller) {
        length += part.byteLength;
        parts++;
        if (length > maxReplyBytes) return controller.error(replyTooLong(maxReplyBytes));
        if (hasTooManyChunks(parts, length)) return controller.error(tooManyParts());
        for (let from = 0; from < part.byteLength; from += TURN_BYTES) {
          last = last.then(() => nextTurn());
          await last;
          controller.enqueue(part.subarray(from, from + TURN_BYTES));
        }
      },
    });
  };
}

export function replyTooLong(maxReplyBytes: number): ProviderFault {
  return new ProviderFault("refused", `its reply is longer than ${maxReplyBytes} bytes`);
}

export function tooManyParts(): ProviderFault {
  return new ProviderFault("refused", "its reply comes in parts of a few bytes");
}
