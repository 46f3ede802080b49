/** Handles the requests of a connection one after another, although HTTP allows a client to send many without waiting. */
import type { IncomingMessage, ServerResponse } from "node:http";
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
  /** Their last response closes them. */
  const refused = new WeakSet<Socket>();
  skipRequestsOf(app, refused);
  const turnsOf = new WeakMap<Socket, { last: ServerResponse; waiting: number }>();
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const turns = turnsOf.get(socket);
    if (turns === undefined || turns.last.closed) {
      turnsOf.set(socket, { last: reply.raw, waiting: 0 });
      return done();
    }
    if (turns.waiting >= MAX_WAITING) {
      refused.add(socket);
      reply.header("connection", "close");
      return done(tooMany());
    }
    turns.waiting++;
    turns.last.once("close", () => {
      turns.waiting--;
      if (!socket.destroyed) done();
    });
    turns.last = reply.raw;
  });
}

/** One read of a connection can bring two thousand requests. To refuse each would hold the event loop for 0.2 s. */
function skipRequestsOf({ server }: FastifyInstance, refused: WeakSet<Socket>): void {
  const handlers = server.listeners("request") as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]; // Node's types know only functions.
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!refused.has(request.socket)) for (const handle of handlers) handle.call(server, request, response);
  });
}

function tooMany() {
  return errors.unavailable("Too many requests wait on this connection. Read their responses first.", {
    retryAfterSeconds: RETRY_SECONDS,
    severity: "warn", // The client's fault, not the service's.
  });
}
