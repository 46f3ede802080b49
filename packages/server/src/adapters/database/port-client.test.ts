import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { serveRpc } from "../../rpc/rpc.ts";
import { createPortClient } from "./port-client.ts";
import type { DatabaseRequest } from "./thread-messages.ts";

/** A thread that answers each statement with its text, after all statements that came before. */
function start() {
  const { port1, port2 } = new MessageChannel();
  const received: string[] = [];
  let account = "";
  let pending = 0;
  serveRpc<DatabaseRequest, string>(port2, async (request) => {
    const sql = request.kind === "statement" ? request.sql : "";
    received.push(sql);
    await new Promise((resolve) => setImmediate(resolve));
    return sql;
  });
  const client = createPortClient(port1, {
    onPending: (change) => {
      pending += change;
    },
    accountOf: () => account,
  });
  return {
    client,
    received,
    pending: () => pending,
    as(name: string, sql: string) {
      account = name;
      return client.execute(sql, []);
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
  const burst = Array.from({ length: 516 }, (_, at) => as("busy", `b${at}`));
  const refused = (await Promise.allSettled(burst)).filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 1);
  await client.close();

  const second = start();
  const all = Array.from({ length: 515 }, (_, at) => second.as("busy", `b${at}`));
  await Promise.all([...all, second.as("other", "o"), second.as("", "own")]);
  await second.client.close();
});

test("closing waits for the requests that wait", async () => {
  const { client, as } = start();
  const all = Array.from({ length: 20 }, (_, at) => as("a", `a${at}`));
  await client.close();
  assert.equal((await Promise.all(all)).length, 20);
  await assert.rejects(as("a", "late"), /has stopped/);
});
