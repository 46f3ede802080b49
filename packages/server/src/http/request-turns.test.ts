import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import Fastify from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { createErrorHandler } from "./errors.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { addRequestTurns } from "./request-turns.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** `/open` is answered by `finish`. `arrived` waits until that many requests have arrived, `handled` lists the paths of the others. */
async function start(context: TestContext) {
  const app = Fastify({ forceCloseConnections: true, clientErrorHandler: refuseConnection });
  context.after(() => app.close());
  app.setErrorHandler(createErrorHandler(createBoundedLog(quiet)));
  const handled: string[] = [];
  const open = Promise.withResolvers<ServerResponse>();
  const changed = new EventTarget();
  let arrivals = 0;
  app.addHook("onRequest", async () => {
    arrivals++;
    changed.dispatchEvent(new Event("arrival"));
  });
  addRequestTurns(app);
  app.get("/open", (_request, reply) => open.resolve(reply.hijack().raw));
  app.get("/:number", async ({ url }) => {
    handled.push(url);
    return url;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1"); // It listens on a port.
  client.on("error", () => undefined);
  return {
    client,
    handled,
    open: open.promise,
    get: (path: string) => client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    async arrived(count: number) {
      while (arrivals < count) await once(changed, "arrival");
    },
  };
}

async function readUntil(client: ReturnType<typeof connect>, end: RegExp): Promise<string> {
  let text = "";
  for await (const part of client) {
    text += String(part);
    if (end.test(text)) break;
  }
  return text;
}

const paths = (count: number) => Array.from({ length: count }, (_, number) => `/${number}`);

test("requests of a connection are handled in their order, each after the response to the one before", async (context) => {
  const { client, handled, open, get, arrived } = await start(context);
  for (const path of ["/open", "/0", "/1"]) get(path);
  const response = await open;
  await arrived(3);
  assert.deepEqual(handled, []);
  response.end("finished");
  const text = await readUntil(client, /\/1$/);
  assert.deepEqual(handled, ["/0", "/1"]);
  assert.match(text, /finished.*\/0.*\/1$/s);
});

test("the seventeenth request that waits is refused, and those before it are answered", async (context) => {
  const { client, handled, open, get, arrived } = await start(context);
  for (const path of ["/open", ...paths(17)]) get(path);
  const response = await open;
  await arrived(18);
  response.end();
  const text = await readUntil(client, /Too many requests wait/);
  assert.deepEqual(handled, paths(16));
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 17);
  assert.match(text, /HTTP\/1\.1 503.*retry-after: 5/s);
});

test("requests behind the one that is refused are not handled, and the connection is closed", async (context) => {
  const { client, handled, open, arrived } = await start(context);
  const all = ["/open", ...paths(2_000)];
  client.write(all.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""));
  const response = await open;
  await arrived(18);
  response.end();
  let text = "";
  for await (const part of client) text += String(part);
  assert.deepEqual(handled, paths(16));
  assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, 18);
  assert.match(text, /connection: close/);
});

test("a request whose connection closes before its turn is not handled", async (context) => {
  const { client, handled, open, get, arrived } = await start(context);
  for (const path of ["/open", "/0"]) get(path);
  const response = await open;
  await arrived(2);
  const closed = once(response, "close");
  client.destroy();
  await closed;
  assert.deepEqual(handled, []);
});
