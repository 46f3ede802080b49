/**
 * Handles the requests of a connection one after another, although HTTP allows a client to send many without waiting, and begins
 * those of many connections in turns of the event loop, and again when their bodies have arrived.
 */
import { AsyncResource } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errors } from "../domain/errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * Resolves soon: a few requests go on in each turn of the event loop, of all that begin or whose bodies of so many bytes have
     * arrived; of long bodies fewer.
     */
    takeTurn: (bytes: number) => Promise<void>;
  }
}

const MAX_WAITING = 16;
const RETRY_SECONDS = 5;
const BEGUN_PER_TURN = 8;
/** Of the bodies of a turn together, unless the first one has more: reading a megabyte takes some ten milliseconds. */
const BYTES_PER_TURN = 128 * 1024;
/** Makes Node's parser give up. Node itself returns 0 to 2. */
const STOP_PARSING = -1;

/**
 * Node hands over such requests at once and keeps their responses until the earlier ones are sent, which takes half an hour behind
 * an event stream. Each would keep its body and its places in all limits for as long. One that waits is not read further than its
 * headers and one buffer. Call this before all other hooks: one that is asynchronous would let the parser go on.
 */
export function addRequestTurns(app: FastifyInstance): void {
  const begin = createBeginnings();
  app.decorate("takeTurn", (bytes: number) => new Promise<void>((resolve) => begin(resolve, bytes)));
  const turnsOf = new WeakMap<Socket, { last: ServerResponse; waiting: number }>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const turns = turnsOf.get(socket);
    if (turns === undefined || turns.last.closed) {
      turnsOf.set(socket, { last: reply.raw, waiting: 0 });
      // Even if its client has left meanwhile: it may have sent all of the request, which may be to change something.
      return begin(AsyncResource.bind(() => done()));
    }
    if (turns.waiting >= MAX_WAITING) {
      stopParsing(socket);
      reply.header("connection", "close");
      return done(tooMany());
    }
    turns.waiting++;
    // The request before may act for another account.
    const handle = AsyncResource.bind(() => {
      if (!socket.destroyed) done();
    });
    turns.last.once("close", () => {
      turns.waiting--;
      begin(handle);
    });
    turns.last = reply.raw;
  });
}

/**
 * One read of a connection can bring two thousand requests, and one turn of the event loop a read of each connection. To parse
 * them takes 30 µs each, even if nothing else is done with them. Nothing public stops Node's parser within a read; it stops when
 * `onIncoming`, which it calls with each request, returns an error. That error reaches `refuseConnection`.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null }; // Not in Node's types.
  if (parser) parser.onIncoming = () => STOP_PARSING;
}

/**
 * Returns what begins the given work soon, a few pieces in each turn of the event loop: requests of many connections would
 * otherwise all be handled in one, and so would bodies that end together. A connection has one piece at a time here.
 */
function createBeginnings(): (work: () => void, bytes?: number) => void {
  const waiting: { readonly work: () => void; readonly bytes: number }[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const some = waiting.splice(0, countOfTurn(waiting));
      schedule();
      for (const { work } of some) work();
    });
  }

  return (work, bytes = 0) => {
    waiting.push({ work, bytes });
    schedule();
  };
}

function countOfTurn(waiting: readonly { readonly bytes: number }[]): number {
  let bytes = 0;
  const first = waiting.slice(0, BEGUN_PER_TURN);
  const end = first.findIndex((each, at) => {
    bytes += each.bytes;
    return at > 0 && bytes > BYTES_PER_TURN;
  });
  return end < 0 ? first.length : end;
}

function tooMany() {
  return errors.unavailable("Too many requests wait on this connection. Read their responses first.", {
    retryAfterSeconds: RETRY_SECONDS,
    severity: "warn", // The client's fault, not the service's.
  });
}
