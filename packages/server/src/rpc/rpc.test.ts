import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { ServiceError } from "../domain/errors.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import { StoreUnavailableError } from "../ports/store.ts";
import { createRpcClient, sendEvent, serveRpc } from "./rpc.ts";

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

test("the errors that callers tell apart cross threads with their fields, others as their message", async (context) => {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  const thrown: readonly Error[] = [
    new StoreUnavailableError("disk_full", "The disk is full.", new Error("ENOSPC")),
    new ServiceError("unavailable", "Later.", { retryAfterSeconds: 7, severity: "warn" }),
    new RangeError("too far", { cause: new Error("why") }),
  ];
  serveRpc<number, never>(port2, async (at) => {
    throw thrown[at];
  });
  const client = createRpcClient<number, never>(port1);
  const [full, later, plain] = await Promise.all(
    thrown.map((_, at) =>
      client.call(at).then(
        () => assert.fail(),
        (error: unknown) => error,
      ),
    ),
  );
  assert(full instanceof StoreUnavailableError && full.cause instanceof Error);
  assert.deepEqual(
    [full.reason, full.message, full.cause.message],
    ["disk_full", "The disk is full.", "ENOSPC"],
  );
  assert(later instanceof ServiceError);
  const { kind, retryAfterSeconds, severity, message } = later;
  assert.deepEqual([kind, retryAfterSeconds, severity, message], ["unavailable", 7, "warn", "Later."]);
  assert(plain instanceof Error && plain.cause instanceof Error);
  assert.deepEqual([plain.message, plain.cause.message, plain.stack], ["too far", "why", thrown[2]?.stack]);
});

test("a client that failed fails its open calls and every later one", async (context) => {
  const { port1 } = new MessageChannel();
  context.after(() => port1.close());
  const client = createRpcClient<string, string>(port1);
  const open = client.call("ask");
  const drained = client.drained();
  client.fail(new Error("over"));
  await assert.rejects(open, /over/);
  await drained;
  await assert.rejects(client.call("ask"), /over/);
});

test("events arrive in order with the replies", async (context) => {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  serveRpc<string, string>(port2, (value) => {
    sendEvent(port2, `about ${value}`);
    return value;
  });
  const events: string[] = [];
  const client = createRpcClient<string, string, string>(port1, (event) => void events.push(event));
  await client.call("a");
  await client.call("b");
  assert.deepEqual(events, ["about a", "about b"]);
});
