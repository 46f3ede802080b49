/** What was surely never sent is not "maybe done", and what is no answer of the service is told as an error of this package. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSearchTool } from "../src/ai.ts";
import { type ClientOptions, createClient, KcsError, NotFoundError, TimeoutError } from "../src/index.ts";
import { createRetriever } from "../src/langchain.ts";
import { type Answer, fakeFetch, fault, json } from "./fake-fetch.ts";

const QUICK = { minDelayMs: 0, maxDelayMs: 0 };

function clientOf(answers: readonly Answer[], options: ClientOptions = {}) {
  const { fetch, sent } = fakeFetch(...answers);
  return { client: createClient({ apiKey: "kcs_x", fetch, retry: QUICK, ...options }), sent };
}

const failing = (properties: object, message = "no"): Answer => {
  const cause = Object.assign(new Error(message), properties);
  return () => Promise.reject(new TypeError("fetch failed", { cause }));
};

describe("a request that was never sent is not maybe done, and a 404 of its repetition is an error:", () => {
  const refused = Object.assign(new Error("no"), { code: "ETIMEDOUT", syscall: "connect" });
  for (const [name, answer] of Object.entries({
    refused: failing({ code: "ECONNREFUSED" }),
    "unknown host": failing({ code: "ENOTFOUND" }),
    "connection takes too long": failing({ code: "UND_ERR_CONNECT_TIMEOUT" }),
    "connection times out": failing({ code: "ETIMEDOUT", syscall: "connect" }),
    "all addresses time out": failing({ code: "ETIMEDOUT", errors: [refused, refused] }),
    "unknown certificate": failing({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
    "certificate of itself": failing({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    "certificate of another name": failing({ code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
    "expired certificate": failing({ code: "CERT_HAS_EXPIRED" }),
    "no TLS": failing({ code: "ERR_SSL_WRONG_VERSION_NUMBER" }),
    "a port that fetch refuses": failing({}, "bad port"),
    "no address": failing({ code: "ERR_INVALID_URL" }),
    "handshake broken": failing(
      { code: "ECONNRESET" },
      "Client network socket disconnected before secure TLS connection was established",
    ),
  }))
    test(name, async () => {
      const { client } = clientOf([answer, fault(404, "No such project.")]);
      await assert.rejects(client.projects.delete("p"), NotFoundError);
      await assert.rejects(
        clientOf([answer]).client.projects.create({ name: "x" }),
        (error) => error instanceof KcsError && !error.mayBeDone,
      );
    });

  test("but one whose connection broke, or timed out when it was there, may be", async () => {
    for (const properties of [{ code: "ECONNRESET" }, { code: "ETIMEDOUT", syscall: "read" }]) {
      const { client } = clientOf([failing(properties), fault(404, "No such project.")]);
      await client.projects.delete("p");
    }
  });
});

describe("a function for the key", () => {
  test("that throws ends the call with its reason: nothing is sent, repeated or maybe done", async () => {
    let asked = 0;
    const apiKey = () => {
      asked++;
      throw new Error("vault locked");
    };
    const { client, sent } = clientOf([() => json({})], { apiKey });
    await assert.rejects(
      client.projects.create({ name: "x" }),
      (error) =>
        error instanceof KcsError &&
        /apiKey function failed.*vault locked/.test(error.message) &&
        !error.mayBeDone,
    );
    assert.deepEqual([asked, sent.length], [1, 0]);
  });

  test("that never ends is ended by the timeout and by the signal", { timeout: 5_000 }, async () => {
    const apiKey = () => new Promise<string>(() => undefined);
    const { client, sent } = clientOf([() => json({})], { apiKey, timeoutMs: 10 });
    await assert.rejects(
      client.projects.create({ name: "x" }),
      (error) => error instanceof TimeoutError && /apiKey function/.test(error.message) && !error.mayBeDone,
    );
    const reason = new Error("the user left");
    const leaving = new AbortController();
    const call = client.projects.list({}, { signal: leaving.signal, timeoutMs: Number.POSITIVE_INFINITY });
    setTimeout(() => leaving.abort(reason), 5);
    await assert.rejects(call, reason);
    assert.equal(sent.length, 0);
  });
});

describe("in place of what is expected", () => {
  const isClear = (error: unknown) => error instanceof KcsError && /answer/.test(error.message);
  for (const body of [null, [], "text", {}, { documents: null, projects: {}, jobs: 1, results: {} }]) {
    test(`${JSON.stringify(body)} is told by lists, tools and waiting`, { timeout: 5_000 }, async () => {
      const { client } = clientOf([() => json(body)]);
      const nextOf = (items: AsyncGenerator<unknown>) => items.next();
      await assert.rejects(nextOf(client.projects.each()), isClear);
      await assert.rejects(nextOf(client.documents.each("p")), isClear);
      await assert.rejects(createRetriever({ client, projectId: "p" }).invoke("x"), isClear);
      const tool = createSearchTool({ client, projectId: "p" });
      await assert.rejects(tool.execute({ question: "x" }), isClear);
      const many = Array.from({ length: 9 }, (_, at) => `j${at}`);
      await assert.rejects(client.jobs.waitAll("p", many, { timeoutMs: 500 }), isClear);
    });
  }
  for (const body of [null, [], 1])
    test(`${JSON.stringify(body)} is told by each call, and a change may be done`, async () => {
      const { client } = clientOf([() => json(body)]);
      await assert.rejects(client.usage(), isClear);
      await assert.rejects(
        client.projects.create({ name: "x" }),
        (error) => isClear(error) && (error as KcsError).mayBeDone,
      );
    });
});
