import assert from "node:assert/strict";
import { after, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { addBodyBudget, type BodyBudget } from "./body-budget.ts";
import { createErrorHandler } from "./errors.ts";

const apps: FastifyInstance[] = [];
after(() => Promise.all(apps.map((app) => app.close())));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * `POST /` responds when its function in `running` is called. `reached` waits
 * until that many requests have arrived.
 */
function createApp(budget: Partial<BodyBudget>) {
  const app = Fastify({ bodyLimit: 1000 });
  apps.push(app);
  app.setErrorHandler(createErrorHandler(quiet));
  addBodyBudget(app, { totalBytes: 100, freeBytes: 10, waitMs: 60_000, maxWaiting: 2, ...budget });
  const running: (() => void)[] = [];
  const waiters: { count: number; resolve: () => void }[] = [];
  const arrived = () => {
    for (const waiter of waiters) if (running.length >= waiter.count) waiter.resolve();
  };
  app.post("/", () => {
    return new Promise((resolve) => {
      running.push(() => resolve({}));
      arrived();
    });
  });
  const post = (bytes: number) =>
    app.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "text/plain" },
      payload: "x".repeat(bytes),
    });
  const reached = (count: number) =>
    new Promise<void>((resolve) => {
      waiters.push({ count, resolve });
      arrived();
    });
  return { post, running, reached };
}

test("bodies over the budget wait until an earlier request is answered", async () => {
  const { post, running, reached } = createApp({});
  const first = post(60);
  await reached(1);
  const second = post(60);
  const small = post(5);
  await reached(2);
  assert.equal(running.length, 2, "the small body is admitted, the large one waits");
  running[0]?.();
  assert.equal((await first).statusCode, 200);
  await reached(3);
  for (const finish of running) finish();
  assert.equal((await second).statusCode, 200);
  assert.equal((await small).statusCode, 200);
});

test("a body larger than the whole budget is admitted on its own", async () => {
  const { post, running, reached } = createApp({});
  const large = post(500);
  await reached(1);
  running[0]?.();
  assert.equal((await large).statusCode, 200);
});

test("a body that waits too long, or finds the queue full, is refused with Retry-After", async () => {
  const { post, running, reached } = createApp({ waitMs: 1, maxWaiting: 1 });
  const first = post(100);
  await reached(1);
  const [late, refused] = await Promise.all([post(50), post(50)]);
  for (const reply of [late, refused]) {
    assert.equal(reply.statusCode, 503);
    assert.equal(reply.headers["retry-after"], "5");
  }
  running[0]?.();
  assert.equal((await first).statusCode, 200);
  const next = post(100);
  await reached(2);
  running[1]?.();
  assert.equal((await next).statusCode, 200, "refused bodies do not use the budget");
});
