import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import Fastify from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import type { CurrentWork } from "../ports/current-work.ts";
import { addActingCaller } from "./authenticate.ts";
import { createErrorHandler } from "./errors.ts";

async function start() {
  const app = Fastify({ forceCloseConnections: true });
  const logged: string[] = [];
  const record = (event: string) => void logged.push(event);
  app.setErrorHandler(
    createErrorHandler(createBoundedLog({ debug: record, info: record, warn: record, error: record })),
  );
  app.decorateRequest("caller", null);
  let current: CurrentWork = { accountId: "", signal: null };
  addActingCaller(app, (work, run) => {
    current = work;
    run();
  });
  const handled = Promise.withResolvers<CurrentWork>();
  const ended = Promise.withResolvers<number>();
  app.addHook("onSend", async (_request, reply) => ended.resolve(reply.statusCode));
  app.get("/fast", async () => {
    handled.resolve(current);
    return {};
  });
  app.route({
    method: ["GET", "POST"],
    url: "/slow",
    async handler() {
      const { signal } = current;
      handled.resolve(current);
      if (signal !== null && !signal.aborted) await once(signal, "abort");
      signal?.throwIfAborted();
      return {};
    },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo; // It listens on a port.
  return { app, port, logged, work: handled.promise, ended: ended.promise };
}

test("work for a client that disconnects is aborted, and is nobody's fault", async () => {
  const { app, port, logged, work, ended } = await start();
  const client = connect(port, "127.0.0.1");
  client.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
  const { signal } = await work;
  assert.equal(signal?.aborted, false);
  client.destroy();
  assert.equal(await ended, 499);
  assert.equal(signal.reason.kind, "abandoned");
  assert.deepEqual(logged, []);
  await app.close();
});

test("a request that changes something is carried out for a client that has gone, too", async () => {
  const { app, port, work, ended } = await start();
  const client = connect(port, "127.0.0.1");
  client.write("POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  assert.equal((await work).signal, null);
  client.destroy();
  assert.equal(await ended, 200);
  await app.close();
});

test("a response that was sent leaves the work as it is", async () => {
  const { app, port, work } = await start();
  const response = await fetch(`http://127.0.0.1:${port}/fast`);
  await response.text();
  await app.close();
  assert.equal((await work).signal?.aborted, false);
});
