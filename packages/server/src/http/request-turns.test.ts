import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import Fastify from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { registerJsonBodies } from "./body.ts";
import { createErrorHandler } from "./errors.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { addRequestKeys } from "./request-key.ts";
import { addRequestTurns } from "./request-turns.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * `/open` is answered by the test. `arrived` waits until that many requests have arrived, `handled` lists the paths of the others
 * that were handled, `parsed` counts what Node's parser handed over, `actors` for whom a request acted when it began.
 */
async function start(context: TestContext) {
  const app = Fastify({ forceCloseConnections: true, clientErrorHandler: refuseConnection });
  context.after(() => app.close());
  app.setErrorHandler(createErrorHandler(createBoundedLog(quiet)));
  const handled: string[] = [];
  const actors: unknown[] = [];
  const acting = new AsyncLocalStorage<string>();
  const opened: ServerResponse[] = [];
  const open = Promise.withResolvers<ServerResponse>();
  const changed = new EventTarget();
  let arrivals = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    arrivals++;
    changed.dispatchEvent(new Event("arrival"));
    done(); // At once: the turns must see a request before Node's parser goes on.
  });
  addRequestTurns(app);
  addRequestKeys(app);
  app.addHook("onRequest", ({ url }, _reply, done) => {
    actors.push(acting.getStore());
    acting.run(url, done);
  });
  app.get("/open", (_request, reply) => {
    opened.push(reply.hijack().raw);
    open.resolve(reply.raw);
  });
  app.get("/:number", async ({ url }) => {
    handled.push(url);
    return url;
  });
  registerJsonBodies(app);
  app.post("/body", async ({ url }) => {
    handled.push(url);
    return url;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  let parsed = 0;
  app.server.on("request", () => parsed++);
  const { port } = app.server.address() as AddressInfo; // It listens on a port.
  const join = () => connect(port, "127.0.0.1").on("error", () => undefined);
  const client = join();
  return {
    client,
    join,
    handled,
    actors,
    opened,
    open: open.promise,
    parsed: () => parsed,
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

/** How many are handled in a turn of the event loop, or in two if the turn of this function is between theirs, until all are. */
async function mostInTurn(handled: readonly string[], all: number): Promise<number> {
  let most = 0;
  for (let before = handled.length; before < all; before = handled.length) {
    await turn();
    most = Math.max(most, handled.length - before);
  }
  return most;
}

const requestsFor = (all: readonly string[]) =>
  all.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join("");
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
  client.write(requestsFor(["/open", ...paths(2_000)]));
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

test("requests behind the one that is refused are not parsed, however many they are", async (context) => {
  for (const count of [100, 400, 1_600]) {
    const { client, open, parsed, arrived } = await start(context);
    client.write(requestsFor(["/open", ...paths(count)]));
    const response = await open;
    await arrived(18);
    client.write(requestsFor(paths(count)));
    response.end();
    for await (const _ of client);
    assert.equal(parsed(), 18);
  }
});

test("requests that wait on many connections begin in turns of the event loop, a few in each", async (context) => {
  const { join, handled, opened, arrived } = await start(context);
  const clients = Array.from({ length: 40 }, () => join().resume());
  for (const client of clients) client.write(requestsFor(["/open", ...paths(16)]));
  await arrived(40 * 17);
  while (opened.length < 40) await turn();
  for (const response of opened) response.end();
  const most = await mostInTurn(handled, 40 * 16);
  assert.ok(most <= 16, `${most} in a turn`);
});

test("requests that arrive together on many connections begin in turns of the event loop, a few in each", async (context) => {
  const { join, handled } = await start(context);
  const clients = Array.from({ length: 80 }, () => join());
  const ask = (client: Socket) => {
    client.write(requestsFor(["/0"]));
    return once(client, "data");
  };
  const askAll = () => Promise.all(clients.map(ask));
  await askAll(); // Now all are connected.
  const answers = askAll();
  const most = await mostInTurn(handled, 160);
  assert.ok(most <= 16, `${most} in a turn`);
  await answers;
});

test("requests whose bodies end together on many connections are handled in turns of the event loop, a few in each", async (context) => {
  const { join, handled, arrived } = await start(context);
  const clients = Array.from({ length: 80 }, () => join());
  const head =
    "POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{";
  for (const client of clients) client.write(head);
  await arrived(80);
  for (let turns = 0; turns < 80; turns++) await turn(); // Now all wait for the rest of their bodies.
  const answers = clients.map((client) => once(client, "data"));
  for (const client of clients) client.write("}");
  const most = await mostInTurn(handled, 80);
  assert.ok(most <= 16, `${most} in a turn`);
  await Promise.all(answers);
});

test("of long bodies that end together, no more are handled in a turn than it reads", async (context) => {
  const { join, handled, arrived } = await start(context);
  const clients = Array.from({ length: 20 }, () => join());
  const length = 100_000;
  const head = `POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  for (const client of clients) client.write(`${head}["${"x".repeat(length - 4)}"`);
  await arrived(20);
  for (let turns = 0; turns < 200; turns++) await turn();
  const answers = clients.map((client) => once(client, "data"));
  for (const client of clients) client.write("]");
  const most = await mostInTurn(handled, 20);
  assert.ok(most <= 2, `${most} in a turn`);
  await Promise.all(answers);
});

test("a request that has waited does not act for the one before it", async (context) => {
  const { client, open, actors, arrived } = await start(context);
  client.write(requestsFor(["/open", "/0", "/1"]));
  const response = await open;
  await arrived(3);
  response.end();
  await readUntil(client, /\/1$/);
  assert.deepEqual(actors, [undefined, undefined, undefined]);
});
