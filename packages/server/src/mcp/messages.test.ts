import assert from "node:assert/strict";
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
