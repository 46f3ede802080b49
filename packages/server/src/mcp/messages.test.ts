import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { InMemoryTransport, type JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import { checkAndPaceMessages } from "./messages.ts";

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

test("a call that its own batch cancels is answered, so that the response ends", async () => {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  // Ends with its cancellation alone.
  server.registerTool("wait", { description: "Waits." }, async ({ mcpReq: { signal } }) => {
    await once(signal, "abort");
    return { content: [] };
  });
  checkAndPaceMessages(server, async () => undefined);
  const [client, own] = InMemoryTransport.createLinkedPair();
  const answers: JSONRPCMessage[] = [];
  client.onmessage = (message) => void answers.push(message);
  await client.start();
  await server.connect(own);
  const cancel = (requestId: number) =>
    client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  await client.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait", arguments: {} } });
  await cancel(2);
  await cancel(1);
  await cancel(1);
  for (let turns = 0; turns < 8; turns++) await turn();
  await server.close();
  assert.deepEqual(answers, [
    {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32_800,
        message: "The call was cancelled. What it was to change may have been changed.",
      },
    },
  ]);
});
