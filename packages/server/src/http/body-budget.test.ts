import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { after, mock, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { addBodyBudget, type BodyBudget } from "./body-budget.ts";
import { createErrorHandler } from "./errors.ts";

const apps: FastifyInstance[] = [];
after(() => Promise.all(apps.map((app) => app.close())));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Resolves once `count` has reached a number; `changed` must be called after each change of it. */
function createWaits(count: () => number) {
  const waiters: { count: number; resolve: () => void }[] = [];
  const changed = () => {
    for (const waiter of waiters) if (count() >= waiter.count) waiter.resolve();
  };
  const reached = (wanted: number) =>
    new Promise<void>((resolve) => {
      waiters.push({ count: wanted, resolve });
      changed();
    });
  return { changed, reached };
}

interface Upload {
  /** Sends more bytes, and waits until they have been read. */
  send(bytes: number): Promise<void>;
  /** Ends a body of unknown length. */
  end(): void;
  /** Disconnects. */
  leave(): void;
  readonly answer: Promise<{ status: number; retryAfter: string | undefined }>;
}

/**
 * `POST /` responds when its function in `running` is called. `reached` waits until that many requests have been
 * received in full.
 */
async function createApp(budget: Partial<BodyBudget>) {
  const app = Fastify({ bodyLimit: 1000, forceCloseConnections: true });
  apps.push(app);
  app.setErrorHandler(createErrorHandler(createBoundedLog(quiet)));
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    request.caller = { accountId: String(request.headers["x-account"]), via: "api_key" };
  });
  const settings = { totalBytes: 100, freeBytes: 10, waitMs: 60_000, maxWaiting: 2 };
  addBodyBudget(app, { ...settings, slowest: { bytes: 10, periodMs: 1000, completeMs: 1000 }, ...budget });
  const running: (() => void)[] = [];
  const handled = createWaits(() => running.length);
  const reads: ((bytes: number) => void)[] = [];
  app.addContentTypeParser("text/plain", (request, payload: IncomingMessage, done) => {
    const read = reads[Number(request.headers["x-number"])];
    payload.on("data", (chunk: Buffer) => read?.(chunk.length));
    payload.once("end", () => done(null)).once("error", done);
  });
  app.post(
    "/",
    () =>
      new Promise((resolve) => {
        running.push(() => resolve({}));
        handled.changed();
      }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // It listens on a port.

  /** Announces a body, of unknown length for null; nothing of it is sent yet. */
  function announce(account: string, bytes: number | null): Upload {
    const length = bytes === null ? { "transfer-encoding": "chunked" } : { "content-length": bytes };
    const type = { "content-type": "text/plain", ...length };
    const headers = { ...type, "x-account": account, "x-number": reads.length };
    let [sentBytes, readBytes] = [0, 0];
    const read = createWaits(() => readBytes);
    reads.push((count) => {
      readBytes += count;
      read.changed();
    });
    const sending: ClientRequest = request({ port, method: "POST", path: "/", headers });
    sending.flushHeaders();
    const answer = once(sending, "response").then(([reply]: IncomingMessage[]) => {
      assert.ok(reply);
      reply.resume();
      return { status: reply.statusCode ?? 0, retryAfter: reply.headers["retry-after"] };
    });
    answer.catch(() => undefined); // Some bodies are never completed.
    sending.on("error", () => undefined); // Of a client that leaves.
    return {
      answer,
      end: () => void sending.end(),
      leave: () => void sending.destroy(),
      send(count) {
        sending.write("x".repeat(count));
        sentBytes += count;
        return read.reached(sentBytes);
      },
    };
  }
  /** A whole body. */
  const post = (account: string, bytes: number) => {
    const upload = announce(account, bytes);
    void upload.send(bytes);
    return upload.answer;
  };
  return { announce, post, running, reached: handled.reached };
}

test("bodies of an account over its share wait until an earlier one is answered", async () => {
  const { post, running, reached } = await createApp({});
  const first = post("a", 40);
  await reached(1);
  const second = post("a", 40);
  const small = post("a", 5);
  await reached(2);
  assert.equal(running.length, 2, "the small body is admitted, the large one waits");
  running[0]?.();
  assert.equal((await first).status, 200);
  await reached(3);
  for (const finish of running) finish();
  assert.deepEqual([(await second).status, (await small).status], [200, 200]);
});

test("a body whose client leaves after its last byte, or while it is queued, is released", async () => {
  const { announce, post, running, reached } = await createApp({});
  const left = announce("a", 40);
  await left.send(40);
  await reached(1);
  const queued = announce("a", 40);
  const second = post("a", 45);
  queued.leave();
  left.leave();
  await reached(2);
  for (const finish of running) finish();
  assert.equal((await second).status, 200);
});

test("a body of unknown length counts with its length once it has arrived", async () => {
  const { announce, post, running, reached } = await createApp({});
  const unknown = announce("a", null);
  await unknown.send(20);
  unknown.end();
  await reached(1);
  const second = post("a", 25);
  await reached(2);
  for (const finish of running) finish();
  assert.deepEqual([(await unknown.answer).status, (await second).status], [200, 200]);
});

test("a body larger than the whole budget is admitted on its own", async () => {
  const { post, running, reached } = await createApp({});
  const large = post("a", 500);
  await reached(1);
  running[0]?.();
  assert.equal((await large).status, 200);
});

test("a body that waits too long, or finds its account's queue full, is refused with Retry-After", async () => {
  const { post, running, reached } = await createApp({ waitMs: 1, maxWaiting: 1 });
  const first = post("a", 50);
  await reached(1);
  for (const refused of await Promise.all([post("a", 50), post("a", 50)]))
    assert.deepEqual(refused, { status: 503, retryAfter: "5" });
  running[0]?.();
  assert.equal((await first).status, 200);
  const next = post("a", 50);
  await reached(2);
  running[1]?.();
  assert.equal((await next).status, 200, "refused bodies do not use the budget");
});

test("bodies that were announced and do not arrive take nothing from other accounts", async () => {
  const { announce, post, running, reached } = await createApp({ waitMs: 1 });
  const dripping = [announce("a", 60), announce("b", 60), announce("c", 60)];
  for (const { send, answer } of dripping) await Promise.race([send(1), answer]);
  const upload = post("d", 90);
  await Promise.race([reached(1), upload]);
  running[0]?.();
  assert.equal((await upload).status, 200);
});

test("when more has arrived than fits, the account that holds the most loses its last body", async () => {
  // A machine with other work may stand still for a second.
  const slowest = { bytes: 10, periodMs: 60_000, completeMs: 60_000 };
  const { announce, post, running, reached } = await createApp({ slowest });
  const [older, newer, other] = [announce("a", 20), announce("a", 30), announce("b", 45)];
  await older.send(19);
  await newer.send(29);
  await other.send(40);
  const upload = post("c", 20);
  assert.deepEqual(await newer.answer, { status: 503, retryAfter: "5" });
  await reached(1);
  await Promise.all([older.send(1), other.send(5)]);
  await reached(3);
  for (const finish of running) finish();
  for (const { answer } of [older, other]) assert.equal((await answer).status, 200);
  assert.equal((await upload).status, 200);
});

test("a body that arrives too slowly is refused, and one at the least rate is not", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const { announce, post, running, reached } = await createApp({});
    const [slow, steady] = [announce("a", 50), announce("b", 50)];
    await slow.send(10);
    await steady.send(10);
    mock.timers.tick(1000);
    const waiting = post("a", 30);
    await slow.send(9);
    await steady.send(10);
    mock.timers.tick(1000);
    assert.equal((await slow.answer).status, 408);
    await reached(1);
    for (let period = 0; period < 3; period++) {
      await steady.send(10);
      mock.timers.tick(1000);
    }
    await reached(2);
    mock.timers.tick(5000);
    for (const finish of running) finish();
    assert.deepEqual([(await steady.answer).status, (await waiting).status], [200, 200]);
  } finally {
    mock.timers.reset();
  }
});

test("of a short body so much must arrive that it is complete in time", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const slowest = { bytes: 100, periodMs: 1000, completeMs: 5000 };
    const { announce, running, reached } = await createApp({ slowest });
    const [slow, steady] = [announce("a", 50), announce("b", 50)];
    for (let period = 0; period < 4; period++) {
      await steady.send(10);
      if (period === 0) await slow.send(9);
      mock.timers.tick(1000);
    }
    assert.equal((await slow.answer).status, 408);
    await steady.send(10);
    await reached(1);
    for (const finish of running) finish();
    assert.equal((await steady.answer).status, 200);
  } finally {
    mock.timers.reset();
  }
});
