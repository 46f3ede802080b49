/**
 * Lingering close: makes sure that a client receives the response to a body
 * that is refused before it was read.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

export interface LingerLimits {
  /**
   * Bytes of the rest of a body that are read and discarded. Larger than the largest body, because some
   * clients read the response only after they have sent everything.
   */
  readonly maxBytes: number;
  readonly maxMs: number;
  /** Connections that linger at the same time; any further one is closed immediately. */
  readonly maxSockets: number;
}

export const DEFAULT_LINGER_LIMITS: LingerLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxMs: 15_000,
  maxSockets: 128,
};

/**
 * Closing a connection that has unread bytes resets it, and the client loses a response that it has not read
 * yet (RFC 9112, section 9.6). So the response is sent immediately, then only our side is closed, and the
 * rest of the body is discarded until the client closes its side or a limit is reached. The limits also hold
 * for a connection that stays open.
 */
export function addLingeringClose(app: FastifyInstance, limits: LingerLimits = DEFAULT_LINGER_LIMITS): void {
  const lingering = new Set<Socket>();
  app.addHook("onSend", async ({ raw: request }) => {
    if (!announcesBody(request) || request.complete) return;
    const { socket } = request;
    if (socket.destroyed || lingering.has(socket) || lingering.size >= limits.maxSockets) return;
    lingering.add(socket);
    const restoreClose = closeOwnSideFirst(request);
    discardRest(request, limits, () => {
      lingering.delete(socket);
      restoreClose();
    });
  });
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Replaces `destroySoon`, which Node calls after a response with `connection: close`. Returns a function that
 * undoes this, for connections that stay open.
 */
function closeOwnSideFirst(request: IncomingMessage): () => void {
  const { socket } = request;
  const { destroySoon } = socket;
  const closeNow = () => destroySoon.call(socket);
  const restore = () => {
    socket.destroySoon = destroySoon;
  };
  socket.destroySoon = () => {
    restore();
    if (request.complete) return closeNow();
    socket.end();
    request.once("end", closeNow);
  };
  return restore;
}

/** `done` is called once, when the body has ended or its connection is closed. */
function discardRest(request: IncomingMessage, { maxBytes, maxMs }: LingerLimits, done: () => void): void {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const timer = setTimeout(() => socket.destroy(), maxMs);
  request.on("data", () => {
    if (socket.bytesRead - bytesBefore > maxBytes) socket.destroy();
  });
  const stop = () => {
    clearTimeout(timer);
    request.off("end", stop);
    socket.off("close", stop);
    done();
  };
  request.once("end", stop);
  socket.once("close", stop);
  request.on("error", () => undefined); // The client has disconnected, which ends the wait.
  request.resume();
}
