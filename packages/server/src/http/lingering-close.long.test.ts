import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import Fastify from "fastify";
import { addLingeringClose, DEFAULT_LINGER_LIMITS, type LingerLimits } from "./lingering-close.ts";

const MIB = 1024 * 1024;
/**
 * More than the buffers of a connection hold, so that part of the body is
 * still unread when the response is sent.
 */
const LARGE_BYTES = 50 * MIB;

async function start(context: TestContext, limits: Partial<LingerLimits> = {}): Promise<Server> {
  const app = Fastify({ bodyLimit: MIB });
  addLingeringClose(app, { ...DEFAULT_LINGER_LIMITS, ...limits });
  app.post("/read", async () => ({ detail: "read" }));
  app.post("/closed", {
    onRequest: async (_request, reply) => reply.code(401).send({ detail: "nobody" }),
    handler: () => null,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  context.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return app.server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port; // It listens on a port.
const serve = async (...args: Parameters<typeof start>) => portOf(await start(...args));

/** A body whose length is not announced. */
function streamOf(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const piece = new Uint8Array(Math.min(left, 256 * 1024)).fill(32);
      left -= piece.length;
      if (piece.length === 0) controller.close();
      else controller.enqueue(piece);
    },
  });
}

for (const [path, status] of [
  ["read", 413],
  ["closed", 401],
] as const) {
  test(`fetch receives the ${status} for a body that is refused while it is sent, with or without a known length`, async (context) => {
    const port = await serve(context);
    for (let round = 0; round < 5; round++) {
      for (const body of [new Uint8Array(LARGE_BYTES).fill(32), streamOf(LARGE_BYTES)]) {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
          ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
        });
        assert.equal(answer.status, status);
        await answer.json();
      }
    }
  });
}

/** Sends as much as it can and only then reads. Returns the response and the number of bytes sent. */
async function sendAll(port: number, bytes: number): Promise<{ answer: string; sent: number }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isClosed = true;
      resolve();
    });
  });
  socket.on("error", () => undefined); // Some tests expect a reset.
  await once(socket, "connect");
  socket.pause();
  socket.write(
    `POST /read HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  const piece = Buffer.alloc(MIB, 32);
  let sent = 0;
  while (sent < bytes && !isClosed) {
    await Promise.race([closed, new Promise((resolve) => socket.write(piece, resolve))]);
    if (!isClosed) sent += piece.length;
    await turn();
  }
  socket.end();
  let answer = "";
  socket.on("data", (part: Buffer) => {
    answer += part.toString();
  });
  socket.resume();
  await closed;
  return { answer, sent };
}

test("a client that reads only after it has sent everything receives the response, then the connection is closed", async (context) => {
  const { answer, sent } = await sendAll(await serve(context), LARGE_BYTES);
  assert.equal(sent, LARGE_BYTES);
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.match(answer, /\r\nconnection: close\r\n/i);
});

test("the discarded rest of a body is limited in bytes", async (context) => {
  const { sent } = await sendAll(await serve(context, { maxBytes: 4 * MIB }), 200 * MIB);
  assert.ok(sent < 100 * MIB, `${sent / MIB} MiB`);
});

test("discarding is limited in time, so that a silent client does not hold a connection", async (context) => {
  const server = await start(context, { maxMs: 50 });
  const connected = once(server, "connection");
  const socket = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  socket.write(
    `POST /read HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${LARGE_BYTES}\r\n\r\nx`,
  );
  let answer = "";
  socket.on("data", (part: Buffer) => {
    answer += part.toString();
  });
  const [theirs] = (await connected) as [Socket];
  await once(theirs, "close");
  assert.match(answer, /^HTTP\/1\.1 413 /);
  socket.destroy();
});

test("the connection stays open when a refused body has arrived completely", async (context) => {
  const port = await serve(context);
  const socket = connect({ port, host: "127.0.0.1" });
  const post = async () => {
    socket.write(
      "POST /closed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
    );
    const [part] = (await once(socket, "data")) as [Buffer];
    return part.toString();
  };
  for (let round = 0; round < 3; round++) assert.match(await post(), /^HTTP\/1\.1 401 [\s\S]*keep-alive/);
  socket.destroy();
});

test("refused bodies leave no listeners and no patched method on a connection that stays open", async (context) => {
  const server = await start(context);
  const connected = once(server, "connection");
  const socket = connect({ port: portOf(server), host: "127.0.0.1" });
  const [theirs] = (await connected) as [Socket];
  const before = { listeners: theirs.listenerCount("close"), destroySoon: theirs.destroySoon };
  const expectRefusal = async (sent: string) => {
    socket.write(sent);
    const [part] = (await once(socket, "data")) as [Buffer];
    assert.match(part.toString(), /^HTTP\/1\.1 401 /);
  };
  const head =
    "POST /closed HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n";
  await expectRefusal(head);
  for (let round = 0; round < 12; round++) await expectRefusal(`{}${head}`);
  await expectRefusal(`{}${head}{}`);
  assert.deepEqual({ listeners: theirs.listenerCount("close"), destroySoon: theirs.destroySoon }, before);
  socket.destroy();
});
