/** The bytes of a body as they arrive, for bodies that are never whole in memory. */
import type { IncomingMessage } from "node:http";
import { errorCodes } from "fastify";
import { errors } from "../domain/errors.ts";
import { type BodyBudget, slowestFor } from "./body-budget.ts";

/** Arrived, but not yet taken: from so much on the sender is made to wait. */
const HELD_BYTES = 256 * 1024;

/**
 * Yields the chunks of a request's body. What is left when the caller stops is not read.
 * @throws Fastify's errors for a body over the limit or with another length than announced; ServiceError `too_slow` for a sender
 * that is slower than it may be while the caller waits for it; `abandoned` when the client disconnects
 */
export async function* bodyArrivals(
  request: IncomingMessage,
  {
    limitBytes,
    slowest,
    revoked,
  }: {
    readonly limitBytes: number;
    readonly slowest: BodyBudget["slowest"];
    /** Ends the arrival with its reason. */
    readonly revoked?: AbortSignal;
  },
): AsyncGenerator<Uint8Array> {
  const announcedBytes = Number(request.headers["content-length"] ?? Number.NaN);
  if (announcedBytes > limitBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const arrivals = listen(request, limitBytes);
  const least = slowestFor({ announcedBytes: announcedBytes || limitBytes }, slowest);
  const onRevoked = () => arrivals.fail(revoked?.reason as Error); // Aborted with an error.
  revoked?.addEventListener("abort", onRevoked);
  if (revoked?.aborted === true) onRevoked();
  let [checkedBytes, hasTaken] = [0, false];
  const timer = setInterval(() => {
    if (arrivals.hasEnded()) return;
    // A sender that had to wait is not slow.
    if (!hasTaken && arrivals.total() - checkedBytes < least.bytes) arrivals.fail(errors.tooSlow(least));
    checkedBytes = arrivals.total();
    hasTaken = arrivals.isHeld();
  }, least.periodMs);
  try {
    for (;;) {
      const chunk = await arrivals.next();
      if (chunk === null) break;
      yield chunk;
      hasTaken ||= arrivals.isHeld();
    }
    const isWhole = Number.isNaN(announcedBytes) || arrivals.total() === announcedBytes;
    if (!isWhole) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH();
  } finally {
    clearInterval(timer);
    revoked?.removeEventListener("abort", onRevoked);
    arrivals.stop();
  }
}

function listen(request: IncomingMessage, limitBytes: number) {
  const chunks: Buffer[] = [];
  let [held, total, hasEnded] = [0, 0, false];
  let failure: Error | null = null;
  let wake: () => void = () => undefined;

  function fail(error: Error): void {
    failure ??= error;
    wake();
  }
  const onData = (chunk: Buffer) => {
    held += chunk.length;
    total += chunk.length;
    if (total > limitBytes) return fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    chunks.push(chunk);
    if (held >= HELD_BYTES) request.pause();
    wake();
  };
  const onEnd = () => {
    hasEnded = true;
    wake();
  };
  const onClose = () => {
    if (!hasEnded) fail(errors.abandoned());
  };
  // Node's error for a client that has left comes before `close`.
  const onError = (error: NodeJS.ErrnoException) =>
    fail(error.code === "ECONNRESET" ? errors.abandoned() : error);
  request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose).resume();
  return {
    fail,
    total: () => total,
    hasEnded: () => hasEnded,
    /** The sender waits. */
    isHeld: () => request.isPaused(),
    async next(): Promise<Uint8Array | null> {
      while (chunks.length === 0 && failure === null && !hasEnded)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure !== null) throw failure;
      const chunk = chunks.shift();
      if (chunk === undefined) return null;
      held -= chunk.length;
      if (request.isPaused() && held < HELD_BYTES / 2) request.resume();
      return chunk;
    },
    stop(): void {
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      request.off("error", onError).on("error", () => undefined); // Nobody waits for what is left.
    },
  };
}
