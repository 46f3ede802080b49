import assert from "node:assert/strict";
import { after, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { addBodyBudget, type BodyBudget } from "./body-budget.ts";
import { createErrorHandler } from "./errors.ts";

const apps: FastifyInstance[] = [];
after(() => Promise.all(apps.map((app) => app.close())));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Answers `POST /` when `finish` is called, and says how many bodies it has at the moment. */
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

test("bodies beyond the budget wait until one before them is answered", async () => {
  const { post, running, reached } = createApp({});
  const first = post(60);
  await reached(1);
  const second = post(60);
  const small = post(5);
  await reached(2);
  assert.equal(running.length, 2, "the small one went past, the large one waits");
  running[0]?.();
  assert.equal((await first).statusCode, 200);
  await reached(3);
  for (const finish of running) finish();
  assert.equal((await second).statusCode, 200);
  assert.equal((await small).statusCode, 200);
});

test("a body larger than the whole budget is let in alone", async () => {
  const { post, running, reached } = createApp({});
  const large = post(500);
  await reached(1);
  running[0]?.();
  assert.equal((await large).statusCode, 200);
});

test("a body that waits too long, or behind too many, is refused with the time to come back", async () => {
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
  assert.equal((await next).statusCode, 200, "what was refused holds no room");
});
