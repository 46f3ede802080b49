/** Files that are sent in pieces, with backpressure: the next piece is made when the client has taken the last one. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";
import type { IsStillAllowed } from "./authenticate.ts";

export interface DownloadLimits {
  /** A download takes one of a few places, so one whose client takes nothing for this long is cut off. */
  readonly stallMs: number;
  /** Access is checked again before a piece that is sent this long after the last check. */
  readonly checkMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = { stallMs: 60_000, checkMs: 1_000 };

export interface Download {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Called when the download is finished or abandoned, perhaps more than once. */
  readonly end: () => void;
  /** Aborts when it must end because others wait for its place. */
  readonly revoked: AbortSignal;
}

/** The body of the response; empty for HEAD, for which the router would otherwise read the whole file and discard it. */
export function streamDownload(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { pieces, end, revoked }: Download,
  limits: DownloadLimits & { readonly isStillAllowed: IsStillAllowed },
): Readable {
  const cutOff = () => reply.raw.destroy();
  revoked.addEventListener("abort", cutOff);
  const allowed = whileAllowed(pieces, limits.checkMs, () => limits.isStillAllowed(request));
  const taken = untilStalled(allowed, limits.stallMs, cutOff);
  const body = Readable.from(request.method === "HEAD" ? [] : taken, { objectMode: false });
  // Both, because a client may disconnect before the response has begun.
  body.once("close", end);
  reply.raw.once("close", end);
  return body;
}

/** @throws ServiceError `unauthenticated`, which ends a file before its last piece */
async function* whileAllowed<Piece>(
  pieces: AsyncIterable<Piece>,
  checkMs: number,
  isAllowed: () => Promise<boolean>,
) {
  let checkedAt = performance.now();
  for await (const piece of pieces) {
    if (performance.now() - checkedAt >= checkMs) {
      if (!(await isAllowed())) throw errors.invalidApiKey();
      checkedAt = performance.now();
    }
    yield piece;
  }
}

async function* untilStalled<Piece>(pieces: AsyncIterable<Piece>, stallMs: number, stop: () => void) {
  for await (const piece of pieces) {
    const timer = setTimeout(stop, stallMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
