/**
 * Bounds the memory of all request bodies together. A limit per body alone would
 * not bound many concurrent requests.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";

export interface BodyBudget {
  /** Bytes of all large bodies that are held at the same time. A single body is always admitted. */
  readonly totalBytes: number;
  /** Bodies up to this size are not counted. */
  readonly freeBytes: number;
  /** How long a body waits for memory before it is refused. */
  readonly waitMs: number;
  /** Length of the queue; further bodies are refused immediately. */
  readonly maxWaiting: number;
}

const MIB = 1024 * 1024;
export const DEFAULT_BODY_BUDGET: BodyBudget = {
  totalBytes: 128 * MIB,
  freeBytes: MIB,
  waitMs: 10_000,
  maxWaiting: 64,
};

const RETRY_SECONDS = 5;

interface QueuedBody {
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Large bodies wait, before they are read, until enough earlier requests have been answered. Add this hook
 * after authentication, so that unauthenticated requests cannot use up the budget.
 */
export function addBodyBudget(app: FastifyInstance, budget: BodyBudget = DEFAULT_BODY_BUDGET): void {
  const heldBytes = new WeakMap<FastifyRequest, number>();
  const queue: QueuedBody[] = [];
  let usedBytes = 0;

  const fits = (bytes: number) => usedBytes === 0 || usedBytes + bytes <= budget.totalBytes;

  function release(request: FastifyRequest): void {
    const bytes = heldBytes.get(request);
    if (bytes === undefined) return;
    heldBytes.delete(request);
    usedBytes -= bytes;
    for (let next = queue[0]; next !== undefined && fits(next.bytes); next = queue[0]) {
      queue.shift();
      usedBytes += next.bytes;
      next.admit();
    }
  }

  function reserve(bytes: number): Promise<void> {
    if (queue.length === 0 && fits(bytes)) {
      usedBytes += bytes;
      return Promise.resolve();
    }
    if (queue.length >= budget.maxWaiting) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const queued: QueuedBody = {
        bytes,
        admit() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(queued), 1);
        reject(tooBusy());
      }, budget.waitMs);
      queue.push(queued);
    });
  }

  app.addHook("onRequest", async (request) => {
    const bytes = announcedBytes(request);
    // A body over its route's limit is refused by its length and never read.
    if (bytes <= budget.freeBytes || bytes > request.routeOptions.bodyLimit) return;
    await reserve(bytes);
    heldBytes.set(request, bytes);
    if (request.raw.destroyed) release(request); // The client disconnected while the body was queued.
  });
  app.addHook("onResponse", async (request) => release(request));
  app.addHook("onRequestAbort", async (request) => release(request));
}

/** For a body of unknown length the limit of its route. */
function announcedBytes(request: FastifyRequest): number {
  const length = request.headers["content-length"];
  if (length !== undefined) return Number(length);
  return request.headers["transfer-encoding"] === undefined ? 0 : request.routeOptions.bodyLimit;
}

function tooBusy() {
  return errors.unavailable("Too much text is being received at once. Try again shortly.", {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
