/** Answers to bodies that are refused before they were read reach their client. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

export interface LingerLimits {
  /** Of the rest of a body, read and thrown away. More than the largest body: a client that only sends sees its answer, too. */
  readonly maxBytes: number;
  readonly maxMs: number;
  /** Connections that linger at once; one more is closed as it is. */
  readonly maxSockets: number;
}

export const DEFAULT_LINGER_LIMITS: LingerLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxMs: 15_000,
  maxSockets: 128,
};

/**
 * A system that closes a connection with bytes unread resets it, and the client loses the answer that it has not read yet
 * (RFC 9112, section 9.6). So the answer is sent at once, then only our side is closed, and the rest of the body is thrown
 * away until the client has closed its own, or a limit is reached. The limits also hold where the connection stays open.
 */
export function addLingeringClose(app: FastifyInstance, limits: LingerLimits = DEFAULT_LINGER_LIMITS): void {
  const lingering = new Set<Socket>();
  app.addHook("onSend", async ({ raw: request }) => {
    if (!announcesBody(request) || request.complete) return;
    const { socket } = request;
    if (socket.destroyed || lingering.has(socket) || lingering.size >= limits.maxSockets) return;
    lingering.add(socket);
    const closeAsBefore = closeOwnSideFirst(request);
    throwRestAway(request, limits, () => {
      lingering.delete(socket);
      closeAsBefore();
    });
  });
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Node ends the connection of an answer that says `connection: close` with this call. Returns what takes the change back, for
 * connections that stay open.
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
function throwRestAway(request: IncomingMessage, { maxBytes, maxMs }: LingerLimits, done: () => void): void {
  const { socket } = request;
  const began = socket.bytesRead;
  const cut = setTimeout(() => socket.destroy(), maxMs);
  request.on("data", () => {
    if (socket.bytesRead - began > maxBytes) socket.destroy();
  });
  const stop = () => {
    clearTimeout(cut);
    request.off("end", stop);
    socket.off("close", stop);
    done();
  };
  request.once("end", stop);
  socket.once("close", stop);
  request.on("error", () => undefined); // The client has gone, which is what was waited for.
  request.resume();
}
