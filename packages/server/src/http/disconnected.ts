import type { FastifyReply } from "fastify";
import { errors } from "../domain/errors.ts";

/** Aborted when the client disconnects before it has the response. */
export function disconnectedSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) disconnected.abort(errors.abandoned());
  };
  if (raw.destroyed) onClose();
  else raw.once("close", onClose);
  return disconnected.signal;
}
