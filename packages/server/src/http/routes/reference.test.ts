import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { errors } from "../../domain/errors.ts";
import type { Content, ReadLargeBody } from "../large-body.ts";
import { addReferenceRoutes } from "./reference.ts";

test("the documents about the API are made once, by the thread, as bytes that all responses share", async () => {
  const app = Fastify();
  const sent: unknown[] = [];
  const asked: string[] = [];
  app.addHook("onSend", async (_request, _reply, payload) => void sent.push(payload));
  let isAvailable = false;
  const readLargeBody: ReadLargeBody = async ({ form, pieces }) => {
    asked.push(`${form} ${Buffer.concat(pieces)}`);
    if (!isAvailable) throw errors.unavailable("The thread was lost.", { retryAfterSeconds: 1 });
    return (() => ({ openapi: "{}", docs: "<p>", llms: "#" })) as Content<never>; // Of the form that is asked.
  };
  addReferenceRoutes(app, { publicUrl: "http://localhost:8080", readLargeBody });
  assert.equal((await app.inject({ url: "/docs" })).statusCode, 500, "without the app's own errors");
  isAvailable = true;
  sent.splice(0);
  for (const [url, text] of [
    ["/openapi.json", "{}"],
    ["/docs", "<p>"],
    ["/llms.txt", "#"],
  ] as const) {
    for (let i = 0; i < 2; i++) assert.equal((await app.inject({ url })).body, text);
    const [first, second] = sent.splice(0);
    assert.ok(Buffer.isBuffer(first) && first === second, url);
  }
  const one = "reference http://localhost:8080";
  assert.deepEqual(asked, [one, one], "once more after a failure");
});
