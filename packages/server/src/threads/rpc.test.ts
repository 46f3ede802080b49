import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { DamagedIndexError } from "../domain/index-damage.ts";
import { createRpcClient, serveRpc } from "./rpc.ts";

test("a damaged segment crosses threads with its name and its fault", async (context) => {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  serveRpc<string, string>(port2, async () => {
    throw new DamagedIndexError({ projectId: "p", segmentId: 7 }, new Error("its checksum does not match"));
  });
  const client = createRpcClient<string, string>(port1);
  await assert.rejects(client.call("ask"), (error) => {
    assert(error instanceof DamagedIndexError);
    assert.deepEqual([error.projectId, error.segmentId], ["p", 7]);
    assert(error.cause instanceof Error);
    assert.equal(error.cause.message, "its checksum does not match");
    return true;
  });
});

test("a value that cannot be sent fails its own call, and none is left open", async (context) => {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  serveRpc<unknown, string>(port2, async () => "answered");
  const client = createRpcClient<unknown, string>(port1);
  await assert.rejects(
    client.call(() => "a function"),
    { name: "DataCloneError" },
  );
  assert.equal(client.pending, 0);
  assert.equal(await client.call("ask"), "answered");
});
