/** Bounds what all request bodies together may hold in memory: a limit per body bounds nothing when many come at once. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";

export interface BodyBudget {
  /** Bytes of all large bodies at once. One alone is always let in. */
  readonly totalBytes: number;
  /** A body up to this size counts for nothing. */
  readonly freeBytes: number;
  /** How long a body waits for room before it is refused. */
  readonly waitMs: number;
  /** Bodies that may wait; more are refused at once. */
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

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Large bodies wait, before they are read, until those before them have been answered. Add it after the
 * credentials are checked: who has none takes no room.
 */
export function addBodyBudget(app: FastifyInstance, budget: BodyBudget = DEFAULT_BODY_BUDGET): void {
  const held = new WeakMap<FastifyRequest, number>();
  const queue: Waiting[] = [];
  let usedBytes = 0;

  const fits = (bytes: number) => usedBytes === 0 || usedBytes + bytes <= budget.totalBytes;

  function release(request: FastifyRequest): void {
    const bytes = held.get(request);
    if (bytes === undefined) return;
    held.delete(request);
    usedBytes -= bytes;
    for (let next = queue[0]; next !== undefined && fits(next.bytes); next = queue[0]) {
      queue.shift();
      usedBytes += next.bytes;
      next.admit();
    }
  }

  function room(bytes: number): Promise<void> {
    if (queue.length === 0 && fits(bytes)) {
      usedBytes += bytes;
      return Promise.resolve();
    }
    if (queue.length >= budget.maxWaiting) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        admit() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(tooBusy());
      }, budget.waitMs);
      queue.push(waiting);
    });
  }

  app.addHook("onRequest", async (request) => {
    const bytes = announcedBytes(request);
    // A body over its route's limit is refused by its length; it needs no room.
    if (bytes <= budget.freeBytes || bytes > request.routeOptions.bodyLimit) return;
    await room(bytes);
    held.set(request, bytes);
    if (request.raw.destroyed) release(request); // It was given up while it waited.
  });
  app.addHook("onResponse", async (request) => release(request));
  app.addHook("onRequestAbort", async (request) => release(request));
}

/** A body of unknown length may be as long as its route allows. */
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
