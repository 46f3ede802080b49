import assert from "node:assert/strict";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, mock, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { type AnswerBudget, addAnswerBudget } from "./answer-budget.ts";
import { createErrorHandler } from "./errors.ts";
import { addEtagAndCompression } from "./etag-and-compression.ts";
import { LongJson } from "./long-json.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const MIB = 1024 * 1024;
/** More than the buffers of a connection hold. */
const LONG_TEXT = "x".repeat(16 * MIB);
const LONG_BYTES = 2 * LONG_TEXT.length;
const PERIOD_MS = 10_000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

/** With room for three long answers of an account and four of all. */
async function createApp(addRoutes: (app: FastifyInstance) => void = addLong) {
  const app = Fastify({ forceCloseConnections: true });
  closers.push(() => app.close());
  app.setErrorHandler(createErrorHandler(createBoundedLog(quiet)));
  app.decorateRequest("caller", null);
  const serverSockets: Socket[] = [];
  app.addHook("onRequest", async (request) => {
    serverSockets.push(request.raw.socket);
    request.caller = { accountId: String(request.headers["x-account"]), via: "api_key" };
  });
  const budget: AnswerBudget = {
    totalBytes: 4.5 * LONG_BYTES,
    accountBytes: 3.5 * LONG_BYTES,
    freeBytes: MIB,
    compressorBytes: LONG_BYTES,
    slowest: { periodMs: PERIOD_MS, bytesPerMs: 8 },
  };
  const answers = addAnswerBudget(app, budget);
  // A timer that is cleared while timers are mocked would stay.
  closers.push(() => until(() => answers.heldBytes() === 0));
  addRoutes(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // It listens on a port.

  const send = (account: string, path: string, init: RequestInit = {}) => {
    const headers = { "x-account": account, "accept-encoding": "identity", ...init.headers };
    return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  };
  const statusOf = async (...request: Parameters<typeof send>) => {
    const { status, body } = await send(...request);
    await body?.cancel(); // A client that does not read it would keep its connection.
    return status;
  };
  /** Sends a request, and reads nothing until `resume`. */
  function hold(account: string, line = "GET /long"): Socket {
    const socket = connect(port, "127.0.0.1").pause();
    closers.push(async () => socket.destroy());
    socket.on("error", () => undefined); // Some are cut off.
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nX-Account: ${account}\r\nContent-Length: 0\r\n\r\n`);
    return socket;
  }
  const isHeld = (count: number) => answers.heldBytes() > (count - 0.5) * LONG_BYTES;
  return { answers, send, statusOf, hold, isHeld, serverSockets };
}

function addLong(app: FastifyInstance): void {
  const send = () => new LongJson({ text: LONG_TEXT });
  app.get("/long", async (_request, reply) => reply.type("application/json").send(send()));
  app.post("/long", async (_request, reply) => reply.type("application/json").send(send()));
  app.get("/short", async () => ({}));
}

test("beyond what an account's unread answers may hold it is refused, and nobody else; all is served when they close", async () => {
  const { answers, send, statusOf, hold, isHeld } = await createApp();
  const sockets = [hold("a"), hold("a"), hold("a")];
  await until(() => isHeld(3));
  const refused = await send("a", "/long");
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.match(await refused.text(), /of answers of an account are held at once/);
  assert.equal(await statusOf("a", "/short"), 200);
  assert.equal((await (await send("b", "/long")).text()).length, LONG_TEXT.length + 11);
  for (const socket of sockets) socket.destroy();
  await until(() => answers.heldBytes() === 0);
  assert.equal((await (await send("a", "/long")).text()).length, LONG_TEXT.length + 11);
  await until(() => answers.heldBytes() === 0);
});

test("where all hold too much, the account with the most loses its oldest answer", async () => {
  const { statusOf, hold, isHeld, serverSockets } = await createApp();
  const sockets = [hold("a")];
  await until(() => isHeld(1));
  sockets.push(hold("a"), hold("a"), hold("b"));
  await until(() => isHeld(4));
  assert.equal(await statusOf("c", "/long"), 200);
  assert.equal(serverSockets[0]?.destroyed, true);
  assert.deepEqual(
    serverSockets.slice(1).map(({ destroyed }) => destroyed),
    [false, false, false, false],
  );
});

test("what a request may have changed is always answered: the account's oldest answer is cut off", async () => {
  const { statusOf, hold, isHeld, serverSockets } = await createApp();
  hold("a");
  await until(() => isHeld(1));
  hold("a");
  hold("a", "POST /long");
  await until(() => isHeld(3));
  assert.equal(await statusOf("a", "/long", { method: "POST" }), 200);
  assert.equal(serverSockets[0]?.destroyed, true);
  assert.equal(serverSockets[1]?.destroyed, false);
});

test("the compressor of a long answer counts", async () => {
  const { answers, statusOf, hold } = await createApp();
  hold("a", "GET /long HTTP/1.1\r\nAccept-Encoding: br\r\nX-Rest:");
  await until(() => answers.heldBytes() > 0);
  assert.ok(answers.heldBytes() > 2 * LONG_BYTES);
  assert.equal(await statusOf("a", "/long"), 200);
});

test("an answer of which nothing is taken is cut off, and one of which a little is taken is not", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const { answers, hold, isHeld, serverSockets } = await createApp();
    const reader = hold("a");
    await until(() => isHeld(1));
    hold("a");
    await until(() => isHeld(2));
    const [read, unread] = serverSockets;
    assert.ok(read !== undefined && unread !== undefined);
    const taken = () => read.bytesWritten - read.writableLength;
    while (!unread.destroyed) {
      const before = taken();
      await until(() => {
        reader.read();
        return taken() > before;
      });
      mock.timers.tick(PERIOD_MS);
      assert.equal(read.destroyed, false);
    }
    await until(() => !isHeld(2));
    assert.ok(answers.heldBytes() > 0);
  } finally {
    mock.timers.reset();
  }
});

/** Long answers of many items. `written` is told the account of each item when it is written. */
function addItems(count: number, written: (account: string) => void) {
  return (app: FastifyInstance) => {
    addEtagAndCompression(app);
    app.get("/items", async ({ caller }, reply) => {
      const text = "x".repeat(128 * 1024);
      const toJSON = () => {
        written(caller?.accountId ?? "");
        return text;
      };
      const items = Array.from({ length: count }, () => ({ text, toJSON }));
      return reply.type("application/json").send(new LongJson({ items }));
    });
  };
}

test("one part of all long answers is written in a turn of the event loop, and accounts take turns", async () => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn++;
    counting = setImmediate(count);
  });
  const written: { turn: number; account: string }[] = [];
  const { statusOf } = await createApp(addItems(20, (account) => void written.push({ turn, account })));
  // Answers that are not sent are measured only.
  const get = (account: string) => statusOf(account, "/items", { headers: { "if-none-match": "*" } });
  const statuses = await Promise.all([...Array.from({ length: 6 }, () => get("a")), get("b")]);
  clearImmediate(counting);
  assert.deepEqual(new Set(statuses), new Set([304]));
  assert.equal(written.length, 140);
  assert.equal(new Set(written.map((each) => each.turn)).size, 140);
  const accounts = written.map(({ account }) => account);
  const between = accounts.slice(accounts.indexOf("b"), accounts.lastIndexOf("b"));
  assert.ok(between.length <= 65, `${between.length} parts were written until b had its 20`);
});

test("a long answer whose client leaves is neither held nor written any more", async () => {
  let writtenCount = 0;
  const begun = Promise.withResolvers<void>();
  const { answers, hold } = await createApp(
    addItems(100_000, () => {
      writtenCount++;
      begun.resolve();
    }),
  );
  const leaving = hold("a", "GET /items");
  await begun.promise;
  leaving.destroy();
  await until(() => answers.heldBytes() === 0);
  const count = writtenCount;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  assert.ok(writtenCount <= count + 1);
});
