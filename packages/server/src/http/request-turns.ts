/** Handles the requests of a connection one after another, although HTTP allows a client to send many without waiting. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errors } from "../domain/errors.ts";

const MAX_WAITING = 16;
const RETRY_SECONDS = 5;

/**
 * Node hands over such requests at once and keeps their responses until the earlier ones are sent, which takes half an hour behind
 * an event stream. Each would keep its body and its places in all limits for as long. One that waits is not read further than its
 * headers and one buffer. Call this before all other hooks.
 */
export function addRequestTurns(app: FastifyInstance): void {
  const turnsOf = new WeakMap<Socket, { last: ServerResponse; waiting: number }>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const turns = turnsOf.get(socket);
    if (turns === undefined || turns.last.closed) {
      turnsOf.set(socket, { last: reply.raw, waiting: 0 });
      return done();
    }
    // Node reads no more from the connection when enough refusals wait to be sent.
    if (turns.waiting >= MAX_WAITING) return done(tooMany());
    turns.waiting++;
    turns.last.once("close", () => {
      turns.waiting--;
      if (!socket.destroyed) done();
    });
    turns.last = reply.raw;
  });
}

function tooMany() {
  return errors.unavailable("Too many requests wait on this connection. Read their responses first.", {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
