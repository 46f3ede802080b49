import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel, Worker } from "node:worker_threads";
import { UNKNOWN_CALLER } from "../../ports/current-work.ts";
import { serveRpc } from "../../rpc/rpc.ts";
import { createPortClient } from "./port-client.ts";
import type { DatabaseRequest } from "./thread-messages.ts";

/** A thread that answers each statement with its text, after all statements that came before. */
function start() {
  const { port1, port2 } = new MessageChannel();
  const received: string[] = [];
  let account = "";
  let signal: AbortSignal | null = null;
  let pending = 0;
  serveRpc<DatabaseRequest, string>(port2, async (request) => {
    const sql =
      request.kind === "statement" ? request.sql : request.kind === "operation" ? request.name : "trial";
    received.push(sql);
    await new Promise((resolve) => setImmediate(resolve));
    return sql;
  });
  const client = createPortClient(port1, {
    onPending: (change) => {
      pending += change;
    },
    currentWork: () => ({ accountId: account, signal }),
  });
  return {
    client,
    received,
    pending: () => pending,
    as(name: string, sql: string) {
      account = name;
      return client.execute(sql, []);
    },
    /** An operation of the registry, which the thread answers like a statement. */
    call(name: "findJob" | "deleteProject", given: AbortSignal) {
      signal = given;
      return client.call(name, {});
    },
  };
}

test("accounts take turns: a burst of one delays another's request by a few", async () => {
  const { client, received, as, pending } = start();
  const burst = Array.from({ length: 50 }, (_, at) => as("busy", `b${at}`));
  const other = as("other", "o");
  assert.equal(pending(), 51);
  await other;
  assert.ok(received.indexOf("o") <= 4, received.join(" "));
  await Promise.all(burst);
  assert.deepEqual(
    received.filter((sql) => sql !== "o"),
    burst.map((_, at) => `b${at}`),
  );
  assert.equal(pending(), 0);
  await client.close();
});

test("an account whose requests fill its part of the queue is refused, others and the service are not", async () => {
  const { client, as } = start();
  const burst = Array.from({ length: 515 }, (_, at) => as("busy", `b${at}`));
  const refused = (await Promise.allSettled(burst)).filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 1);
  await client.close();

  const second = start();
  const all = Array.from({ length: 514 }, (_, at) => second.as("busy", `b${at}`));
  await Promise.all([...all, second.as("other", "o"), second.as("", "own")]);
  await second.client.close();
});

for (const name of ["", UNKNOWN_CALLER]) {
  test(`accounts whose requests fill the queue leave places to ${name === "" ? "the service" : "callers who are not known yet"}`, async () => {
    const { client, as } = start();
    const burst = Array.from({ length: 3_000 }, (_, at) => as(`busy${at % 6}`, `b${at}`));
    const refused = Promise.allSettled(burst).then((all) =>
      all.filter(({ status }) => status === "rejected"),
    );
    const own = Array.from({ length: 2_048 }, (_, at) => as(name, `own${at}`));
    await assert.rejects(as(name, "one too many"), /too many requests waiting/);
    await Promise.all(own);
    assert.equal((await refused).length, 3_000 - 2_048 - 3);
    await client.close();
  });
}

test("closing waits for the requests that wait", async () => {
  const { client, as } = start();
  const all = Array.from({ length: 20 }, (_, at) => as("a", `a${at}`));
  await client.close();
  assert.equal((await Promise.all(all)).length, 20);
  await assert.rejects(as("a", "late"), /has stopped/);
});

test("a read that waits is dropped when its client disconnects; a write is carried out", async () => {
  const { client, received, as, call, pending } = start();
  const before = Array.from({ length: 3 }, (_, at) => as("a", `a${at}`));
  const disconnected = new AbortController();
  const read = call("findJob", disconnected.signal);
  const write = call("deleteProject", disconnected.signal);
  disconnected.abort(new Error("gone"));
  await assert.rejects(read, /gone/);
  await assert.rejects(call("findJob", disconnected.signal), /gone/);
  await Promise.all([...before, write]);
  assert.deepEqual(received, ["a0", "a1", "a2", "deleteProject"]);
  assert.equal(pending(), 0);
  await client.close();
});

/** Answers at once, and counts its answers in shared memory. */
const ANSWERING = `
  const { parentPort, workerData: { port, answered } } = require("node:worker_threads");
  port.on("message", ({ id }) => {
    port.postMessage({ id, value: null });
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
  parentPort.once("message", () => port.close());`;
const AT_MOST_MS = 10;

test("a burst lets the event loop turn between its answers, however fast they come", async () => {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const data = { port: port2, answered };
  const worker = new Worker(ANSWERING, { eval: true, workerData: data, transferList: [port2] });
  const client = createPortClient(port1);
  let turn = 0;
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const turns = new Map<number, number>();
  const burst = Array.from({ length: 20 }, async (_, at) => {
    await client.execute(`s${at}`, []);
    turns.set(turn, (turns.get(turn) ?? 0) + 1);
    // As work with the answer, during which the thread has time to answer what it has.
    Atomics.wait(answered, 0, at + 1, AT_MOST_MS);
  });
  await Promise.all(burst);
  clearImmediate(counting);
  assert.ok(Math.max(...turns.values()) <= 3, [...turns].join(" "));
  await client.close();
  worker.postMessage("end");
});
