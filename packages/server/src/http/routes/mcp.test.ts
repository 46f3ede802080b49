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
