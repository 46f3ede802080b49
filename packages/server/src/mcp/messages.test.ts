import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { InMemoryTransport, type JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import { batchFault, checkAndPaceMessages } from "./messages.ts";

const ping = (id: string | number) => ({ jsonrpc: "2.0", id, method: "ping" }) as const;

test("each message of a batch after the first waits for its turn", async () => {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const turns: (() => void)[] = [];
  checkAndPaceMessages(server, () => new Promise((resolve) => turns.push(resolve)));
  const [client, own] = InMemoryTransport.createLinkedPair();
  const answers: JSONRPCMessage[] = [];
  client.onmessage = (message) => void answers.push(message);
  await client.start();
  await server.connect(own);
  for (const id of [1, 2, 3]) await client.send(ping(id));
  const answered: number[] = [];
  for (const begin of [() => undefined, ...turns]) {
    begin();
    await turn();
    answered.push(answers.length);
  }
  await server.close();
  assert.deepEqual(answered, [1, 2, 3]);
});

test("a batch is refused for an id that two of its requests have", async () => {
  const response = { jsonrpc: "2.0", id: 1, result: {} };
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  for (const body of [
    undefined,
    ping(1),
    [],
    [5, null],
    [ping(1), ping("1"), response, notification, notification],
  ]) {
    assert.equal(batchFault(body), null, JSON.stringify(body));
  }
  for (const [body, id] of [
    [[ping(1), ping(2), ping(1)], "1"],
    [[ping("x".repeat(1_000)), notification, ping("x".repeat(1_000))], `"${"x".repeat(40)}"`],
  ] as const) {
    const refusal = batchFault(body);
    assert.equal(refusal?.status, 400);
    assert.deepEqual(await refusal.json(), {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32_600,
        message: `Invalid Request: two requests have the id ${id}, expected one for each`,
      },
    });
  }
});
