/**
 * Bounds the memory of all request bodies together. A limit per body alone would
 * not bound many concurrent requests.
 */
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errors, type ServiceError } from "../domain/errors.ts";
import { requireCaller } from "./routes/endpoint.ts";

export interface BodyBudget {
  /** Bytes of large bodies that have arrived and are held at the same time. A single body is always admitted. */
  readonly totalBytes: number;
  /** Bodies up to this size are not counted. */
  readonly freeBytes: number;
  /** How long a body waits for other bodies of its account before it is refused. */
  readonly waitMs: number;
  /** Length of the queue of an account; further bodies are refused immediately. */
  readonly maxWaiting: number;
  /**
   * A body of which fewer bytes arrive in any period is refused. Of a shorter body so much less must arrive that it is complete
   * within `completeMs`.
   */
  readonly slowest: { readonly bytes: number; readonly periodMs: number; readonly completeMs: number };
}

const KIB = 1024;
const MIB = 1024 * KIB;
export const DEFAULT_BODY_BUDGET: BodyBudget = {
  totalBytes: 128 * MIB,
  freeBytes: 64 * KIB,
  waitMs: 10_000,
  maxWaiting: 64,
  // `completeMs`: the time that a request may take.
  slowest: { bytes: 80 * KIB, periodMs: 10_000, completeMs: 120_000 },
};

const RETRY_SECONDS = 5;

interface LargeBody {
  readonly accountId: string;
  /** What it may still become; its length once it has arrived. */
  announcedBytes: number;
  arrivedBytes: number;
  /** Set while the body is being received. */
  receiving: { readonly stream: Readable; readonly timer: NodeJS.Timeout } | null;
}

interface QueuedBody extends PromiseWithResolvers<void> {
  readonly body: LargeBody;
}

/**
 * The bodies of an account wait, before they are read, until their announced lengths fit into its share, which is half
 * of the budget. Other accounts are affected only by what has arrived: when that exceeds the budget, the account that
 * holds the most loses its last body. Add these hooks after authentication.
 */
export function addBodyBudget(app: FastifyInstance, budget: BodyBudget = DEFAULT_BODY_BUDGET): void {
  const bodyOf = new WeakMap<FastifyRequest, LargeBody>();
  const held = createHeldBodies(budget);

  app.addHook("onRequest", async (request, reply) => {
    const { heldBytes = Number.POSITIVE_INFINITY } = request.routeOptions.config;
    const announcedBytes = Math.min(announcedLength(request), heldBytes);
    // A body over its route's limit is refused by its length and never read.
    if (announcedBytes <= budget.freeBytes || announcedBytes > request.routeOptions.bodyLimit) return;
    const { accountId } = requireCaller(request);
    const body: LargeBody = { accountId, announcedBytes, arrivedBytes: 0, receiving: null };
    await held.admit(body);
    // The client disconnected while the body was queued.
    if (request.raw.destroyed || reply.raw.destroyed) return held.release(body);
    bodyOf.set(request, body);
    // After the response, and when the client disconnects. Fastify has no hook for one that leaves after its last byte.
    reply.raw.once("close", () => held.release(body));
  });
  // With a callback, because the parser must listen to the stream before it flows.
  app.addHook("preParsing", (request, _reply, stream: Readable, done) => {
    const body = bodyOf.get(request);
    // A handler that takes the body piece by piece watches it itself.
    const isStreamed = request.routeOptions.config.heldBytes !== undefined;
    if (body !== undefined && !isStreamed) held.receive(body, stream);
    done(null, stream);
  });
}

function createHeldBodies({ totalBytes, waitMs, maxWaiting, slowest }: BodyBudget) {
  /** In the order of their admission. */
  const held = new Set<LargeBody>();
  const queue: QueuedBody[] = [];
  let usedBytes = 0;

  const fits = (body: LargeBody) => fitsBeside(held, body, totalBytes / 2);
  const queueOf = (accountId: string) => queue.filter(({ body }) => body.accountId === accountId);

  async function admit(body: LargeBody): Promise<void> {
    const { length } = queueOf(body.accountId);
    if (length === 0 && fits(body)) return void held.add(body);
    if (length >= maxWaiting) throw tooBusy();
    const queued: QueuedBody = { body, ...Promise.withResolvers<void>() };
    queue.push(queued);
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(queued), 1);
      queued.reject(tooBusy());
    }, waitMs);
    return queued.promise.finally(() => clearTimeout(timer));
  }

  function receive(body: LargeBody, stream: Readable): void {
    let checkedBytes = 0;
    const least = slowestFor(body, slowest);
    const timer = setInterval(() => {
      if (body.arrivedBytes - checkedBytes < least.bytes) refuse(body, errors.tooSlow(least));
      checkedBytes = body.arrivedBytes;
    }, least.periodMs);
    body.receiving = { stream, timer };
    stream.on("data", (chunk: Buffer) => {
      if (body.receiving === null) return;
      body.arrivedBytes += chunk.length;
      usedBytes += chunk.length;
      makeRoom();
    });
    stream.once("end", () => {
      stopReceiving(body);
      if (!held.has(body)) return;
      body.announcedBytes = body.arrivedBytes;
      admitQueued(body.accountId);
    });
    stream.on("error", () => undefined); // `refuse` may report an error to a parser that does not listen any more.
  }

  function makeRoom(): void {
    while (usedBytes > totalBytes && held.size > 1) {
      const body = lastOfLargest(held);
      if (body === undefined) break;
      refuse(body, tooBusy());
    }
  }

  function refuse(body: LargeBody, error: ServiceError): void {
    const { stream } = body.receiving ?? {};
    release(body);
    stream?.emit("error", error); // Destroying the stream would close the connection without a response.
  }

  function stopReceiving(body: LargeBody): void {
    clearInterval(body.receiving?.timer);
    body.receiving = null;
  }

  function release(body: LargeBody): void {
    stopReceiving(body);
    if (!held.delete(body)) return;
    usedBytes -= body.arrivedBytes;
    admitQueued(body.accountId);
  }

  function admitQueued(accountId: string): void {
    for (const queued of queueOf(accountId)) {
      if (!fits(queued.body)) return;
      queue.splice(queue.indexOf(queued), 1);
      held.add(queued.body);
      queued.resolve();
    }
  }

  return { admit, receive, release };
}

/** Whether the bodies of its account leave room for it. A single body always fits. */
function fitsBeside(held: ReadonlySet<LargeBody>, body: LargeBody, shareBytes: number): boolean {
  const others = [...held].filter(({ accountId }) => accountId === body.accountId);
  const total = others.reduce((sum, { announcedBytes }) => sum + announcedBytes, body.announcedBytes);
  return others.length === 0 || total <= shareBytes;
}

/** The least that must arrive of a body in a period. */
export function slowestFor(
  { announcedBytes }: Pick<LargeBody, "announcedBytes">,
  { bytes, periodMs, completeMs }: BodyBudget["slowest"],
) {
  return { bytes: Math.min(bytes, Math.ceil((announcedBytes * periodMs) / completeMs)), periodMs };
}

/** The last body that is being received of the account of which the most has arrived. */
function lastOfLargest(bodies: ReadonlySet<LargeBody>): LargeBody | undefined {
  const isArriving = (body: LargeBody) => body.receiving !== null && body.arrivedBytes > 0;
  const arrivedOf = (own: readonly LargeBody[]) => own.reduce((sum, body) => sum + body.arrivedBytes, 0);
  return [...Map.groupBy(bodies, ({ accountId }) => accountId).values()]
    .filter((own) => own.some(isArriving))
    .reduce((most, own) => (arrivedOf(own) > arrivedOf(most) ? own : most), [])
    .findLast(isArriving);
}

/** For a body of unknown length the limit of its route. */
function announcedLength(request: FastifyRequest): number {
  const length = request.headers["content-length"];
  if (length !== undefined) return Number(length);
  return request.headers["transfer-encoding"] === undefined ? 0 : request.routeOptions.bodyLimit;
}

function tooBusy() {
  return errors.unavailable("Too much text is being received at once. Try again shortly.", {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
