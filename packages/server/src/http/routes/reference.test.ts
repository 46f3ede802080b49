import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { addReferenceRoutes } from "./reference.ts";

test("the documents about the API are made once, as bytes that all responses share", async () => {
  const app = Fastify();
  const sent: unknown[] = [];
  app.addHook("onSend", async (_request, _reply, payload) => void sent.push(payload));
  addReferenceRoutes(app, { publicUrl: "http://localhost:8080" });
  for (const url of ["/openapi.json", "/docs", "/llms.txt"]) {
    for (let i = 0; i < 2; i++) assert.equal((await app.inject({ url })).statusCode, 200);
    const [first, second] = sent.splice(0);
    assert.ok(Buffer.isBuffer(first) && first === second, url);
  }
});
