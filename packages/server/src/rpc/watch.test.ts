import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { createRpcClient, serveRpc } from "./rpc.ts";
import { BEAT_MS, createWatch } from "./watch.ts";

const ROUNDS = 3;

function setUp(handle: (value: string) => Promise<string>) {
  const { port1, port2 } = new MessageChannel();
  serveRpc(port2, handle);
  const client = createRpcClient<string, string>(port1);
  let silences = 0;
  const watch = createWatch(() => undefined);
  watch.add({
    client,
    silenceMs: () => ROUNDS * BEAT_MS,
    onSilent: () => {
      silences++;
    },
  });
  return { port1, port2, client, watch, silences: () => silences };
}

test("a thread whose long job lets its event loop turn is not silent, however long the job takes", async (context) => {
  const job = Promise.withResolvers<string>();
  const { port1, client, watch, silences } = setUp(() => job.promise);
  context.after(() => port1.close());
  const answer = client.call("long");
  for (let round = 0; round < 5 * ROUNDS; round++) {
    const answered = once(port1, "message");
    watch.beat();
    await answered;
  }
  assert.equal(silences(), 0);
  job.resolve("done");
  assert.equal(await answer, "done");
});

test("a thread with work that gives no sign of life is reported, once", async (context) => {
  const { port1, port2, client, watch, silences } = setUp(async () => "never");
  context.after(() => port1.close());
  port2.removeAllListeners("message");
  void client.call("hang");
  for (let round = 1; round < ROUNDS; round++) watch.beat();
  assert.equal(silences(), 0);
  for (let round = 0; round < ROUNDS; round++) watch.beat();
  assert.equal(silences(), 1);
});

test("a thread without work is asked for nothing and never reported", async (context) => {
  const { port1, port2, client, watch, silences } = setUp(async () => "done");
  context.after(() => port1.close());
  await client.call("short");
  let asked = 0;
  port2.on("message", () => asked++);
  for (let round = 0; round < 5 * ROUNDS; round++) watch.beat();
  await client.call("short");
  assert.deepEqual([silences(), asked], [0, 1]);
});
