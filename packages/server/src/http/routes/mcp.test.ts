import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { addMcpRoute } from "./mcp.ts";

test("the requests of an account begin in different turns of the event loop", async () => {
  const app = Fastify();
  app.decorateRequest("caller", null);
  let turn = 0;
  const begun: number[] = [];
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  addMcpRoute(app, {
    mcp: {
      async answer() {
        begun.push(turn);
        return new Response("{}");
      },
      close: () => Promise.resolve(),
    },
    authenticate: async (request) => {
      request.caller = { accountId: "a", via: "api_key" };
    },
    isStillAllowed: async () => true,
    actAs: (_work, run) => run(),
    publicUrl: "http://localhost",
    corsOrigins: [],
    answers: { hold: () => assert.fail("the answer is short") },
  });
  const post = () => app.inject({ method: "POST", url: "/mcp" });
  const replies = await Promise.all(Array.from({ length: 5 }, post));
  clearImmediate(counting);
  await app.close();
  assert.deepEqual(new Set(replies.map(({ statusCode }) => statusCode)), new Set([200]));
  assert.equal(new Set(begun).size, 5);
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
