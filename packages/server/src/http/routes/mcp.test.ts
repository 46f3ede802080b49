import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import Fastify from "fastify";
import { createBoundedLog } from "../../bounded-log.ts";
import type { Log } from "../../ports/log.ts";
import { registerJsonBodies } from "../body.ts";
import { createErrorHandler } from "../errors.ts";
import { addRequestTurns } from "../request-turns.ts";
import { addMcpRoute, type McpAnswerer } from "./mcp.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function createApp(answer: McpAnswerer["answer"], log: Log = quiet) {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(createErrorHandler(createBoundedLog(log)));
  addRequestTurns(app);
  registerJsonBodies(app);
  app.decorateRequest("caller", null);
  addMcpRoute(app, {
    mcp: { answer, close: () => Promise.resolve() },
    authenticate: async (request) => {
      request.caller = { accountId: "a", via: "api_key" };
    },
    isStillAllowed: async () => true,
    actAs: (_work, run) => run(),
    publicUrl: "http://localhost",
    corsOrigins: [],
    answers: { hold: () => assert.fail("the answer is short") },
  });
  return app;
}

/** Sends the bytes on a new connection, and resolves with the first of the response. */
async function exchange(context: TestContext, port: number, bytes: string): Promise<string> {
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  context.after(() => client.destroy());
  client.write(bytes);
  const [chunk] = (await once(client, "data")) as [Buffer]; // What a socket emits.
  return chunk.toString();
}

test("a new connection waits for few of the messages that many connections have sent before", async (context) => {
  let begun = 0;
  const app = createApp(async () => {
    begun++;
    return new Response("{}");
  });
  app.get("/health", async () => "healthy");
  context.after(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // It listens on a port.
  const post = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
  const others = Array.from({ length: 60 }, () => exchange(context, port, post));
  const reply = await exchange(context, port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const before = begun;
  assert.match(reply, /^HTTP\/1.1 200 .*healthy$/s);
  for (const other of await Promise.all(others)) assert.match(other, /^HTTP\/1.1 200 /);
  assert.equal(begun, 60);
  assert.ok(before <= 15, `${before} had begun`);
});

test("each message of a batch has its turn, and too many that wait are refused", async () => {
  const turns: Promise<void>[] = [];
  const release = Promise.withResolvers<void>();
  const app = createApp(async ({ nextTurn }) => {
    turns.push(nextTurn(), nextTurn());
    await release.promise;
    return new Response("{}");
  });
  const post = () =>
    app.inject({ method: "POST", url: "/mcp", body: Array(8).fill({ jsonrpc: "2.0", method: "ping" }) });
  const replies = Array.from({ length: 90 }, post);
  const refused = await Promise.race(replies);
  assert.equal(refused.statusCode, 429);
  release.resolve();
  const statuses = (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  await Promise.all(turns);
  await app.close();
  assert.ok(statuses.filter((status) => status === 200).length >= 64, `${statuses}`);
});

test("the second message of a batch waits for turns of the event loop that are free for others", async () => {
  const passed: boolean[] = [];
  const app = createApp(async ({ nextTurn }) => {
    let isBegun = false;
    const second = nextTurn().then(() => {
      isBegun = true;
    });
    for (let turns = 0; turns < 4; turns++) await turn();
    passed.push(isBegun);
    await second;
    passed.push(isBegun);
    return new Response("{}");
  });
  await app.inject({ method: "POST", url: "/mcp", body: Array(2).fill({ jsonrpc: "2.0", method: "ping" }) });
  await app.close();
  assert.deepEqual(passed, [false, true]);
});

test("a batch is refused for an id that two of its requests have", async () => {
  const app = createApp(async () => new Response("{}"));
  const post = (body: object[]) => app.inject({ method: "POST", url: "/mcp", body });
  const ping = (id: string | number) => ({ jsonrpc: "2.0", id, method: "ping" });
  const response = { jsonrpc: "2.0", id: 1, result: {} };
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await post([ping(1), ping("1"), response, notification, notification])).statusCode, 200);
  const long = "x".repeat(1_000);
  for (const [body, id] of [
    [[ping(1), ping(2), ping(1)], "1"],
    [[ping(long), notification, ping(long)], `"${"x".repeat(40)}"`],
  ] as const) {
    const refusal = await post([...body]);
    assert.equal(refusal.statusCode, 400);
    const message = `Invalid Request: two requests have the id ${id}, expected one for each`;
    assert.deepEqual(refusal.json(), { jsonrpc: "2.0", id: null, error: { code: -32_600, message } });
  }
  await app.close();
});

test("a stream of events is taken at once and counted, and arrives whole", async () => {
  const frames = ["x".repeat(100), "y".repeat(300_000), "z".repeat(10)];
  let heldBytes = 0;
  const app = Fastify();
  app.decorateRequest("caller", null);
  addMcpRoute(app, {
    mcp: {
      answer: async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const frame of frames) controller.enqueue(new TextEncoder().encode(frame));
              controller.close();
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
      close: () => Promise.resolve(),
    },
    authenticate: async (request) => {
      request.caller = { accountId: "a", via: "api_key" };
    },
    isStillAllowed: async () => true,
    actAs: (_work, run) => run(),
    publicUrl: "http://localhost",
    corsOrigins: [],
    answers: {
      hold(_exchange, { bytes, isRefusable }) {
        assert.equal(isRefusable, false);
        heldBytes += bytes;
      },
    },
  });
  const reply = await app.inject({ method: "POST", url: "/mcp" });
  await app.close();
  assert.equal(reply.body, frames.join(""));
  assert.ok(heldBytes >= 300_000);
});

test("a client that leaves before the first event is no fault of the service", async (context) => {
  const logged: string[] = [];
  const answered = Promise.withResolvers<void>();
  const app = createApp(
    async () => {
      answered.resolve();
      return new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    },
    { ...quiet, error: (event) => logged.push(event), warn: (event) => logged.push(event) },
  );
  const failed = Promise.withResolvers<void>();
  app.addHook("onError", async () => void setImmediate(failed.resolve));
  context.after(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // It listens on a port.
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  const head =
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
  client.write(`${head}\r\n{}`);
  await answered.promise;
  for (let turns = 0; turns < 8; turns++) await turn();
  client.destroy();
  await failed.promise;
  assert.deepEqual(logged, []);
});
